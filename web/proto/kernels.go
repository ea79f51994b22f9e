//go:build !js || full

package proto

import (
	"strandscope/sim"
	"strandscope/sim/jsonc"
)

// wireKernel is a kernel's column in the comparison of kernels.
type wireKernel struct {
	Title   string `json:"title"`
	Figures string `json:"figures"` // as those of wireSide
	// Probe is the probing task's name, "" where there is none, and Waits its usual and
	// its longest wait; Tasks are names with numbers of threads, least and most CPU time.
	// All in nanoseconds.
	Probe string       `json:"probe"`
	Waits string       `json:"waits"`
	Tasks []wireNumber `json:"tasks"`
}

// Kernels writes an answer to AskKernels: the rows so far, and how many are still to come;
// err is why there are none.
func Kernels(rows []sim.KernelRow, left int, err error) []byte {
	list := make([]wireKernel, len(rows))
	for i := range rows {
		r := &rows[i]
		list[i] = wireKernel{r.Title, figuresOf(&r.Figures), r.Probe, numbers(int64(r.Usual), int64(r.Worst)), each(r.Tasks, func(t sim.TaskTime) wireNumber {
			return wireNumber{t.Name, numbers(int64(t.Threads), int64(t.Least), int64(t.Most))}
		})}
	}
	return jsonc.Append(nil, struct {
		V     int          `json:"v"`
		Type  string       `json:"type"`
		Rows  []wireKernel `json:"rows"`
		Left  int          `json:"left"`
		Error string       `json:"error"`
	}{Version, "kernels", list, left, words(err)})
}
