package proto

import (
	"fmt"

	"strandscope/render/act"
)

// Panel is a panel of the picture, and what it shows in words.
type Panel struct {
	ID, Title, Words string
	Shown, Side      bool
}

// wirePanels is how the picture is arranged: the panels in their order, and which
// one fills it.
type (
	wirePanels struct {
		Large string      `json:"large"`
		Cores bool        `json:"cores"` // strands are shown by core
		List  []wirePanel `json:"list"`
	}
	wirePanel struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Words string `json:"words"`
		Shown bool   `json:"shown"`
		Side  bool   `json:"side"` // stands at the right where there is room
	}
)

func panelsOf(s *State) wirePanels {
	return wirePanels{
		Large: s.View.Panels.Large, Cores: s.View.Cores,
		List: each(s.Panels, func(p Panel) wirePanel { return wirePanel(p) }),
	}
}

// maxPanels is the most ids in a list of them.
const maxPanels = 64

// decodePanels reads {"order":[…],"hidden":[…],"large":"…","compact":true}; what is left out is
// empty.
func decodePanels(f *fields, m *Message) {
	var p act.Panels
	p.Order, p.Hidden = f.names("order"), f.names("hidden")
	if f.has("large") {
		p.Large = f.text("large", maxName)
	}
	p.Compact = f.has("compact") && f.flag("compact")
	m.Command = act.Arrange{Panels: p}
}

// names reads a list of names, which may be left out.
func (f *fields) names(key string) (list []string) {
	if !f.has(key) {
		return nil
	}
	want := fmt.Sprintf("a list of at most %d names", maxPanels)
	v, ok := f.value(key, want)
	if !ok {
		return nil
	}
	bad := v.Kind() != '[' || len(v.Elements) > maxPanels
	for _, x := range v.Elements {
		bad = bad || x.Kind() != '"'
	}
	if bad {
		f.fail("%s is %s, want %s", key, short(v), want)
		return nil
	}
	for _, x := range v.Elements {
		list = append(list, x.Text())
	}
	for _, s := range list {
		if len(s) > maxName {
			f.fail("%s has a name of %d bytes, at most %d are accepted", key, len(s), maxName)
			return nil
		}
	}
	return list
}
