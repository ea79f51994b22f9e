package linux26

// Rule is how a kernel weighs.
type Rule struct {
	Scale uint64 // weight of a task of nice 0
	// Fuzz is added to a difference before it is held against one task's load.
	Fuzz uint64
	// Small returns a busiest CPU also where a move would gain no throughput, with
	// the imbalance found, which may be 0.
	Small bool
}

// sums are what the search gathers over all groups.
type sums struct {
	max, this, total uint64
	busiest          int
}

// Busiest finds the CPU to take tasks from and how much load, −1 if the CPUs count
// as balanced. CPUs that are out are left out.
func (r Rule) Busiest(cpus []CPU, this, kind int, out []bool) (busiest int, imbalance uint64) {
	busiest, imbalance = r.Group(cpus, this, kind, out)
	return Queue(cpus, busiest, imbalance), imbalance
}

// Queue is the run queue to take from in a busiest group of one CPU, −1 if its only
// task is heavier than the imbalance (find_busiest_queue).
func Queue(cpus []CPU, group int, imbalance uint64) int {
	if group < 0 || cpus[group].NR == 1 && cpus[group].Raw > imbalance || cpus[group].Raw == 0 {
		return -1
	}
	return group
}

// Group finds the busiest group of one CPU and the imbalance (find_busiest_group).
// The loads of CPUs that are out count as 0; out may be nil.
func (r Rule) Group(cpus []CPU, this, kind int, out []bool) (busiest int, imbalance uint64) {
	s := gather(cpus, this, loadIndex[kind], out)
	if s.busiest < 0 || s.this >= s.max {
		return -1, 0
	}
	avg := s.total / uint64(len(cpus))
	if s.this >= avg || 100*s.max <= imbalancePct*s.this {
		return -1, 0
	}
	b := &cpus[s.busiest]
	per := b.Raw / uint64(b.NR)
	if s.max <= per {
		return -1, 0
	}
	ok := true
	if s.max >= avg {
		// Not so much that the other one goes idle.
		imbalance = min(s.max-avg, s.max-per, avg-s.this)
	}
	if s.max < avg || imbalance < per {
		imbalance, ok = r.small(&s, &cpus[this], out != nil && out[this], per, imbalance)
	}
	if !ok {
		return -1, 0
	}
	return s.busiest, imbalance
}

func gather(cpus []CPU, this, index int, out []bool) sums {
	s := sums{busiest: -1}
	for i := range cpus {
		id := (this + i) % len(cpus)
		if out != nil && out[id] {
			continue
		}
		c := &cpus[id]
		if i == 0 {
			s.this = c.target(index)
			s.total += s.this
			continue
		}
		load := c.source(index)
		s.total += load
		if load > s.max && c.NR > 1 {
			s.max, s.busiest = load, id
		}
	}
	return s
}

// small decides whether to move one task where the imbalance is less than that.
func (r Rule) small(s *sums, this *CPU, gone bool, per, imbalance uint64) (uint64, bool) {
	own, tasks := r.Scale, uint64(2)
	if this.NR > 0 && !gone {
		if own = this.Raw / uint64(this.NR); per > own {
			tasks = 1
		}
	}
	if s.max-s.this+r.Fuzz >= per*tasks {
		return per, true
	}
	now := min(per, s.max) + min(own, s.this)
	moved := min(own, s.this+min(per, s.max))
	if s.max > per {
		moved += min(per, s.max-per)
	}
	if moved > now {
		return per, true
	}
	return imbalance, r.Small
}
