package scenario

import "strandscope/sim/clock"

// Step is a piece of the source document: a remark of ours, or a line that it
// types, with what it prints.
type Step struct {
	Remark string
	Type   string
	Prints []string
	// Watch is how long a program that fills the screen is looked at.
	Watch clock.Duration
}

// Limits of a document.
const (
	maxSteps  = 200
	maxPrints = 500  // lines of one step
	maxRemark = 4096 // bytes; also of a line
	// defaultWatch lets top, which looks every five seconds, look twice.
	defaultWatch = 6
)

// readDocument reads a list of {"remark": "…"} and {"type": "…", "prints": […]}.
func (s *Scenario) readDocument(v value) error {
	list, err := v.list()
	if err != nil {
		return err
	}
	if len(list) > maxSteps {
		return v.errorf("%d steps; at most %d are accepted", len(list), maxSteps)
	}
	s.Document = make([]Step, len(list))
	for i, e := range list {
		if s.Document[i], err = readStep(e); err != nil {
			return err
		}
	}
	return nil
}

func readStep(v value) (Step, error) {
	var s Step
	watch := 0
	err := v.read(fields{
		"remark": intoLine(&s.Remark), "type": intoLine(&s.Type),
		"watch": intoInt(&watch, 1, 3600),
		"prints": func(v value) error {
			list, err := v.list()
			if err != nil {
				return err
			}
			if len(list) > maxPrints {
				return v.errorf("%d lines; at most %d are accepted", len(list), maxPrints)
			}
			s.Prints = make([]string, len(list))
			for i, e := range list {
				if err := intoLine(&s.Prints[i])(e); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil)
	switch {
	case err != nil:
		return s, err
	case s.Remark == "" && s.Type == "":
		return s, v.errorf("type: missing; a step has a remark or a line that is typed")
	case s.Remark != "" && s.Type != "":
		return s, v.errorf("both a remark and a line that is typed; want two steps")
	case s.Remark != "" && len(s.Prints) > 0:
		return s, v.errorf("prints: a remark prints nothing")
	case s.Remark != "" && watch != 0:
		return s, v.errorf("watch: a remark is no program")
	}
	if watch == 0 {
		watch = defaultWatch
	}
	s.Watch = clock.Duration(watch) * clock.Second
	return s, nil
}

// intoLine reads a text of one line.
func intoLine(p *string) func(value) error {
	return func(v value) error {
		text, err := v.text()
		if err != nil {
			return err
		}
		if len(text) > maxRemark {
			return v.errorf("%d bytes long, want at most %d", len(text), maxRemark)
		}
		for _, r := range text {
			if r == '\n' || r == '\r' {
				return v.errorf("more than one line, want one")
			}
		}
		*p = text
		return nil
	}
}
