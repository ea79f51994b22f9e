package linuxo1

// SliceOf is the full time slice, in ticks, of a static priority
// (static_prio_timeslice).
func SliceOf(static int32, hz int64) int32 {
	base := 100 * hz / 1000
	least := max(5*hz/1000, 1)
	if static < nicePrio {
		base *= 4
	}
	return int32(max(base*int64(prios-static)/20, least))
}

func (c *Core) slice(t *Task) int32 { return SliceOf(t.Static, c.HZ) }

// weigh sets the load weight (set_load_weight).
func (c *Core) weigh(t *Task) {
	if t.Policy != Normal {
		t.Weight = 1024 + int32(int64(t.RTPrio)*scale/(100*c.HZ/1000))
		return
	}
	t.Weight = int32(int64(c.slice(t)) * scale / (100 * c.HZ / 1000))
}

// Bonus is 0 to 10, by sleep_avg (CURRENT_BONUS).
func (c *Core) Bonus(t *Task) int64 {
	return t.SleepAvg / c.tick * maxBonus / c.HZ
}

// steps is a bonus as sleep_avg.
func (c *Core) steps(bonus int64) int64 { return bonus * c.HZ / maxBonus * c.tick }

// effective is the dynamic priority (effective_prio). A real-time task keeps its own.
func (c *Core) effective(t *Task) int32 {
	if t.Policy != Normal {
		return 99 - t.RTPrio
	}
	p := t.Static - int32(c.Bonus(t)) + maxBonus/2
	return min(max(p, firstPrio), prios-1)
}

// Delta is by how much priority must be better than static for a task to count as
// interactive (DELTA). The kernel's division truncates.
func Delta(static int32) int32 { return (static-nicePrio+20)*maxBonus/40 - maxBonus/2 + delta }

// Interactive reports whether a task counts as interactive (TASK_INTERACTIVE).
func Interactive(t *Task) bool { return t.Prio <= t.Static-Delta(t.Static) }

// Ceiling is the sleep_avg, in ns, that one long sleep is worth (INTERACTIVE_SLEEP).
func (c *Core) Ceiling(static int32) int64 {
	return (c.HZ*int64(maxBonus/2+Delta(static)+1)/maxBonus - 1) * c.tick
}

// Granularity is after how many ticks an interactive task goes to the tail of its
// list (TIMESLICE_GRANULARITY).
func (c *Core) Granularity(t *Task) int64 {
	g := max(10*c.HZ/1000, 1) << (max(maxBonus-c.Bonus(t), 1) - 1)
	return g * int64(c.Spread)
}

// credit adds a sleep that ends now to sleep_avg and returns the new priority
// (recalc_task_prio).
func (c *Core) credit(t *Task, now int64) int32 {
	if slept := now - t.Stamp; slept > 0 {
		ceiling := c.Ceiling(t.Static)
		if !t.Kernel && slept > ceiling && t.SleepAvg < ceiling {
			t.SleepAvg, t.Sleep = ceiling, sleepNoninteractive
		} else {
			if t.Sleep == sleepNoninteractive && !t.Kernel {
				if t.SleepAvg >= ceiling {
					slept = 0
				} else if t.SleepAvg+slept >= ceiling {
					t.SleepAvg, slept = ceiling, 0
				}
			}
			t.SleepAvg += slept
		}
		t.SleepAvg = min(t.SleepAvg, second)
	}
	return c.effective(t)
}

// ran is how much of sleep_avg a run of so many ns costs.
func (c *Core) ran(t *Task, run int64) int64 {
	return min(max(run, 0), second) / max(c.Bonus(t), 1)
}

// Starving reports whether expired tasks have waited too long (expired_starving).
func (c *Core) starving(cpu int) bool {
	q := &c.rq[cpu]
	if c.current(cpu).Static > q.bestExpired {
		return true
	}
	return q.expiredAt != 0 && c.Jiffies-q.expiredAt > c.HZ*int64(c.CPUs[cpu].NR)
}
