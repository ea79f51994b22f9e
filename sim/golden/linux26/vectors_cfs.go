package linux26

import "strandscope/sim/golden"

// cfsFiles are the files of single functions of 2.6.24.
func cfsFiles() golden.ByHead[row] {
	return golden.ByHead[row]{}
}
