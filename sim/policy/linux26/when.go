package linux26

// jiffies turns ms into clock ticks, rounded up.
func jiffies(ms, hz int64) int64 { return (ms*hz + 999) / 1000 }

// Due is how many ticks apart a CPU balances, and whether it is time.
func (d *Domain) Due(now, hz int64, busy bool) (interval int64, due bool) {
	interval = d.Interval
	if busy {
		interval *= busyFactor
	}
	interval = max(1, jiffies(interval, hz))
	return interval, now >= d.Last+interval
}

// SoonIdle is when a CPU that found nothing balances next, but for the limit.
func (d *Domain) SoonIdle(hz int64) int64 { return d.Last + jiffies(d.Interval, hz) }

// Found notes the end of a balancing that found an imbalance.
func (d *Domain) Found(kind int, moved bool) {
	if moved {
		d.Failed = 0
	} else {
		d.Failures[kind]++
		if d.Failed++; d.Failed > CacheNiceTries+2 {
			// The kernel wakes the busiest CPU's migration thread here.
			d.Failed = CacheNiceTries + 1
		}
	}
	d.Interval = minInterval
}

// InBalance notes that nothing was to be done. pinned: every task was found tied to
// its CPU.
func (d *Domain) InBalance(kind int, pinned bool) {
	d.Balanced[kind]++
	d.Failed = 0
	if pinned && d.Interval < maxPinned || d.Interval < maxInterval {
		d.Interval *= 2
	}
}

// FoundNewlyIdle and InBalanceNewlyIdle are the same for a CPU that has just gone idle.
func (d *Domain) FoundNewlyIdle(moved bool) {
	if moved {
		d.Failed = 0
	} else {
		d.Failures[NewlyIdle]++
	}
}

// InBalanceNewlyIdle notes that there was nothing to pull.
func (d *Domain) InBalanceNewlyIdle() {
	d.Balanced[NewlyIdle]++
	d.Failed = 0
}

// Start begins with the shortest interval.
func (d *Domain) Start(now int64) { d.Interval, d.Last = minInterval, now }
