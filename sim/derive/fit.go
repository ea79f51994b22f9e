package derive

import (
	fair "strandscope/sim/policy/linuxfair"
	"strandscope/sim/record"
)

// fitTries is how many lags are tried at most. One try is a replay of the recording: a
// quarter of a millisecond for two thousand records.
const fitTries = 6000

// fit looks for lags with which more choices agree: one thread's at a time is changed by a
// step of any order of magnitude, and a change stays that makes nothing worse. What looks
// like chance is a fixed sequence, so the same recording has the same fit.
func fit(tr *record.Trace, kernel string, tick, phase int64, lags []int64, best Driven) Driven {
	unfitted := best.Agree
	var who []int // threads of the fair class that were there at the beginning
	for i := range tr.Threads {
		if t := &tr.Threads[i]; !t.Born && (t.Prio < 0 || t.Prio >= 100) {
			who = append(who, i)
		}
	}
	tries := min(fitTries, 12_000_000/max(1, tr.Len()))
	seed := uint64(1)
	next := func(n uint64) uint64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return (seed >> 33) % n
	}
	for n := 0; n < tries && len(who) > 0 && best.agrees() < best.Choices+best.Kept; n++ {
		i := who[next(uint64(len(who)))]
		by := int64(1) << (8 + next(17)) // 256 ns to 16 ms
		by += int64(next(uint64(by)))
		if next(2) == 0 {
			by = -by
		}
		was := lags[i]
		lags[i] = owed(tr, i, tick, was+by)
		if d := drive(tr, kernel, tick, phase, lags); d.agrees() >= best.agrees() {
			best = d
		} else {
			lags[i] = was
		}
	}
	// What does not matter is nothing.
	for _, i := range who {
		for was := lags[i]; was != 0; was = lags[i] {
			lags[i] = was / 2
			d := drive(tr, kernel, tick, phase, lags)
			if d.agrees() < best.agrees() {
				lags[i] = was
				break
			}
			best = d
		}
	}
	best.Fitted, best.Unfitted, best.Lags = true, unfitted, lags
	return best
}

func (d *Driven) agrees() int { return d.Agree + d.KeptAgree }

// owed limits a lag as the kernel does: to a tick, in virtual time (entity_lag).
func owed(tr *record.Trace, i int, tick, lag int64) int64 {
	var e fair.Entity
	e.SetNice(niceOf(tr.Threads[i].Prio), false)
	most := e.Virtual(tick)
	return min(max(lag, -most), most)
}
