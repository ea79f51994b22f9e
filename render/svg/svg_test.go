package svg_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/geom"
	"strandscope/render/scene"
	"strandscope/render/svg"
)

// read returns the texts of a picture by element and fails unless it is XML.
func read(t *testing.T, text []byte) map[string][]string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(text)))
	all, open := map[string][]string{}, []string{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Empty(t, open)
			return all
		}
		require.NoError(t, err, string(text))
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && strings.TrimSpace(string(token)) != "" {
				name := open[len(open)-1]
				all[name] = append(all[name], string(token))
			}
		}
	}
}

func TestEveryOperationIsWritten(t *testing.T) {
	var l scene.List
	l.Reset(geom.Size{W: 200, H: 100}, svg.Metrics{})
	l.Rect(geom.Rect{X: 1, Y: 2, W: 30, H: 20}, scene.Box{Fill: scene.Hex(0x151b24), Border: scene.Hex(0x2a3544), Radius: 7})
	l.Rect(geom.Rect{X: 3, Y: 4, W: 8, H: 6}, scene.Box{Hatch: scene.Hex(0xffffff).Alpha(51), HatchPitch: 6, HatchWidth: 2})
	l.Clip(geom.Rect{X: 5, W: 100, H: 50})
	l.Line(scene.Stroke{Color: scene.Hex(0xff0000), Width: 24, Dash: scene.Dashed}, geom.Point{X: -8}, geom.Point{X: 160, Y: 168})
	l.Unclip()
	l.Text(scene.Style{Font: scene.Font{Family: scene.Mono, Bold: true, Size: 736}, Color: scene.Hex(0), Align: scene.Right}, 90, 20, "p59  &")
	text := string(svg.Append(nil, &l, "a <title>", "words"))
	read(t, []byte(text))
	assert.Equal(t, `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100" role="img">
<title>a &lt;title&gt;</title>
<desc>words</desc>
<rect x="1" y="2" width="30" height="20" rx="7" fill="#151b24"/>
<rect x="1.5" y="2.5" width="29" height="19" rx="6.5" fill="none" stroke="#2a3544"/>
<svg x="3" y="4" width="8" height="6"><path d="M5 0L-1 6M11 0L5 6" fill="none" stroke="#ffffff" stroke-opacity="0.2" stroke-width="2"/></svg>
<svg x="5" y="0" width="100" height="50" viewBox="5 0 100 50">
<polyline points="-0.5,0 10,10.5" fill="none" stroke="#ff0000" stroke-width="1.5" stroke-dasharray="7.2 4.5"/>
</svg>
<text x="90" y="20" text-anchor="end" font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="11.5" font-weight="600" fill="#000000" xml:space="preserve">p59  &amp;</text>
</svg>
`, text)
}

func TestTextsComeBackWhateverTheyHold(t *testing.T) {
	for in, want := range map[string]string{
		`<script>"&'`: `<script>"&'`, "a\x00b\x1b": "a\uFFFDb\uFFFD", "\xff": "\uFFFD", "●✚–": "●✚–", "]]>": "]]>", "\ufffe": "\uFFFD",
	} {
		var l scene.List
		l.Reset(geom.Size{W: 10, H: 10}, svg.Metrics{})
		l.Text(scene.Style{Font: scene.Font{Size: 640}}, 0, 0, in)
		all := read(t, svg.Append(nil, &l, in, in))
		for _, element := range []string{"title", "desc", "text"} {
			assert.Equal(t, []string{want}, all[element], "%q in %s", in, element)
		}
	}
}

func TestBoldAndWideLettersMeasureMore(t *testing.T) {
	f := scene.Font{Size: 10 * scene.Unit}
	assert.Equal(t, 10, scene.Width(svg.Metrics{}, f, "W"))
	assert.Equal(t, 3, scene.Width(svg.Metrics{}, f, "i"))
	f.Bold = true
	assert.Equal(t, 12, scene.Width(svg.Metrics{}, f, "W"))
	f.Family = scene.Mono
	assert.Equal(t, scene.Width(svg.Metrics{}, f, "W"), scene.Width(svg.Metrics{}, f, "●"))
}
