// Package solaris is the commands of Solaris 10 on the simulated machine. What
// they print follows shared/reference/solaris/FACTS.md §10; pages of man are in
// our own words.
package solaris

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"strandscope/sim/console"
	"strandscope/sim/sched"
)

// System is Solaris 10 on SPARC.
var System = &console.System{
	Name: "SunOS t2000 5.10 Generic sun4v sparc SUNW,Sun-Fire-T200",
	Intro: "This is the simulated machine's own shell, on Solaris 10. Time passes only while\n" +
		"a command waits, or while the animation runs.",
	Commands: []console.Command{
		dispadmin,
		priocntl,
		psrinfo,
		psrset,
		pbind,
		psradm,
		projects,
		newtask,
		prctl,
		vmstat,
		mpstat,
		prstat,
		ps,
		uptime,
		who,
		date,
		perlCommand,
		reboot,
		initCommand,
		shutdown,
	},
	Installed: installed,
}

// trying makes a command of a function that fails with an error.
func trying(run func(e *console.Env, args []string) error) func(e *console.Env, args []string) int {
	return func(e *console.Env, args []string) int {
		if err := run(e, args); err != nil {
			return e.Errorf("%s", reason(err))
		}
		return 0
	}
}

// numbers reads CPU ids: 4, 0-3, or several words of these.
func numbers(words []string, limit int) ([]int, error) {
	var ids []int
	for _, w := range words {
		from, to, isRange := strings.Cut(w, "-")
		lo, err := number(from, limit)
		if err != nil {
			return nil, err
		}
		hi := lo
		if isRange {
			if hi, err = number(to, limit); err != nil {
				return nil, err
			}
		}
		if hi < lo {
			return nil, fmt.Errorf("%q is an empty range", console.Shown(w))
		}
		for id := lo; id <= hi; id++ {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("which processor? none is named")
	}
	return ids, nil
}

func number(text string, limit int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= limit {
		return 0, fmt.Errorf("%q is no processor, there are 0 to %d", console.Shown(text), limit-1)
	}
	return n, nil
}

// each calls do for every thread found.
func each(m console.Machine, idtype string, ids []string, do func(t sched.ThreadID) error) error {
	found, err := m.Find(idtype, ids)
	if err != nil {
		return err
	}
	for _, t := range found {
		if err := do(t); err != nil {
			return err
		}
	}
	return nil
}
