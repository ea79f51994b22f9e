package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"strandscope/sim/clock"
)

// settings are the keys of `-set key=value`, in the order in which help lists
// them.
var settings = []struct {
	key, help string
	apply     func(s *Scenario, v string) error
}{
	{"class", "default scheduling class: unset, TS, FSS, FX, IA or RT", func(s *Scenario, v string) error {
		s.Scheduler.DefaultClass = v
		return nil
	}},
	{"explanation", "what an unset class meant: pset or kernel", func(s *Scenario, v string) error {
		if v == "" {
			return fmt.Errorf("explanation: empty, want %q or %q", ExplainPset, ExplainKernel)
		}
		if err := s.checkExplanation(v); err != nil {
			return err
		}
		s.Scheduler.Explanation = v
		return nil
	}},
	{"seed", "of the random streams", func(s *Scenario, v string) error {
		n, err := strconv.ParseUint(v, 10, 53)
		if err != nil {
			return fmt.Errorf("seed: %q, want a whole number from 0 to %d", v, uint64(1)<<53-1)
		}
		s.Seed = n
		return nil
	}},
}

// addCommand adds a console line at a time such as 5s or 300ms.
func (s *Scenario) addCommand(at, line string) error {
	d, err := time.ParseDuration(at)
	if err != nil || d < 0 || int64(d)/1000 > maxMicroseconds {
		return fmt.Errorf("do@%s: %q is no time in the run; want such as do@5s", at, at)
	}
	if line == "" {
		return fmt.Errorf("do@%s: an empty command line", at)
	}
	s.Insert(Command{At: clock.Duration(d), Line: line})
	return nil
}

// Apply changes a setting. Besides those listed, the keys of textbook policies may be
// set (a list by commas, the top first), and do@TIME adds a command for the
// machine's console. On an error the scenario is as it was.
func (s *Scenario) Apply(key, val string) error {
	if at, ok := strings.CutPrefix(key, "do@"); ok {
		return s.addCommand(at, val)
	}
	keys := make([]string, 0, len(settings))
	for _, x := range settings {
		if x.key == key {
			return x.apply(s, val)
		}
		keys = append(keys, x.key)
	}
	book := s.bookFields(fields{})
	if book[key] != nil {
		return s.setBook(key, val)
	}
	return fmt.Errorf("setting %q is unknown; there are %s%s", key, sentence(keys), near(key, append(slices.Clone(keys), slices.Sorted(maps.Keys(book))...)))
}
