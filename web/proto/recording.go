//go:build !js || full

package proto

import "strandscope/sim/jsonc"

// Choice is what a select offers.
type Choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// RecordingFacts are what the page is told of a recording once it was read.
type RecordingFacts struct {
	Name    string   `json:"name"`
	Format  string   `json:"format"`
	Kernel  string   `json:"kernel"` // whose recording it is taken for
	EndNs   string   `json:"endNs"`  // when it ends
	Strands int      `json:"strands"`
	Threads int      `json:"threads"`
	Records int      `json:"records"`
	Lines   int64    `json:"lines"`
	Amiss   int64    `json:"amiss"` // what was left out or assumed while reading
	Kernels []Choice `json:"kernels"`
	// Machines are those that a derived workload may run on, the first one of as many CPUs
	// as the recording has.
	Machines []Choice `json:"machines"`
}

// Recording writes the facts of a recording.
func Recording(f RecordingFacts) []byte {
	return jsonc.Append(nil, struct {
		V     int            `json:"v"`
		Type  string         `json:"type"`
		Facts RecordingFacts `json:"facts"`
	}{Version, "recording", f})
}

// WhatIf is what is known of a workload derived from the recording so far.
type WhatIf struct {
	Doing    string   `json:"doing"`   // what is being worked at; "": all is told
	Derived  []string `json:"derived"` // what was derived
	Driven   []string `json:"driven"`  // how far the model decides as recorded; none: it cannot be driven
	Own      []string `json:"own"`     // how far the derived run under the same kernel is the recorded one
	Kernel   string   `json:"kernel"`  // that of the recording
	Document string   `json:"document"`
	Error    string   `json:"error"`
}

// WhatIfMessage writes it.
func WhatIfMessage(w *WhatIf, err error) []byte {
	w.Error = words(err)
	w.Derived, w.Driven, w.Own = each(w.Derived, same), each(w.Driven, same), each(w.Own, same) // none is no null
	return jsonc.Append(nil, struct {
		V    int    `json:"v"`
		Type string `json:"type"`
		What WhatIf `json:"what"`
	}{Version, "whatIf", *w})
}
