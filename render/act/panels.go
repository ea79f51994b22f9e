package act

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// PanelIDs are the panels by their names in messages, in their order on the page.
// Those of render/panel.All have the same.
var PanelIDs = []string{"strands", "runqueue", "gantt", "timeline", "loadavg", "utilisation", "rqlen", "ladder", "wakes", "cost"}

// Panels says which panels are shown and how. The zero value shows all.
type Panels struct {
	// Order has ids; panels that it does not name come after those it names.
	Order []string
	// Hidden has the ids of those that are left out.
	Hidden []string
	// Large is the id of the one that fills the picture, "" for none.
	Large string
	// Compact is for a small picture within another page: the columns stand beside
	// each other from a lesser width on, and nothing is taller than it must be.
	Compact bool
}

// Arrange chooses panels.
type Arrange struct{ Panels }

// Cores lets the strands be shown by core: a cell for each core, the mean of its
// strands.
type Cores struct{ On bool }

func (Arrange) command() {}
func (Cores) command()   {}

// Shows reports whether a panel is shown.
func (p *Panels) Shows(id string) bool {
	if p.Large != "" {
		return id == p.Large
	}
	return !slices.Contains(p.Hidden, id)
}

// Rank is the place of a panel in the order, where at is its place in the
// standard order of n.
func (p *Panels) Rank(id string, at int) int {
	if i := slices.Index(p.Order, id); i >= 0 {
		return i - len(p.Order)
	}
	return at
}

// check reports the first thing that is wrong.
func (p *Panels) check() error {
	for _, list := range []struct {
		field string
		ids   []string
	}{{"order", p.Order}, {"hidden", p.Hidden}} {
		for i, id := range list.ids {
			if err := known(list.field, id); err != nil {
				return err
			}
			if slices.Contains(list.ids[:i], id) {
				return fmt.Errorf("%s names the panel %q twice", list.field, id)
			}
		}
	}
	if p.Large != "" {
		return known("large", p.Large)
	}
	if len(p.Hidden) == len(PanelIDs) {
		return errors.New("hidden names every panel; one at least must stay")
	}
	return nil
}

func known(field, id string) error {
	if slices.Contains(PanelIDs, id) {
		return nil
	}
	return fmt.Errorf("%s is %q, want one of %s", field, id, strings.Join(PanelIDs, ", "))
}
