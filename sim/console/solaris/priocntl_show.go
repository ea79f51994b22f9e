package solaris

import (
	"fmt"
	"strconv"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

// headings of priocntl -d, in the order in which classes are shown (FACTS §10.6).
var headings = []struct{ class, title, columns string }{
	{"TS", "TIME SHARING PROCESSES:", "    PID    TSUPRILIM    TSUPRI"},
	{"FX", "FIXED PRIORITY PROCESSES:", "    PID    FXUPRILIM    FXUPRI      FXTQNTM"},
	{"IA", "INTERACTIVE CLASS PROCESSES:", "    PID    IAUPRILIM    IAUPRI    IAMODE"},
	{"FSS", "FAIR SHARING PROCESSES:", "    PID    FSSUPRILIM   FSSUPRI"},
	{"RT", "REAL TIME PROCESSES:", "    PID   RTPRI       TQNTM    TQSIG"},
}

// display is priocntl -d.
func display(e *console.Env, o *options) error {
	m := e.Machine
	idtype, ok := o.value('i')
	ids := o.rest
	if !ok {
		idtype = "pid"
	}
	if len(ids) == 0 && idtype != "all" {
		t, err := m.Shell()
		if err != nil {
			return reason(err)
		}
		p := m.Process(t)
		own := map[string]string{
			"pid": strconv.Itoa(int(p.PID)), "ppid": strconv.Itoa(int(p.PPID)), "class": p.Class, "name": p.Name,
			"projid": strconv.Itoa(p.Project), "psetid": strconv.Itoa(p.Set), "uid": "0",
		}[idtype]
		ids = []string{own}
	}
	found, err := m.Find(idtype, ids)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no such processes")
	}
	first := true
	for _, h := range headings {
		var rows []string
		for _, t := range found {
			if p := m.Params(t); p.Class == h.class {
				rows = append(rows, paramRow(m.Process(t).PID, p))
			}
		}
		if len(rows) == 0 {
			continue
		}
		if !first {
			e.Println("")
		}
		first = false
		e.Println(h.title)
		e.Println(h.columns)
		for _, r := range rows {
			e.Println(r)
		}
	}
	return nil
}

func paramRow(pid int32, p sched.Params) string {
	switch p.Class {
	case "RT":
		return fmt.Sprintf("%7d   %5d  %10s    %5d", pid, p.Priority, quantumText(p.Quantum), 0)
	case "FX":
		return fmt.Sprintf("%7d    %5d       %5d    %10s", pid, p.Limit, p.Priority, quantumText(p.Quantum))
	case "IA":
		mode := "off"
		if p.Boost > 0 {
			mode = "on"
		}
		return fmt.Sprintf("%7d    %5d       %5d       %s", pid, p.Limit, p.Priority, mode)
	}
	return fmt.Sprintf("%7d    %5d       %5d", pid, p.Limit, p.Priority)
}

// quantumText is a quantum in milliseconds.
func quantumText(ticks int) string {
	if ticks < 0 {
		return "INFINITE"
	}
	return strconv.Itoa(ticks * 1000 / hz)
}
