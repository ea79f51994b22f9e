package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/compare"
	"strandscope/sim/console"
	"strandscope/sim/machine"
	"strandscope/web/control"
	"strandscope/web/proto"
)

// still is a run of which only the time changes.
type still struct{ now clock.Time }

func (s *still) Set(key, _ string) error {
	if key != "class" {
		return errors.New("setting " + key + " is not known")
	}
	s.now = 0
	return nil
}
func (s *still) Reset() error                               { s.now = 0; return nil }
func (s *still) SeekUpTo(t clock.Time, _ int) (bool, error) { s.now = t; return true, nil }
func (s *still) StepDecisionBack() error                    { return nil }
func (s *still) RunTo(_ sim.Condition, t clock.Time, _ int) (sim.Outcome, error) {
	s.now = t
	return sim.Outcome{Result: sim.AtLimit, At: t}, nil
}
func (s *still) Do(string) (string, error)                     { return "", nil }
func (s *still) Type(string)                                   {}
func (s *still) Interrupt()                                    {}
func (s *still) Remark(string)                                 {}
func (s *still) Complete(line string) []string                 { return []string{line + "t"} }
func (s *still) Shell() *console.Console                       { return nil }
func (s *still) Rebooted() bool                                { return false }
func (s *still) Typed() []sim.Setting                          { return nil }
func (s *still) Now() clock.Time                               { return s.now }
func (s *still) Step() error                                   { s.now += clock.Time(10 * clock.Millisecond); return nil }
func (s *still) AdvanceUpTo(t clock.Time, _ int) (bool, error) { s.now = t; return true, nil }
func (s *still) Look(sim.Look)                                 {}
func (s *still) Plotting() bool                                { return false }
func (s *still) PlotNext() error                               { return nil }
func (s *still) Choices() sim.Choices                          { return sim.Choices{} }
func (s *still) WhyStrand(int) sim.Answer                      { return sim.Answer{} }
func (s *still) WhyAt(cpu int, at clock.Time) sim.Answer {
	return sim.Answer{Title: fmt.Sprintf("cpu%d at %v", cpu, at)}
}
func (s *still) Undo() (sim.Changed, error) { return sim.Changed{}, errors.New("nothing to undo") }
func (s *still) Redo() (sim.Changed, error) { return sim.Changed{}, errors.New("nothing to redo") }
func (s *still) Undoable() string           { return "" }
func (s *still) Redoable() string           { return "" }
func (s *still) WhyThread(int) sim.Answer   { return sim.Answer{} }
func (s *still) Compared() compare.Figures  { return compare.Figures{Now: s.now} }
func (s *still) KeepSums() error            { return nil }
func (s *still) Facts() sim.RunFacts        { return sim.RunFacts{Scenario: "still"} }
func (s *still) Frame() *sim.Frame {
	m, _ := machine.Find("t2000")
	return &sim.Frame{Now: s.now, Machine: m, CPUs: make([]sim.CPU, 32)}
}

// wordy is a screen on which a click at x hits strand x.
type wordy struct{}

func (wordy) Height(*sim.Frame, *act.View) int { return 600 }
func (wordy) Hit(x, _ int, _ *sim.Frame, _ *act.View) act.Command {
	if x > 99 {
		return nil
	}
	return act.Select{Selection: act.Selection{Kind: act.StrandSelection, CPU: x}}
}

func (wordy) Under(x, _ int, _ *sim.Frame, _ *act.View) act.Selection {
	return act.Selection{Kind: act.StrandSelection, CPU: x}
}
func (wordy) Look(*sim.Frame, *act.View, clock.Time) sim.Look { return sim.Look{} }
func (wordy) LookBeside(*sim.Frame, *act.View, clock.Time) sim.Look {
	return sim.Look{}
}

// SideAt says that the right side begins at 400.
func (wordy) SideAt(x, _ int, _ *sim.Frame, _ *act.View) bool { return x >= 400 }

// PointAt says that below 500 lies the timeline, in which x is a time.
func (wordy) PointAt(x, y int, _ *sim.Frame, _ *act.View) act.Pointing {
	return act.Pointing{On: y > 500, CPU: 3, At: clock.Time(x)}
}

func (wordy) Key(key string, shift bool, _ *sim.Frame, v *act.View) act.Command {
	if key == "0" {
		return act.Follow{}
	}
	if v.Cursor.On && shift {
		return act.Point{Cursor: sim.Cursor{On: true, CPU: 9}}
	}
	return nil
}

func (wordy) Drag(in *proto.Input, _ *sim.Frame, _ *act.View) act.Command {
	if !in.On {
		return act.Band{From: clock.Time(in.FromX), To: clock.Time(in.X)}
	}
	return act.Zoom{From: clock.Time(in.FromX), To: clock.Time(in.X) * 1000}
}

func (wordy) Wheel(_, _, notches int, _ *sim.Frame, _ *act.View) act.Command {
	return act.Follow{Last: clock.Duration(notches) * clock.Second}
}
func (wordy) Describe(*sim.Frame, *act.View) string { return "words" }
func (wordy) Panels(*sim.Frame, *act.View) []proto.Panel {
	return []proto.Panel{{ID: "strands", Title: "Strands", Words: "words", Shown: true}}
}
func (wordy) Cells(*sim.Frame, *act.View) []proto.Cell { return []proto.Cell{{CPU: 3, Busy: true}} }

type bench struct {
	*App
	told []map[string]any
	t    time.Duration
	size [2]int // of the canvas
}

func newBench(t *testing.T) *bench {
	t.Helper()
	state, err := control.New(control.Opener{Open: func(string) (control.Run, error) { return &still{}, nil }}, "x")
	require.NoError(t, err)
	b := &bench{t: 1, size: [2]int{800, 600}}
	b.App = New(state, wordy{}, func(text []byte) {
		var m map[string]any
		require.NoError(t, json.Unmarshal(text, &m))
		b.told = append(b.told, m)
	}, func() time.Duration { return b.t })
	b.Layout(800, 600)
	return b
}

// frame runs one frame as Ebitengine does.
func (b *bench) frame() {
	b.t += 16 * time.Millisecond
	b.Update()
	if b.Wants() {
		b.Begin(b.size[0], b.size[1])
		b.Drawn()
	}
}

func (b *bench) last() map[string]any { return b.told[len(b.told)-1] }

func TestAtFirstThePageHearsTheWholeState(t *testing.T) {
	b := newBench(t)
	b.frame()
	require.Len(t, b.told, 1)
	assert.Equal(t, true, b.last()["idle"])
	assert.EqualValues(t, 0, b.last()["seq"])
	assert.Contains(t, b.last(), "scenario")
}

func TestWhenNothingChangesTheProgramWaitsInsideUpdate(t *testing.T) {
	b := newBench(t)
	b.frame()
	returned := make(chan struct{})
	go func() { b.Update(); close(returned) }()
	select {
	case <-returned:
		t.Fatal("Update returned though nothing had changed")
	case <-time.After(20 * time.Millisecond):
	}
	b.Receive(`{"v":1,"n":1,"cmd":"theme","name":"light"}`)
	<-returned
	assert.True(t, b.Wants())
	b.Drawn()
	assert.Equal(t, "light", b.last()["theme"])
	assert.EqualValues(t, 2, b.last()["draws"])
}

func TestARunThatMovesReportsAFewTimesASecond(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":1,"cmd":"play"}`)
	for range 63 { // one second
		b.frame()
	}
	assert.GreaterOrEqual(t, len(b.told), 5)
	assert.LessOrEqual(t, len(b.told), 11)
}

func TestARefusedMessageIsAnsweredAndTheRunGoesOn(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":1,"cmd":"play"}`)
	b.frame()
	b.Receive(`{"v":1,"n":2,"cmd":"fly"}`)
	b.frame()
	assert.Contains(t, b.last()["error"], `Message: cmd "fly" is not known`)
	assert.Equal(t, true, b.last()["playing"])
	assert.EqualValues(t, 2, b.last()["seq"])
}

func TestOutOfViewTheRunGoesOnUnpainted(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":1,"cmd":"play"}`)
	b.Receive(`{"v":1,"cmd":"input","kind":"view","on":false}`)
	for range 63 {
		b.frame()
	}
	assert.EqualValues(t, 0, b.last()["draws"])
	assert.NotEqual(t, "0", b.last()["nowNs"])
	b.Receive(`{"v":1,"cmd":"input","kind":"view","on":true}`)
	b.frame()
	assert.EqualValues(t, 1, b.draws)
}

// A tab that nobody sees draws nothing, whatever it is told meanwhile: the program
// waits inside Update until it is shown again.
func TestHiddenNothingIsPaintedUntilItIsShownAgain(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":1,"cmd":"play"}`)
	b.frame()
	returned := make(chan struct{})
	b.Receive(`{"v":1,"n":2,"cmd":"show","visible":false}`)
	b.Receive(`{"v":1,"n":3,"cmd":"theme","name":"light"}`)
	go func() { b.Update(); close(returned) }()
	select {
	case <-returned:
		t.Fatal("Update returned to paint what nobody sees")
	case <-time.After(50 * time.Millisecond):
	}
	b.Receive(`{"v":1,"n":4,"cmd":"show","visible":true}`)
	<-returned
	assert.True(t, b.Wants(), "at once")
}

// The message of a resize may wake an Update that began with the old canvas.
func TestACanvasOfANewSizeIsPaintedEvenIfThePageSaidSoBefore(t *testing.T) {
	b := newBench(t)
	b.frame()
	b.Receive(`{"v":1,"cmd":"resize","width":800,"height":500,"scale":1000}`)
	b.frame() // still on the canvas of 600
	assert.Equal(t, []any{800.0, 600.0}, b.last()["pixels"])
	b.size[1] = 500
	b.Layout(800, 500)
	b.frame()
	assert.EqualValues(t, 3, b.draws)
	assert.Equal(t, []any{800.0, 500.0}, b.last()["pixels"])
	b.Layout(800, 500)
	assert.False(t, b.Wants(), "once is enough")
}

func TestBlindTheRunGoesOnInWords(t *testing.T) {
	b := newBench(t)
	b.Blind()
	b.Receive(`{"v":1,"n":1,"cmd":"play"}`)
	for range 63 {
		b.frame()
	}
	assert.Equal(t, false, b.last()["picture"])
	assert.Equal(t, "words", b.last()["text"])
	assert.NotEqual(t, "0", b.last()["nowNs"])
	assert.Equal(t, true, b.last()["idle"])
}

func TestSeekIsIdleOnlyOnArrival(t *testing.T) {
	b := newBench(t)
	b.frame()
	b.Receive(`{"v":1,"n":1,"cmd":"seek","atNs":"10000000000"}`)
	b.frame()
	assert.Equal(t, "10000000000", b.last()["nowNs"])
	assert.Equal(t, true, b.last()["idle"])
	assert.Equal(t, false, b.last()["playing"])
}

func TestTapsAndKeysChooseStrands(t *testing.T) {
	b := newBench(t)
	strand := func() int { return int(b.last()["selected"].(map[string]any)["strand"].(float64)) }
	for _, step := range []struct {
		text string
		want int
	}{
		{`"kind":"tap","x":5,"y":1`, 5},
		{`"kind":"key","key":"ArrowRight"`, 6},
		{`"kind":"key","key":"ArrowDown"`, 10},
		{`"kind":"key","key":"ArrowUp"`, 6},
		{`"kind":"key","key":"End"`, 31},
		{`"kind":"key","key":"ArrowRight"`, 31},
		{`"kind":"key","key":"Home"`, 0},
		{`"kind":"key","key":"ArrowLeft"`, 0},
		{`"kind":"key","key":"Escape"`, -1},
		{`"kind":"key","key":"ArrowLeft"`, 0},
		{`"kind":"tap","x":100,"y":1`, -1},
	} {
		b.Receive(`{"v":1,"cmd":"input",` + step.text + `}`)
		b.frame()
		assert.Equal(t, step.want, strand(), step.text)
	}
}

func TestAPointerThatStaysOnOneStrandPaintsOnce(t *testing.T) {
	b := newBench(t)
	b.frame()
	b.Receive(`{"v":1,"cmd":"input","kind":"hover","x":5,"y":1}`)
	b.frame()
	assert.EqualValues(t, 2, b.draws)
	b.take()
	b.Receive(`{"v":1,"cmd":"input","kind":"hover","x":5,"y":9}`)
	b.take()
	assert.False(t, b.Wants())
}

func TestCellsAreTold(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"cmd":"cells"}`)
	b.frame()
	assert.Equal(t, "cells", b.told[0]["type"])
}

func TestTheTimelineHearsDragsTheWheelAndKeys(t *testing.T) {
	b := newBench(t)
	b.frame()
	send := func(rest string) *act.View {
		b.Receive(`{"v":1,"cmd":"input",` + rest + `}`)
		b.frame()
		return &b.State.View
	}
	drag := `"kind":"drag","fromX":5,"fromY":6,"x":9,"y":6,"dx":1,"shift":true,"done":`
	assert.Equal(t, act.Band{From: 5, To: 9}, send(drag+"false").Band)
	assert.Equal(t, act.Range{Kind: act.Fixed, From: 5, To: 9000}, send(drag+"true").Timeline)
	assert.Equal(t, act.Range{Last: 4 * clock.Second}, send(`"kind":"turn","x":1,"y":1,"notches":4`).Timeline)
	assert.Equal(t, act.Range{Kind: act.Whole}, send(`"kind":"key","key":"0"`).Timeline)
	assert.Equal(t, "whole", b.last()["range"].(map[string]any)["kind"])

	assert.Equal(t, act.Pointing{On: true, CPU: 3, At: 7}, send(`"kind":"hover","x":7,"y":501`).Pointing)
	assert.False(t, send(`"kind":"leave"`).Pointing.On)
	v := send(`"kind":"tap","x":0,"y":501`)
	assert.Equal(t, sim.Cursor{On: true, CPU: 3}, v.Cursor, "a tap leaves the cursor there")
	assert.Equal(t, 9, send(`"kind":"key","key":"ArrowRight","shift":true`).Cursor.CPU)
	assert.False(t, send(`"kind":"tap","x":0,"y":5`).Cursor.On, "and one elsewhere takes it away")
}

func TestARangeThatMakesNoSenseIsRefusedInWords(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":1,"cmd":"zoom","fromNs":"9","toNs":"9"}`)
	b.frame()
	assert.Equal(t, "Zoom: to is 0 ns after from, want 1000 ns or more.", b.last()["error"])
	assert.Equal(t, act.Range{}, b.State.View.Timeline)
}

func TestACompletionIsAnsweredByItsNumber(t *testing.T) {
	b := newBench(t)
	b.Receive(`{"v":1,"n":9,"cmd":"complete","text":"vmsta"}`)
	b.frame()
	require.Len(t, b.told, 2)
	assert.Equal(t, map[string]any{"v": 1.0, "type": "offers", "n": 9.0, "text": "vmsta", "words": []any{"vmstat"}, "more": 0.0}, b.told[0])
	assert.EqualValues(t, 9, b.last()["seq"])
	assert.Contains(t, b.last(), "console")
}
