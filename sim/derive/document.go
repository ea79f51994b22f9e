package derive

import (
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/jsonc"
)

// Document is the workload as a scenario for a kernel, on a machine: "" is one with as
// many CPUs as the recording has.
func (w *Workload) Document(title, kernel, machine string) []byte {
	if machine == "" {
		machine = Machine(w.CPUs)
	}
	b := []byte("{\n")
	b = field(b, "title", title)
	b = append(b, fmt.Sprintf("  \"source\": {\"title\": %s},\n", jsonc.Append(nil, "derived from a recording of "+w.opt.Kernel))...)
	b = field(b, "machine", machine)
	b = append(b, fmt.Sprintf("  \"scheduler\": {\"kernel\": %s},\n", jsonc.Append(nil, kernel))...)
	b = append(b, fmt.Sprintf("  \"global\": {\"duration\": %d},\n  \"tasks\": {", max(1, (w.Duration+w.Shift+999_999_999)/1_000_000_000))...)
	first := true
	for i := range w.Threads {
		t := &w.Threads[i]
		if len(t.Steps) == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, "\n    "...)
		b = append(jsonc.Append(b, t.Name), ": {"...)
		b = w.task(b, t, kernel)
		b = append(b, '}')
	}
	return append(b, "\n  }\n}\n"...)
}

func field(b []byte, key, text string) []byte {
	b = append(b, "  \""+key+"\": "...)
	return append(jsonc.Append(b, text), ",\n"...)
}

// Machine is the machine of so many CPUs.
func Machine(cpus int) string {
	if cpus == 1 {
		return "up"
	}
	return "smp" + strconv.Itoa(cpus)
}

// plain reports whether a kernel has no real-time class of that name.
func plain(kernel string) bool {
	return !strings.HasPrefix(kernel, "linux-") && kernel != "solaris10"
}

// binds reports whether a kernel knows tasks that may use one CPU only. Linux 2.2 does not,
// and on textbook machines nobody is bound.
func binds(kernel string) bool { return !plain(kernel) && !strings.HasPrefix(kernel, "linux-2.2") }

func (w *Workload) task(b []byte, t *Thread, kernel string) []byte {
	sep := ""
	put := func(format string, args ...any) {
		b = append(b, sep...)
		b = fmt.Appendf(b, format, args...)
		sep = ", "
	}
	if t.Forked {
		put(`"instance": 0`)
	}
	if t.Realtime > 0 && !plain(kernel) {
		p := t.Realtime
		if kernel == "solaris10" {
			p = min(p, 59) // the most that its class RT has
		}
		put(`"policy": "SCHED_FIFO", "priority": %d`, p)
	} else if t.Nice != 0 {
		put(`"nice": %d`, t.Nice)
	}
	if t.Owed != 0 && version(kernel) >= 0 && kernel == w.opt.Kernel {
		put(`"lag": %d`, t.Owed)
	}
	if t.Bound >= 0 && binds(kernel) {
		put(`"cpus": [%d]`, t.Bound)
	}
	if us := micros(t.From); us > 0 && !t.Forked {
		put(`"delay": %d`, us)
	}
	if len(t.Steps) == 1 && t.Steps[0].Kind == Spin {
		put(`"run": 1000000`)
		return b
	}
	put(`"loop": 1`)
	events := 0
	// Times are rounded to microseconds where they add up, so that no error does.
	var done, written int64
	last := micros(t.From)
	if t.Forked {
		last = -1 // its timer begins when it does, which is not known here
	}
	for i, s := range t.Steps {
		before := len(b)
		switch s.Kind {
		case Compute:
			done += s.Ns
			if us := micros(done) - written; us > 0 {
				written += us
				put(`"run%d": %d`, i, us)
			}
		case Until:
			at := micros(s.At + w.Shift)
			switch {
			case w.opt.Relative || last < 0 || s.Ns > 1<<50:
				put(`"sleep%d": %d`, i, max(1, micros(s.Ns)))
			default:
				put(`"timer%d": {"ref": "unique", "period": %d, "mode": "absolute"}`, i, max(1, at-last))
				last = max(at, last+1)
			}
		case Await:
			put(`"sem_wait%d": %s`, i, jsonc.Append(nil, t.Name))
		case Post:
			put(`"sem_post%d": %s`, i, jsonc.Append(nil, w.Threads[s.Other].Name))
		case Fork:
			put(`"fork%d": %s`, i, jsonc.Append(nil, w.Threads[s.Other].Name))
		case Exit:
		case Spin:
			put(`"run%d": 8000000000000`, i)
		case Block:
			put(`"suspend%d": ""`, i)
		}
		if len(b) > before {
			events++
		}
	}
	if events == 0 {
		put(`"run": 0`) // it ends at once
	}
	return b
}

func micros(ns int64) int64 { return (ns + 500) / 1000 }
