//go:build !js || full

package app

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/derive"
	"strandscope/sim/machine"
	"strandscope/sim/policy"
	"strandscope/sim/record"
	"strandscope/sim/recorded"
	"strandscope/sim/scenario"
	"strandscope/web/proto"
)

// recording is what is kept of the recording that was read last.
type recording struct {
	name  string
	trace *record.Trace
	run   *recorded.Run // as shown
	work  *whatIf       // nil: nobody asked
}

// Reading is a file of a recording that comes in pieces.
type Reading struct {
	app          *App
	name, kernel string
	r            *record.Reader
	n            int
}

// Read begins to read a file that is said to be recorded on a kernel, "" is the default.
// What is shown stays as it is until the file was read.
func (a *App) Read(name, kernel string) (*Reading, error) {
	if err := knownKernel(kernel); err != nil {
		return nil, err
	}
	r := record.NewReader()
	r.KeepAccounts(true) // a workload may be derived later, and the file is gone then
	return &Reading{app: a, name: name, kernel: kernel, r: r}, nil
}

func knownKernel(id string) error {
	if id == "" {
		return nil
	}
	_, err := policy.Find(id)
	return err
}

// Feed takes a piece of the file.
func (x *Reading) Feed(p []byte) error {
	defer func() { x.n = x.r.Records() }()
	return x.r.Feed(p)
}

// Records is how many were found so far.
func (x *Reading) Records() int { return x.n }

// Cut tells that the file ends too early within its compression.
func (x *Reading) Cut() {
	x.r.Cut("the compressed file ends too early; what came before is read")
}

// Close ends the file: the recording is what is shown from then on, if it is one.
func (x *Reading) Close() error {
	tr, err := x.r.Close()
	if err != nil {
		return err
	}
	run, err := open(tr, x.name, x.kernel)
	if err != nil {
		return err
	}
	x.n = tr.Len()
	x.app.call(func() {
		x.app.stopWhatIf()
		x.app.rec = recording{name: x.name, trace: tr, run: run}
		x.app.showRecording(run.End())
	})
	return nil
}

func open(tr *record.Trace, name, kernel string) (*recorded.Run, error) {
	return recorded.New(tr, recorded.Options{Name: name, Kernel: kernel, HZ: int(int64(clock.Second) / tickOf(cmp.Or(kernel, recorded.DefaultKernel)))})
}

// tickOf is the length of a kernel's clock tick in ns.
func tickOf(kernel string) int64 {
	k, err := policy.Find(kernel)
	if err != nil || k.HZ == 0 {
		return int64(clock.Second) / 250
	}
	return int64(clock.Second) / int64(k.HZ)
}

func (a *App) showRecording(at clock.Time) {
	a.State.Show(a.rec.run, a.rec.run.End(), at)
	tr := a.rec.trace
	a.send(proto.Recording(proto.RecordingFacts{
		Name: a.rec.name, Format: tr.Format, Kernel: a.rec.run.Facts().Kernel, EndNs: strconv.FormatInt(tr.End(), 10), Strands: tr.CPUs, Threads: len(tr.Threads),
		Records: tr.Len(), Lines: tr.Lines, Amiss: tr.Notes.Total(), Kernels: kernels(), Machines: machines(tr.CPUs),
	}))
	a.changed()
}

// kernels are those that a recording can be of, and a derived workload be run on.
func kernels() (list []proto.Choice) {
	for i := range policy.Kernels {
		if k := &policy.Kernels[i]; !strings.HasPrefix(k.ID, scenario.BookKernels) {
			list = append(list, proto.Choice{Value: k.ID, Label: k.Title})
		}
	}
	return list
}

func machines(cpus int) []proto.Choice {
	own := derive.Machine(cpus)
	list := []proto.Choice{{Value: own, Label: "as recorded: " + own}}
	for i := range machine.Presets {
		if p := &machine.Presets[i]; p.ID != own {
			list = append(list, proto.Choice{Value: p.ID, Label: p.Title})
		}
	}
	return list
}

var errNoRecording = errors.New("there is no recording; open one first")

// askRecording answers what is asked about the recording that is shown.
func (a *App) askRecording(m *proto.Message) {
	if a.rec.run == nil {
		a.State.Refuse(errNoRecording)
		return
	}
	switch m.Text {
	case "kernel":
		if err := a.recordedOn(m.Kernel); err != nil {
			a.State.Refuse(err)
		}
	case "derive":
		a.derive()
	case "document":
		a.document(m.Kernel, m.Machine)
	case "stop":
		a.stopWhatIf()
	}
}

// recordedOn takes the recording for one of another kernel, at the same time.
func (a *App) recordedOn(kernel string) error {
	if err := knownKernel(kernel); err != nil {
		return err
	}
	if a.State.Run != a.rec.run {
		return errNoRecording
	}
	run, err := open(a.rec.trace, a.rec.name, kernel)
	if err != nil {
		return err
	}
	at := a.rec.run.Now()
	a.stopWhatIf()
	a.rec.run = run
	a.showRecording(at)
	return nil
}

// document answers with the derived workload for a kernel and a machine.
func (a *App) document(kernel, on string) {
	w := a.rec.work
	if w == nil || w.load == nil {
		a.State.Refuse(errors.New("what if: nothing has been derived yet"))
		return
	}
	told := w.told
	err := knownKernel(kernel)
	if _, ok := machine.Find(on); err == nil && !ok {
		err = fmt.Errorf("machine %q is not known", on)
	}
	if err == nil {
		told.Document = string(w.load.Document(a.rec.name, kernel, on))
		if len(told.Document) > proto.MaxMessage-1<<16 {
			told.Document, err = "", fmt.Errorf("the derived workload has %d bytes, more than the page can take; strandsim import -o scenario writes it", len(told.Document))
		}
	}
	a.send(proto.WhatIfMessage(&told, err))
}
