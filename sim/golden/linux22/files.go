package linux22

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"strandscope/sim/golden"
)

// Runs are the files of whole runs: NAME.summary.json and the data beside it.
type Runs struct{}

// Claims implements golden.Format.
func (Runs) Claims(path string, head []byte) bool {
	run, kind := golden.Run(path)
	if kind == "summary.json" {
		return bytes.Contains(head, []byte(`"smp_kernel"`))
	}
	if !slices.Contains(kinds, kind) {
		return false
	}
	_, err := os.Stat(filepath.FromSlash(run) + ".summary.json")
	if err != nil {
		_, err = os.Stat(filepath.FromSlash(run) + ".summary.json.gz")
	}
	return err == nil
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
