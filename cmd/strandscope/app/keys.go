package app

import (
	"strandscope/render/act"
	"strandscope/sim"
)

// strandKey is what a key means while the picture has the focus: arrows walk
// over the strands, along a core and from core to core.
func strandKey(key string, f *sim.Frame, v *act.View) act.Command {
	now := v.Selected
	n := len(f.CPUs)
	if n == 0 {
		return nil
	}
	if key == "Escape" && v.Panels.Large != "" {
		all := v.Panels
		all.Large = ""
		return act.Arrange{Panels: all}
	}
	if key == "Escape" {
		return act.Select{}
	}
	if key == "o" { // off-line, and back
		if now.Kind != act.StrandSelection || now.CPU >= n {
			return nil
		}
		return act.Online(now.CPU, f.CPUs[now.CPU].Online)
	}
	core := 1
	if f.Machine != nil && len(f.Machine.Cores) > 0 {
		core = max(1, len(f.Machine.Cores[0]))
	}
	next := 1
	if v.Cores { // a cell is a core
		next = core
	}
	at := -1
	switch now.Kind {
	case act.NoSelection:
	case act.StrandSelection:
		at = now.CPU
	case act.ThreadSelection:
		if int(now.Thread) < len(f.Threads) {
			at = f.Threads[now.Thread].CPU
		}
	}
	moves := map[string]int{
		"ArrowRight": at + next, "ArrowLeft": at - next, "ArrowDown": at + core, "ArrowUp": at - core,
		"Home": 0, "End": n - 1,
	}
	to, ok := moves[key]
	if !ok {
		return nil
	}
	if at < 0 {
		to = 0 // the first key only enters
	}
	return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: min(max(to, 0), n-1)}}
}
