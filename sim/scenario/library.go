package scenario

import "fmt"

// Library lists the ids of the built-in scenarios in the order shown to users.
var Library = func() []string {
	ids := make([]string, len(builtins))
	for i, b := range builtins {
		ids[i] = b.id
	}
	return ids
}()

// Builtin reads a built-in scenario. An unknown id is an error that names the
// nearest match.
func Builtin(id string) (*Scenario, error) {
	for _, b := range builtins {
		if b.id != id {
			continue
		}
		s, err := Read(id, []byte(b.text))
		if err != nil {
			return nil, err
		}
		s.ID = id
		return s, nil
	}
	return nil, fmt.Errorf("scenario %q is not in the library; there are %s%s", id, sentence(Library), near(id, Library))
}
