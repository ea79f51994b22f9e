package main

import (
	"bufio"
	"io"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/stats"
)

// listing returns a listing that writes each line at once, and what to call when
// all is written.
func listing(w io.Writer) (stats.Listing, func(err error) error) {
	b := bufio.NewWriter(w)
	var failed error
	l := stats.Listing{To: func(line string) {
		if failed == nil {
			_, failed = b.WriteString(line + "\n")
		}
	}}
	return l, func(err error) error {
		if failed == nil {
			failed = b.Flush()
		}
		if err == nil {
			err = failed
		}
		return err
	}
}

// writeMpstat prints the block since boot, then one for each interval.
func writeMpstat(view stats.MpstatView) func(io.Writer, *sim.Session, clock.Duration, int) error {
	return func(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error {
		l, done := listing(w)
		s.Mpstat(seconds, view, l)
		return done(s.Advance(span))
	}
}

// writePrstat prints a table at the end, or with an interval one at the
// beginning and one for each interval, as prstat -c does.
func writePrstat(view stats.PrstatView) func(io.Writer, *sim.Session, clock.Duration, int) error {
	return func(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error {
		l, done := listing(w)
		r := s.NewPrstat(seconds, view, l)
		if err := s.ResetWith(r); err != nil {
			return err
		}
		if seconds != atTheEnd {
			r.Print(s.Now())
		}
		err := s.Advance(span)
		if seconds == atTheEnd {
			r.Print(s.Now())
		}
		return done(err)
	}
}

// writeTop prints a screen at the end, over the whole run, or with an interval
// one for each, over that interval.
func writeTop(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error {
	l, done := listing(w)
	step := span
	if seconds != atTheEnd {
		step = clock.Duration(seconds) * clock.Second
	}
	var top sim.Top
	for left := span; left >= step; left -= step {
		if err := s.Advance(step); err != nil {
			return done(err)
		}
		for _, line := range top.Lines(s.Frame()) {
			l.To(line)
		}
		if step == 0 {
			break
		}
	}
	return done(nil)
}

func writeCorestat(w io.Writer, s *sim.Session, span clock.Duration, seconds int) error {
	l, done := listing(w)
	if err := s.ResetWith(s.NewCores(seconds, l)); err != nil {
		return err
	}
	return done(s.Advance(span))
}

func writeProjects(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	l, done := listing(w)
	p := s.NewProjects()
	if err := s.ResetWith(p); err != nil {
		return err
	}
	err := s.Advance(span)
	p.Report(&l, s.Now())
	return done(err)
}

func writeLatency(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	l, done := listing(w)
	x := s.NewLatency()
	if err := s.ResetWith(x); err != nil {
		return err
	}
	err := s.Advance(span)
	x.Report(&l)
	return done(err)
}

func writeSwitches(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	l, done := listing(w)
	x := s.NewSwitches()
	if err := s.ResetWith(x); err != nil {
		return err
	}
	err := s.Advance(span)
	x.Report(&l)
	return done(err)
}

func writeWaits(w io.Writer, s *sim.Session, span clock.Duration, _ int) error {
	l, done := listing(w)
	x := s.NewWaits()
	if err := s.ResetWith(x); err != nil {
		return err
	}
	err := s.Advance(span)
	x.Report(&l, s.Now())
	return done(err)
}
