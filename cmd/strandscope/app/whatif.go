//go:build !js || full

package app

import (
	"errors"
	"sync/atomic"
	"time"

	"strandscope/sim/derive"
	"strandscope/sim/record"
	"strandscope/web/proto"
)

// whatIf derives a workload from a recording and finds out how far it is to be trusted. It
// works beside the run that is shown, on runs of its own, and sleeps between slices, so
// that the page can do all else meanwhile.
type whatIf struct {
	stop atomic.Bool
	load *derive.Workload // nil: not yet
	told proto.WhatIf     // what the page knows
}

const (
	sliceOfWork = 1 << 17 // events
	rest        = time.Millisecond
)

var errStopped = errors.New("stopped")

// derive begins to derive, or tells again what was.
func (a *App) derive() {
	if w := a.rec.work; w != nil {
		if w.told.Doing == "" && w.told.Error == "" {
			a.send(proto.WhatIfMessage(&w.told, nil))
		}
		if w.told.Error == "" {
			return
		}
	}
	w := &whatIf{told: proto.WhatIf{Kernel: a.rec.run.Facts().Kernel}}
	a.rec.work = w
	tr, name := a.rec.trace, a.rec.name
	go func() {
		told := w.told
		load, err := w.run(tr, name, &told, func() { a.tellWhatIf(w, told, nil, nil) })
		if errors.Is(err, errStopped) {
			return
		}
		told.Doing = ""
		a.tellWhatIf(w, told, load, err)
	}()
}

// tellWhatIf tells the page, and keeps what it told.
func (a *App) tellWhatIf(w *whatIf, told proto.WhatIf, load *derive.Workload, err error) {
	a.call(func() {
		if a.rec.work == w {
			a.send(proto.WhatIfMessage(&told, err))
			w.told, w.load = told, load
		}
	})
}

// stopWhatIf ends what is worked at.
func (a *App) stopWhatIf() {
	if w := a.rec.work; w != nil {
		w.stop.Store(true)
		a.rec.work = nil
	}
}

// goOn lets the page work, and reports whether nobody stopped us.
func (w *whatIf) goOn() bool {
	time.Sleep(rest)
	return !w.stop.Load()
}

func (w *whatIf) run(tr *record.Trace, name string, told *proto.WhatIf, tell func()) (*derive.Workload, error) {
	doing := func(s string) bool {
		told.Doing = s
		tell()
		time.Sleep(50 * rest) // so that the page shows it
		return w.goOn()
	}
	if !doing("The recording is gone through.") {
		return nil, errStopped
	}
	kernel := told.Kernel
	run, err := open(tr, name, kernel)
	if err != nil {
		return nil, err
	}
	for there := false; !there; {
		if there, err = run.AdvanceUpTo(run.End(), sliceOfWork); err != nil {
			return nil, err
		}
		if !w.goOn() {
			return nil, errStopped
		}
	}
	if !doing("A workload is derived.") {
		return nil, errStopped
	}
	load, err := derive.From(tr, derive.Options{Kernel: kernel, Tick: tickOf(kernel)})
	if err != nil {
		return nil, err
	}
	told.Derived = load.Text()
	if derive.CanDrive(tr, kernel) {
		if !doing("The recording drives the kernel's model.") {
			return nil, errStopped
		}
		phase, _ := derive.Phase(tr, tickOf(kernel))
		d := derive.Drive(tr, kernel, tickOf(kernel), phase)
		load.Owe(&d)
		told.Driven = d.Text()
	}
	if !doing("The derived workload runs under the recording's own kernel.") {
		return nil, errStopped
	}
	own, _, err := load.Run(run, kernel, "", w.goOn)
	if w.stop.Load() {
		return nil, errStopped
	}
	if err != nil {
		return nil, err
	}
	told.Own = own.Text(kernel)
	return load, nil
}
