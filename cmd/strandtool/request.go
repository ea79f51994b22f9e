package main

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/cmd/internal/tracefile"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/jsonc"
)

// Limits of a request, as the page has them for links and messages.
const (
	maxUntil    = 30 * 24 * clock.Hour
	maxSettings = 10_000
	maxDepth    = 4 // of lists and objects within each other
)

// request is what is to be written. Either Scenario names a built-in one, or Document
// is the text of one's own, by the name of its file.
type request struct {
	Scenario       string
	Name, Document string
	Settings       []sim.Setting // as of links and of `strandsim run -set`
	Until          clock.Time
	Format         tracefile.Format
}

// readRequest reads, for example,
//
//	{"scenario": "t2000", "settings": [{"key": "class", "value": "FSS"}], "untilNs": "5000000000", "format": "events"}
//
// with "name" and "document" instead of "scenario" for a document of one's own.
func readRequest(text []byte) (*request, error) {
	root, err := jsonc.Dialect{Depth: maxDepth}.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	if root.Kind() != '{' {
		return nil, fmt.Errorf("request: it is %s, want an object", short(root))
	}
	var q request
	var until, format string
	texts := map[string]*string{
		"scenario": &q.Scenario, "name": &q.Name, "document": &q.Document, "untilNs": &until, "format": &format,
	}
	for _, m := range root.Members {
		switch into := texts[m.Name]; {
		case m.Name == "settings":
			q.Settings, err = readSettings(m.Value)
		case into == nil:
			err = fmt.Errorf("key %.60q is not known", m.Name)
		case m.Value.Kind() != '"':
			err = fmt.Errorf("%s is %s, want text", m.Name, short(m.Value))
		default:
			*into = m.Value.Text()
		}
		if err != nil {
			return nil, fmt.Errorf("request: %w", err)
		}
	}
	if (q.Scenario == "") == (q.Document == "") {
		return nil, fmt.Errorf("request: it wants either a scenario or a document")
	}
	ns, err := strconv.ParseInt(until, 10, 64)
	if err != nil || ns < 0 || clock.Duration(ns) > maxUntil {
		return nil, fmt.Errorf("request: untilNs is %.60q, want a whole number from 0 to %d", until, int64(maxUntil))
	}
	q.Until = clock.Time(ns)
	if q.Format, err = tracefile.Find(format); err != nil {
		return nil, fmt.Errorf("request: format: %w", err)
	}
	return &q, nil
}

func readSettings(list jsonc.Value) ([]sim.Setting, error) {
	if list.Kind() != '[' || len(list.Elements) > maxSettings {
		return nil, fmt.Errorf("settings is %s, want a list of at most %d", short(list), maxSettings)
	}
	settings := make([]sim.Setting, len(list.Elements))
	for i, v := range list.Elements {
		texts := map[string]*string{"key": &settings[i].Key, "value": &settings[i].Value}
		for _, m := range v.Members {
			into := texts[m.Name]
			if into == nil || m.Value.Kind() != '"' {
				return nil, fmt.Errorf("settings[%d] is %s, want a key and a value, both texts", i, short(v))
			}
			*into = m.Value.Text()
		}
		if settings[i].Key == "" {
			return nil, fmt.Errorf("settings[%d] is %s, want a key and a value, both texts", i, short(v))
		}
	}
	return settings, nil
}

// short shows at most the head of a value of any length.
func short(v jsonc.Value) string {
	if len(v.Raw) > 60 {
		return strings.ToValidUTF8(string(v.Raw[:60]), "") + "…"
	}
	return string(v.Raw)
}

// open opens the run that is asked for, at its beginning.
func (q *request) open() (*sim.Session, error) {
	if q.Scenario != "" {
		return sim.Open(q.Scenario, q.Settings...)
	}
	return sim.OpenDocument(q.Name, []byte(q.Document), q.Settings...)
}
