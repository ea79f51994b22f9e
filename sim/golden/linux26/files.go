package linux26

import (
	"bytes"
	"path/filepath"
	"slices"

	"strandscope/sim/golden"
)

// Runs are the files of whole runs: NAME.summary.json and the data beside it.
type Runs struct{}

// kinds of files that belong to a run.
var kinds = []string{
	"decisions.csv", "charge.csv", "state.csv", "wakes.csv", "moves.csv", "load.csv", "forks.csv", "exits.csv", "tasks.csv",
}

// Claims implements golden.Format.
func (Runs) Claims(path string, head []byte) bool {
	run, kind := golden.Run(path)
	if kind == "summary.json" {
		return ours(head)
	}
	if !slices.Contains(kinds, kind) {
		return false
	}
	f, err := golden.Open(filepath.FromSlash(run) + ".summary.json")
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, _ := f.Read(b)
	return ours(b[:n])
}

// ours reports whether a summary is of a kernel of this package.
func ours(head []byte) bool {
	return bytes.Contains(head, []byte(`"kernel":"2.6.`))
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
	have, err := golden.Members(r.totals())
	if err != nil {
		return 0, err
	}
	return golden.CompareMembers(r.all, have, "scenario", "desc", "cpus", "ticks", "build")
}
