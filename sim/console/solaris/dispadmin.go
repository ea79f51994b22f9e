package solaris

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"strandscope/sim/console"
)

const dispadminUse = "dispadmin -l\ndispadmin -d [CLASS]\ndispadmin -c CLASS -g [-r RES]\ndispadmin -c CLASS -s FILE"

var dispadmin = console.Command{
	Name: "dispadmin", Synopsis: dispadminUse, Help: "shows and sets the default scheduling class and dispatch tables",
	Man: `-l lists the classes that are loaded.
-d tells the default class, which is what /etc/dispadmin.conf says: without that
file it is not set, and the kernel uses TS all the same. -d CLASS writes the
file. Processes keep their class until the machine boots, when the service
system/scheduler puts all of them into the class that the file names.
-c CLASS -g prints a class's dispatch table, with quanta in parts of a second
as -r says (1000: milliseconds). What it prints can be changed and given back
with -s FILE, to the running kernel: nothing of that survives a reboot. TS and
IA share one table; that of FSS is its quantum.`,
	Options:  []string{"-l", "-d CLASS", "-c CLASS", "-g", "-r RES", "-s FILE"},
	Complete: completeClasses,
	Run:      runDispadmin,
}

// confFile holds the default class.
const confFile = "/etc/dispadmin.conf"

var classTitles = map[string]string{
	"SYS": "System Class", "TS": "Time Sharing", "FX": "Fixed Priority", "IA": "Interactive", "FSS": "Fair Share", "RT": "Real Time",
}

func classLine(class string) string { return fmt.Sprintf("%s\t(%s)", class, classTitles[class]) }

// checkClass refuses a class that is not loaded.
func checkClass(m console.Machine, class string) error {
	if class == "SYS" || slices.Contains(classNames, class) && m.CheckClass(class) == nil {
		return nil
	}
	return fmt.Errorf("%s: class is not configured; want %s", console.Shown(class), strings.Join(classNames, ", "))
}

func runDispadmin(e *console.Env, args []string) int {
	// -d takes a class or nothing, so it is no option for getopt.
	if len(args) > 0 && args[0] == "-d" {
		return defaultClass(e, args[1:])
	}
	o, err := getopt(args, "ldc:gr:s:")
	switch {
	case err != nil || len(o.rest) > 0 || len(o.set) == 0:
		return misused(e, err, dispadminUse)
	case o.has('l') && len(o.set) == 1:
		e.Print("CONFIGURED CLASSES\n==================\n\n")
		for _, c := range append([]string{"SYS"}, classNames...) {
			e.Println(classLine(c))
		}
		return 0
	case !o.has('c') || o.has('g') == o.has('s') || o.has('l') || o.has('d'):
		return misused(e, nil, dispadminUse)
	}
	if err := dispadminTable(e, &o); err != nil {
		return e.Errorf("%s", err)
	}
	return 0
}

func dispadminTable(e *console.Env, o *options) error {
	class, _ := o.value('c')
	if err := checkClass(e.Machine, class); err != nil {
		return err
	}
	if class == "SYS" {
		return errors.New("class SYS has no dispatch table")
	}
	res := 1000
	if text, ok := o.value('r'); ok {
		var err error
		if res, err = integer("-r", text, 1, 1_000_000_000); err != nil {
			return err
		}
	}
	if o.has('g') {
		text, err := e.Machine.Table(class, res)
		if err == nil {
			e.Print(text)
		}
		return err
	}
	name, _ := o.value('s')
	text, ok := e.ReadFile(name)
	if !ok {
		return fmt.Errorf("cannot open %s: No such file or directory", console.Shown(name))
	}
	if err := e.Machine.SetTable(class, text); err != nil {
		return fmt.Errorf("%s: %w; nothing is changed", console.Shown(name), reason(err))
	}
	return nil
}

func defaultClass(e *console.Env, args []string) int {
	switch len(args) {
	case 0:
		class := configured(e)
		if class == "" {
			return e.Errorf("Default scheduling class is not set")
		}
		e.Println(classLine(class))
		return 0
	case 1:
		if err := checkClass(e.Machine, args[0]); err != nil || args[0] == "SYS" {
			if err == nil {
				err = errors.New("SYS: no class for processes")
			}
			return e.Errorf("%s", err)
		}
		if err := e.WriteFile(confFile, confText(args[0])); err != nil {
			return e.Errorf("%s: %s", confFile, err)
		}
		return 0
	}
	return misused(e, nil, dispadminUse)
}

func confText(class string) string {
	return "#\n# /etc/dispadmin.conf\n#\n# Written by dispadmin.\n#\nDEFAULT_SCHEDULER=" + class + "\n"
}

// configured is the class that the file names; "" where there is none, or none
// that can be used.
func configured(e *console.Env) string {
	text, _ := e.ReadFile(confFile)
	for _, l := range strings.Split(text, "\n") {
		if class, ok := strings.CutPrefix(strings.TrimSpace(l), "DEFAULT_SCHEDULER="); ok {
			if class = strings.TrimSpace(class); class != "SYS" && checkClass(e.Machine, class) == nil {
				return class
			}
		}
	}
	return ""
}

// installed is what the disk holds from the first.
func installed(m console.Machine) [][2]string {
	if class := m.DefaultClass(); class != "" {
		return [][2]string{{confFile, confText(class)}}
	}
	return nil
}
