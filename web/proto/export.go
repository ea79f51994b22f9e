package proto

import "strandscope/sim/jsonc"

// Export asks for a figure of the run as it stands, or for the table of a plot.
type Export struct {
	CSV     bool     // of the only panel; else SVG
	Panels  []string // ids; none: the whole picture
	Caption string
	Link    string
}

// maxCaption is the most bytes of a caption or a link.
const maxCaption = 2000

func decodeExport(f *fields, m *Message) {
	x := &Export{CSV: f.oneOf("kind", "svg", "csv") == "csv", Panels: f.names("panels")}
	if f.has("caption") {
		x.Caption = f.text("caption", maxCaption)
	}
	if f.has("link") {
		x.Link = f.text("link", maxCaption)
	}
	if x.CSV && f.err == nil && len(x.Panels) != 1 {
		f.fail("panels has %d names, want one for a table", len(x.Panels))
	}
	m.Export = x
}

// Exported writes the answer to Export: the file's text, or why there is none.
func Exported(seq int64, text, wrong string) []byte {
	return jsonc.Append(nil, struct {
		V     int    `json:"v"`
		Type  string `json:"type"`
		Seq   int64  `json:"seq"`
		Text  string `json:"text"`
		Error string `json:"error"`
	}{Version, "exported", seq, text, wrong})
}
