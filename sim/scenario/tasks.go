package scenario

import (
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/machine"
	"strandscope/sim/order"
	"strandscope/sim/sched"
	"strandscope/sim/workload"
)

func (s *Scenario) readTasks(v value) error {
	ms, err := v.members()
	if err != nil {
		return err
	}
	programs := map[string]*workload.Program{}
	var later []func() error
	var made []*builder
	for _, m := range ms {
		t, b, err := s.readTask(m)
		if err != nil {
			return err
		}
		programs[t.Name] = t.Program
		for _, r := range b.forks {
			later = append(later, func() error { return r.resolve(t.Program, programs) })
		}
		for _, r := range b.wakes {
			later = append(later, func() error { return r.known(programs) })
		}
		b.base = t
		made = append(made, b)
		if t.Instance > 0 {
			s.Tasks = append(s.Tasks, t)
		}
	}
	for _, resolve := range later {
		if err := resolve(); err != nil {
			return err
		}
	}
	countBarriers(made)
	return nil
}

// countBarriers lets each barrier wait for all who come to it: every task that names
// it, times its instances (RTAPP.md §3).
func countBarriers(made []*builder) {
	users := map[string]int64{}
	for _, b := range made {
		for _, name := range slices.Compact(order.Strings(slices.Clone(b.barriers))) {
			users[name] += int64(b.base.Instance)
		}
	}
	for _, b := range made {
		steps := b.base.Program.Steps
		for i := range steps {
			if steps[i].Op == workload.Barrier {
				steps[i].Count = max(1, users[steps[i].Name])
			}
		}
	}
}

// Change is what a phase asks of the scheduler when it begins. Step is where in the
// program it does; its parameters are those of As.
type Change struct {
	Step int
	As   Task
}

// resolve gives the fork its child's program.
func (r forkRef) resolve(p *workload.Program, programs map[string]*workload.Program) error {
	if err := r.known(programs); err != nil {
		return err
	}
	p.Steps[r.step].Child = programs[r.name]
	return nil
}

func (r forkRef) known(programs map[string]*workload.Program) error {
	if _, ok := programs[r.name]; !ok {
		return r.at.errorf("%q is no task%s", r.name, hint(r.name, programs, nil))
	}
	return nil
}

// rootProject is user.root, the project of what root starts by hand.
const rootProject = 1

func (s *Scenario) readTask(m member) (Task, *builder, error) {
	t := Task{Name: m.name, Instance: 1, CPU: sched.NoCPU, Project: rootProject}
	loop := -1
	policy := s.defaultPolicy
	priority := 0
	hasPriority := false
	b := &builder{spins: true, name: m.name}
	var own []member   // events directly in the task
	var phases []value // more than one if the member is repeated
	var delay, slice int
	err := m.val.read(fields{
		"instance":   intoInt(&t.Instance, 0, MaxThreads),
		"delay":      intoInt(&delay, 0, maxMicroseconds),
		"loop":       intoInt(&loop, -1, 1<<40),
		"policy":     intoName(&policy),
		"priority":   func(v value) error { hasPriority = true; return intoInt(&priority, -60, 99)(v) },
		"nice":       intoInt(&t.Nice, -20, 19),
		"slice":      intoInt(&slice, 1, 1_000_000),
		"lag":        intoInt(&t.Lag, -maxLag, maxLag),
		"project":    intoInt(&t.Project, 0, 1<<20),
		"pset":       intoInt(&t.Set, 0, 1<<20),
		"cpus":       t.readCPUs,
		"cpi":        t.readCPI,
		"probe":      intoBool(&t.Probe),
		"tickets":    intoInt(&t.Tickets, 1, 1_000_000_000),
		"phases":     func(v value) error { phases = append(phases, v); return nil },
		"exec":       noted("old form of rt-app, left out"),
		"dl-runtime": intoInt(&slice, 1, 1_000_000), "dl-period": noted(noDeadline), "dl-deadline": noted(noDeadline),
		"period": noted(noDeadline), "deadline": noted(noDeadline),
		"util_min": noted(noUtil), "util_max": noted(noUtil), "taskgroup": noted("left out: control groups are not modelled"),
		"nodes_membind": noted("left out: memory is not modelled"),
	}, func(m member) (bool, error) {
		if findEvent(m.name) == nil {
			return false, nil
		}
		own = append(own, m)
		return true, nil
	}, eventNames...)
	if err != nil {
		return t, nil, err
	}
	if loop == 0 {
		return t, nil, m.val.under("loop").errorf(noLoop)
	}
	t.Delay = clock.Duration(delay) * clock.Microsecond
	t.Slice = clock.Duration(slice) * clock.Microsecond
	if err := t.setPolicy(policy, priority, hasPriority, m.val); err != nil {
		return t, nil, err
	}
	b.base = t
	if err := b.build(m.val, own, phases, int64(loop)); err != nil {
		return t, nil, err
	}
	return t, b, b.finish(&t, m.val)
}

const (
	noDeadline = "left out: no class here has run times, periods and deadlines"
	noUtil     = "left out: clock rates are not modelled"
)

// maxLag is what a task may be owed: a quarter of an hour, in ns.
const maxLag = 1_000_000_000_000

// noted reads a key that has no effect here.
func noted(why string) func(value) error {
	return func(v value) error { v.note("%s", why); return nil }
}

// build fills in the program. A task without phases is one phase, and then loop
// is the loop of that phase.
func (b *builder) build(task value, own []member, phases []value, loop int64) error {
	var err error
	b.Repeat(loop, func() {
		if len(phases) == 0 {
			err = b.events(own)
			return
		}
		if len(own) > 0 {
			err = task.errorf("events beside phases: %s", own[0].name)
			return
		}
		for _, v := range phases {
			if err == nil {
				err = b.phases(v)
			}
		}
	})
	return err
}

// noLoop refuses a loop of no passes.
const noLoop = "0, want -1 (for ever) or 1 and more"

func (b *builder) phases(v value) error {
	ms, err := v.members()
	if err != nil {
		return err
	}
	cpu := b.base.CPU
	for _, m := range ms {
		loop := 1
		var evs []member
		var as phaseParams
		err := m.val.read(fields{
			"loop":   intoInt(&loop, -1, 1<<40),
			"policy": intoName(&as.policy), "cpus": as.readCPUs(b.base.CPU),
			"priority":   func(v value) error { as.given = true; return intoInt(&as.priority, -60, 99)(v) },
			"dl-runtime": noted(noDeadline), "dl-period": noted(noDeadline), "dl-deadline": noted(noDeadline),
			"util_min": noted(noUtil), "util_max": noted(noUtil),
		}, func(e member) (bool, error) {
			if findEvent(e.name) == nil {
				return false, nil
			}
			evs = append(evs, e)
			return true, nil
		}, eventNames...)
		if err != nil {
			return err
		}
		if loop == 0 {
			return m.val.under("loop").errorf(noLoop)
		}
		want := b.base.CPU // a phase without cpus returns to the task's
		if as.bind {
			want = as.cpu
		}
		if err := b.become(&as, want, want != cpu, m.val); err != nil {
			return err
		}
		cpu = want
		b.Repeat(int64(loop), func() { err = b.events(evs) })
		if err != nil {
			return err
		}
	}
	if cpu != b.base.CPU || len(b.changes) > 0 {
		// The next pass begins as the first one did.
		return b.become(&phaseParams{again: len(b.changes) > 0}, b.base.CPU, cpu != b.base.CPU, v)
	}
	return nil
}

// phaseParams are what a phase asks of the scheduler.
type phaseParams struct {
	policy      string
	priority    int
	given, bind bool
	again       bool // back to the task's own
	cpu         int
}

func (p *phaseParams) readCPUs(standard int) func(v value) error {
	return func(v value) error {
		t := Task{CPU: standard}
		err := t.readCPUs(v)
		p.bind, p.cpu = true, t.CPU
		return err
	}
}

// become appends the step that changes parameters, if there is anything to change.
func (b *builder) become(p *phaseParams, cpu int, bind bool, v value) error {
	asked := p.policy != "" || p.given || p.again
	if !asked && !bind {
		return nil
	}
	if asked {
		as := b.base
		if !p.again {
			if err := as.setPolicy(p.policy, p.priority, p.given, v); err != nil {
				return err
			}
		}
		b.changes = append(b.changes, Change{b.Len(), as})
	}
	b.spins = false
	b.Do(workload.Instr{Op: workload.Become, Bind: bind, To: int32(cpu)})
	return nil
}

func (b *builder) events(ms []member) error {
	for _, m := range ms {
		if err := findEvent(m.name).do(b, m.val); err != nil {
			return err
		}
	}
	return nil
}

// finish turns what was built into the task's program. A program that does
// nothing but run, for ever, never comes back to the scheduler: it spins.
func (b *builder) finish(t *Task, v value) error {
	p, err := b.Program()
	if err != nil {
		return v.errorf("%v", err)
	}
	t.Program, t.Text, t.Changes = p, strings.Join(b.words, ", "), b.changes
	if last := len(p.Steps) - 1; b.spins && last >= 0 && p.Steps[last].Op == workload.Loop &&
		p.Steps[last].Count < 0 && p.Steps[last].To == 0 {
		t.Program, t.Text = workload.Forever, "spins"
	}
	if len(p.Steps) == 0 {
		return v.errorf("does nothing; give it run or sleep")
	}
	return nil
}

// readCPI reads cycles per instruction alone on a pipeline, such as 5.6.
func (t *Task) readCPI(v value) error {
	thousandths, err := v.decimal(int64(machine.MinCPI), int64(machine.MaxCPI))
	t.CPI = machine.CPI(thousandths)
	return err
}

func (t *Task) readCPUs(v value) error {
	list, err := v.list()
	if err != nil {
		return err
	}
	if len(list) != 1 {
		v.note("%d CPUs, read as any: a thread is bound to one CPU or to a processor set", len(list))
		t.CPU = sched.NoCPU
		return nil
	}
	n, err := list[0].integer(0, 4095)
	t.CPU = int(n)
	return err
}

// setPolicy reads rt-app's policies and the kernel's own class names. Priority
// is the nice value of SCHED_OTHER and the real-time priority of the others.
func (t *Task) setPolicy(policy string, priority int, given bool, v value) error {
	switch policy {
	case "", "SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE":
		if policy == "SCHED_BATCH" || policy == "SCHED_IDLE" {
			v.note("%s is read as SCHED_OTHER", policy)
		}
		if given {
			if priority < -20 || priority > 19 {
				return v.under("priority").errorf("%d, want a nice value from -20 to 19", priority)
			}
			t.Nice = priority
		}
		if policy != "" && policy != "SCHED_OTHER" {
			t.Mild = strings.TrimPrefix(policy, "SCHED_")
		}
	case "SCHED_FIFO", "SCHED_RR":
		if !given {
			priority = 10
		}
		if priority < 1 || priority > 99 {
			return v.under("priority").errorf("%d, want 1 to 99 with %s", priority, policy)
		}
		t.Class, t.Priority, t.Realtime = "RT", priority, strings.TrimPrefix(policy, "SCHED_")
	case "SCHED_DEADLINE":
		v.note("SCHED_DEADLINE is read as SCHED_FIFO of the highest priority: it comes before all others, and nothing limits it")
		t.Class, t.Priority, t.Realtime = "RT", 99, "FIFO"
	default:
		t.Class, t.Priority, t.Given = policy, priority, given
	}
	return nil
}

// Describe says in a few words what the threads of a task do.
func (t *Task) Describe() string { return fmt.Sprintf("%s × %d: %s", t.Name, t.Instance, t.Text) }
