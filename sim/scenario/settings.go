package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"strandscope/sim/clock"
	"strandscope/sim/order"
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
	{"kernel", "one of those that the scenario offers", func(s *Scenario, v string) error {
		d := &s.Scheduler
		if len(d.Kernels) == 0 {
			return fmt.Errorf("kernel: this scenario offers no kernels to choose from; it runs on %s", d.Kernel)
		}
		if !slices.Contains(d.Kernels, v) {
			return fmt.Errorf("kernel: %q, want %s%s", v, sentence(d.Kernels), near(v, d.Kernels))
		}
		d.Kernel = v
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
func (s *Scenario) addCommand(key, at, line string) error {
	d, err := time.ParseDuration(at)
	if err != nil || d < 0 || int64(d)/1000 > maxMicroseconds {
		return fmt.Errorf("%s@%s: %q is no time in the run; want such as %s@5s", key, at, at, key)
	}
	if line == "" && key == "do" { // at the prompt one may press Enter alone
		return fmt.Errorf("%s@%s: an empty command line", key, at)
	}
	s.Insert(Command{At: clock.Duration(d), Line: line, Typed: key == "type", Remark: key == "remark"})
	return nil
}

// Apply changes a setting. Besides those listed, the keys of textbook policies may be
// set (a list by commas, the top first); do@TIME adds a command that runs by itself,
// type@TIME one that is typed at the prompt and remark@TIME a sentence for the log;
// reboot makes it the machine after a reboot with that default class. On an error the
// scenario is as it was.
func (s *Scenario) Apply(key, val string) error {
	if what, at, ok := strings.Cut(key, "@"); ok && (what == "do" || what == "type" || what == "remark") {
		return s.addCommand(what, at, val)
	}
	if key == "reboot" {
		*s = *s.Rebooted(val)
		return nil
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
	return fmt.Errorf("setting %q is unknown; there are %s%s", key, sentence(keys), near(key, append(slices.Clone(keys), order.Keys(book)...)))
}
