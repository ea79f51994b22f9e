package linux6

import (
	"bytes"
	"slices"

	"strandscope/sim/golden"
)

// Runs are the files of whole runs: NAME.summary.json and the data beside it.
type Runs struct{}

// ours is what tells a summary of this format from others.
var ours = []byte(`"tick_ns"`)

// Claims implements golden.Format.
func (Runs) Claims(path string, head []byte) bool {
	name, kind := golden.Run(path)
	if kind == "summary.json" {
		return bytes.Contains(head, ours)
	}
	if !slices.Contains(kinds, kind) {
		return false
	}
	raw, err := golden.Read(name + ".summary.json")
	return err == nil && bytes.Contains(raw, ours)
}

var latest golden.Latest[*run]

// Verify implements golden.Format.
func (Runs) Verify(path string) (int, error) {
	name, kind := golden.Run(path)
	r, err := latest.Get(name, replay)
	if err != nil {
		return 0, err
	}
	if kind == "summary.json" {
		return r.compareSummary()
	}
	return golden.CompareLines(path, r.out[kind].String())
}

// compareSummary compares every member that is a result.
func (r *run) compareSummary() (int, error) {
	have, err := golden.Members(r.sum)
	if err != nil {
		return 0, err
	}
	return golden.CompareMembers(r.all, have, "scenario", "desc", "build")
}
