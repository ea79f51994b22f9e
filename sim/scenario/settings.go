package scenario

import (
	"fmt"
	"strconv"
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

// Apply changes a setting. On an error the scenario is as it was.
func (s *Scenario) Apply(key, val string) error {
	keys := make([]string, 0, len(settings))
	for _, x := range settings {
		if x.key == key {
			return x.apply(s, val)
		}
		keys = append(keys, x.key)
	}
	return fmt.Errorf("setting %q is unknown; there are %s%s", key, sentence(keys), near(key, keys))
}
