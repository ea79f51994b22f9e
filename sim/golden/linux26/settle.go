package linux26

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/golden"
	"strandscope/sim/sched"
)

// settle lets what runs on a CPU act until it needs time (README, conventions).
func (r *run) settle(c int, phase string) {
	for {
		if r.m.needResched(c) {
			r.schedule(c, phase)
			continue
		}
		id := r.m.current(c)
		if id == none || !r.act(c, id) {
			return
		}
	}
}

// act does what the current task does without time; false: nothing.
func (r *run) act(c int, id sched.ThreadID) bool {
	t := &r.tasks[id]
	switch t.kind {
	case "sleeper", "iosleeper":
		if t.remaining > 0 {
			return false
		}
		on := t.wakeCPU
		if on < 0 {
			on = c
		}
		r.arm(on, r.jiffy+t.sleep, id)
		r.m.sleep(id, t.kind == "iosleeper")
		r.schedule(c, "S")
	case "mortal":
		if t.remaining > 0 {
			return false
		}
		r.exit(c, id)
	case "forker":
		return r.actForker(c, id)
	case "partner":
		if t.remaining > 0 {
			return false
		}
		r.actPartner(c, id)
	case "yielder":
		if t.pending <= 0 {
			return false
		}
		t.pending--
		r.m.yield(c)
		r.schedule(c, "Y")
	default:
		return false
	}
	return true
}

func (r *run) arm(c int, at int64, id sched.ThreadID) {
	r.timer[c] = append(r.timer[c], timer{})
	l := r.timer[c]
	i := len(l) - 1
	for ; i > 0 && l[i-1].at > at; i-- {
		l[i] = l[i-1]
	}
	l[i] = timer{at, id}
}

func (r *run) exit(c int, id sched.ThreadID) {
	r.exits++
	r.put("exits.csv", "%d,%d,%d,%s", r.jiffy, c, r.pid(id), r.m.exitRow(id, func() { r.m.exit(id) }))
	r.tasks[id].gone = true
	r.schedule(c, "X")
}

func (r *run) actForker(c int, id sched.ThreadID) bool {
	t := &r.tasks[id]
	f := r.forker(t.pid)
	if t.forked >= f.Children {
		r.m.sleep(id, false)
		r.schedule(c, "S")
		return true
	}
	if t.quota <= 0 {
		return false
	}
	t.quota--
	d := t.definition
	d.pid, d.kind, d.burst, d.sleep, d.peer, d.sync = f.First+t.forked, f.ChildKind, f.ChildBurst, 0, -1, false
	d.startCPU, d.wakeCPU = -1, -1
	t.forked++
	r.forks++
	child := r.add(d, id)
	r.m.fork(child, id)
	r.m.wakeNew(child, c)
	r.put("forks.csv", "%d,%d,%d,%d,%s", r.jiffy, c, r.pid(id), d.pid, r.m.forked(child, id, c))
	return true
}

func (r *run) actPartner(c int, id sched.ThreadID) {
	t := &r.tasks[id]
	peer := r.ids[t.peer]
	p := &r.tasks[peer]
	if p.waiting {
		p.waiting, p.remaining = false, p.burst
		r.partnerWakes++
		r.wake(peer, c, "pwake", t.sync)
	} else {
		p.token = true
	}
	if t.token {
		t.token, t.remaining = false, t.burst
		return
	}
	t.waiting = true
	r.m.sleep(id, false)
	r.schedule(c, "S")
}

// --- states ---

// findPeriod takes from the recorded rows how far apart they are, which is not said
// elsewhere; 0 without any.
func (r *run) findPeriod() error {
	f, err := golden.Open(r.path + ".state.csv")
	if err != nil {
		return nil //nolint:nilerr // larger runs have none
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if cell, _, _ := strings.Cut(s.Text(), ","); cell != "jiffy" {
			n, err := strconv.ParseInt(cell, 10, 64)
			if err != nil {
				return fmt.Errorf("%s.state.csv: %w", r.path, err)
			}
			r.period = n - r.s.Build.StartJiffy
			return nil
		}
	}
	return s.Err()
}

func (r *run) stateRows() {
	if r.all["state_fnv1a64"] != nil {
		r.m.state(r.stateHash, r.jiffy, "")
	}
	if r.period > 0 && (r.jiffy-r.s.Build.StartJiffy)%r.period == 0 {
		r.m.state(r.out["state.csv"], r.jiffy, ",")
	}
}

// --- totals ---

func (r *run) taskRow(id sched.ThreadID) {
	t := &r.tasks[id]
	var total int64
	cpus := ""
	for _, n := range t.ticks {
		total += n
		cpus += "," + strconv.FormatInt(n, 10)
	}
	sync, running := 0, 0
	if t.sync {
		sync = 1
	}
	if r.m.running(id) {
		running = 1
	}
	queued := r.m.queued(id)
	if t.gone {
		queued = -2
	}
	r.put("tasks.csv", "%d,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d%s,%s,%d,%d,%d,%d,%d", t.pid, t.kind, t.policy, t.rtPri, t.nice, t.burst, t.sleep,
		t.startCPU, t.wakeCPU, t.peer, sync, t.born, total, cpus, r.m.final(id), r.m.cpuOf(id), running, queued, t.dispatches, t.migrations)
}

// totals are the members of summary.json that are results.
func (r *run) totals() map[string]any {
	hist := map[string]int64{}
	for l, n := range r.latency {
		hist[strconv.FormatInt(l, 10)] = n
	}
	balance, queues := []map[string]any{}, []map[string]any{}
	for c := range r.s.CPUs {
		balance = append(balance, r.m.balanceTotals(c))
		queues = append(queues, r.m.queues(c))
	}
	return map[string]any{
		"schedule_calls": r.calls, "context_switches": r.switches, "array_switches": r.swaps, "ipis": r.sent,
		"timer_wakeups": r.timerWakes, "partner_wakeups": r.partnerWakes, "pulled_tasks": r.pulled, "forks": r.forks, "exits": r.exits,
		"decision_fnv1a64": fmt.Sprintf("%016x", r.hash.Sum64()), "state_fnv1a64": fmt.Sprintf("%016x", r.stateHash.Sum64()),
		"kstat_user": r.user, "kstat_nice": r.nice, "balance": balance, "queues_final": queues,
		"latency_ticks_hist": hist, "latency_ticks_max": r.mostLatency,
		"tasks": len(r.tasks), "sum_task_ticks": r.user + r.nice, "idle_ticks": r.idle,
	}
}

// --- loads ---

// sampleLoad writes the load sample of this jiffy, if there is one.
func (r *run) sampleLoad() {
	every := 5 * r.s.Build.HZ
	first := every + 1
	if r.cfs() {
		every, first = first, first+1
	}
	if r.jiffy < first || (r.jiffy-first)%every != 0 {
		return
	}
	n := r.m.active()
	r.load.Filter(uint64(n))
	a := r.load.Raw()
	r.put("load.csv", "%d,%d,%d,%d,%d,%s", r.jiffy, n, a[0], a[1], a[2], r.load.String())
}

func (r *run) cfs() bool { return strings.HasPrefix(r.s.Build.Kernel, "2.6.24") }
