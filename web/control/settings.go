package control

import (
	"slices"
	"sort"
	"strings"
	"time"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// redo are how the keys of settings begin that do again, at its time, what was
// done at the console; reboot makes the machine the one that was booted there.
var redo = []string{"do@", "type@", "remark@"}

const reboot = "reboot"

// isAgain reports whether a setting does again what was done at the console.
func isAgain(key string) bool {
	return key == reboot || slices.ContainsFunc(redo, func(p string) bool { return strings.HasPrefix(key, p) })
}

// Line is a line that was typed into the machine's console.
type Line struct {
	At  clock.Time
	Key string // of the setting that types it again
	Do  string
}

func (s *State) load(open func() (Run, error)) error {
	run, err := open()
	if err != nil {
		return err
	}
	s.Run, s.Settings, s.Fault, s.again = run, nil, "", open
	s.beside, s.right = nil, false
	s.View.Selected, s.View.Hover = act.Selection{}, act.Selection{}
	s.View.Timeline = act.Range{} // of another run
	s.restarted()
	return nil
}

// set changes a setting. Any but that of a typed line is a reboot, which
// forgets all that was typed.
func (s *State) set(c act.Set) error {
	settings := slices.Clone(s.Settings)
	typed := isAgain(c.Key)
	if !typed {
		settings = withoutTyped(settings)
	}
	i := len(settings)
	if !typed {
		i = slices.IndexFunc(settings, func(x sim.Setting) bool { return x.Key == c.Key })
	}
	if i < 0 || i == len(settings) {
		i = len(settings)
		settings = append(settings, sim.Setting{Key: c.Key})
	}
	settings[i].Value = c.Value
	var err error
	if !typed && s.touched() {
		err = s.reopen(settings)
	} else {
		err = s.Run.Set(c.Key, c.Value)
	}
	if err != nil {
		return err
	}
	s.Settings = settings
	goal := s.goal
	s.restarted()
	if s.beside != nil && s.until == nil {
		s.goal = goal // the other side is still on its way there
	}
	return nil
}

// reset starts again and forgets what was typed.
func (s *State) reset() error {
	kept := withoutTyped(s.Settings)
	var err error
	if s.touched() {
		err = s.reopen(kept)
	} else {
		err = s.Run.Reset()
	}
	if err != nil {
		return err
	}
	s.Settings, s.Fault = kept, ""
	s.restarted()
	return nil
}

// touched reports whether the run is no longer the scenario with the settings that
// were kept.
func (s *State) touched() bool {
	return len(withoutTyped(s.Settings)) < len(s.Settings) || s.Run.Rebooted()
}

// reopen replaces the run by a new one of the same scenario.
func (s *State) reopen(settings []sim.Setting) error {
	run, err := s.again()
	if err == nil && s.beside != nil {
		err = run.KeepSums()
	}
	if err != nil {
		return err
	}
	for _, x := range settings {
		if err := run.Set(x.Key, x.Value); err != nil {
			return err
		}
	}
	s.Run = run
	return nil
}

// Kept are the settings that outlive a reset.
func (s *State) Kept() []sim.Setting { return withoutTyped(s.Settings) }

func withoutTyped(settings []sim.Setting) []sim.Setting {
	return slices.DeleteFunc(slices.Clone(settings), func(x sim.Setting) bool { return isAgain(x.Key) })
}

func (s *State) do(line string) error {
	if s.Fault != "" {
		return errStopped
	}
	_, err := s.Run.Do(line)
	if err == nil {
		s.far = s.Run.Now() // what was to come is another history now
	}
	s.settle()
	return err
}

// Typed lists what was typed, in order of time; Reset forgets it.
func (s *State) Typed() []Line { return typedInto(s.Run, s.Settings) }

func typedInto(run Run, settings []sim.Setting) []Line {
	var lines []Line
	for _, x := range slices.Concat(settings, run.Typed()) {
		if x.Key == reboot && !slices.ContainsFunc(lines, func(l Line) bool { return l.Key == reboot }) {
			lines = append(lines, Line{0, x.Key, x.Value}) // before all else
		}
		_, at, ok := strings.Cut(x.Key, "@")
		if d, err := time.ParseDuration(at); ok && err == nil {
			lines = append(lines, Line{clock.Time(d), x.Key, x.Value})
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].At < lines[j].At })
	return lines
}
