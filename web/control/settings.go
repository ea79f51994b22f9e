package control

import (
	"slices"
	"strings"
	"time"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// doAt begins the key of a setting that types a line at a time.
const doAt = "do@"

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
	s.View.Selected, s.View.Hover = act.Selection{}, act.Selection{}
	s.restarted()
	return nil
}

// set changes a setting. Any but that of a typed line is a reboot, which
// forgets all that was typed.
func (s *State) set(c act.Set) error {
	settings := slices.Clone(s.Settings)
	typed := strings.HasPrefix(c.Key, doAt)
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
	if !typed && len(withoutTyped(s.Settings)) < len(s.Settings) {
		err = s.reopen(settings)
	} else {
		err = s.Run.Set(c.Key, c.Value)
	}
	if err != nil {
		return err
	}
	s.Settings = settings
	s.restarted()
	return nil
}

// reset starts again and forgets what was typed.
func (s *State) reset() error {
	kept := withoutTyped(s.Settings)
	var err error
	if len(kept) < len(s.Settings) {
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

// reopen replaces the run by a new one of the same scenario.
func (s *State) reopen(settings []sim.Setting) error {
	run, err := s.again()
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
	return slices.DeleteFunc(slices.Clone(settings), func(x sim.Setting) bool { return strings.HasPrefix(x.Key, doAt) })
}

func (s *State) do(line string) error {
	if s.Fault != "" {
		return errStopped
	}
	_, err := s.Run.Do(line)
	return err
}

// Typed lists what was typed, in order of time; Reset forgets it.
func (s *State) Typed() []Line {
	var lines []Line
	for _, x := range slices.Concat(s.Settings, s.Run.Typed()) {
		at, ok := strings.CutPrefix(x.Key, doAt)
		if d, err := time.ParseDuration(at); ok && err == nil {
			lines = append(lines, Line{clock.Time(d), x.Key, x.Value})
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return int(min(max(a.At-b.At, -1), 1)) })
	return lines
}
