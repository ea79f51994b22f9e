package linux22

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strandscope/sim/clock"
	"strandscope/sim/console"
)

// What the kernel makes up below /proc, in the form of 2.2
// (shared/reference/linux22/FACTS.md §13, §14). Decoration stands where the model
// has no figure.

// procFiles are those of the whole machine, in order.
var procFiles = []string{"cpuinfo", "loadavg", "meminfo", "stat", "uptime", "version"}

// oldVersion is /proc/version of a 2.2 kernel. When it was built is decoration.
func oldVersion(release string) string {
	return console.Decorate("Linux version "+release+" (root@box) (gcc version egcs-2.91.66 19990314/Linux (egcs-1.1.2 release)) #1 SMP Sun May 9 21:14:03 CEST 1999") + "\n"
}

// read gives the text of a file below /proc, but version, which differs by kernel.
func read(e *console.Env, path string) (string, bool) {
	name, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return "", false
	}
	switch name {
	case "cpuinfo":
		return cpuinfo(e), true
	case "loadavg":
		return loadavg(e), true
	case "meminfo":
		return meminfo(), true
	case "stat":
		return kernelStat(e), true
	case "uptime":
		idle, _, _ := e.Machine.CPUTime(0)
		up := e.Machine.Boot().Up
		return hundredths(up+clock.Duration(e.Machine.Now())) + " " + hundredths(up+idle) + "\n", true
	}
	pid, file, _ := strings.Cut(name, "/")
	p, ok := processOf(e, pid)
	if !ok {
		return "", false
	}
	switch file {
	case "stat":
		return p.stat(), true
	case "status":
		return p.status(), true
	case "cmdline":
		return p.Name + "\n", true
	}
	return "", false
}

// paths are the files that read knows.
func paths(e *console.Env) []string {
	var list []string
	for _, p := range e.Machine.Processes() {
		for _, f := range []string{"cmdline", "stat", "status"} {
			list = append(list, fmt.Sprintf("/proc/%d/%s", p.PID, f))
		}
	}
	for _, f := range procFiles {
		list = append(list, "/proc/"+f)
	}
	return list
}

// procProcess is a process below /proc, and when the run's time began there.
type procProcess struct {
	console.Process
	shell int32 // pid of the shell: its session and its children's
	up    clock.Duration
}

func processOf(e *console.Env, pid string) (procProcess, bool) {
	if pid == "self" {
		// Nobody but the shell reads files without a process of its own.
		if id, err := e.Machine.Shell(); err == nil {
			pid = strconv.Itoa(int(e.Machine.Process(id).PID))
		}
	}
	list := e.Machine.Processes()
	i := slices.IndexFunc(list, func(p console.Process) bool { return strconv.Itoa(int(p.PID)) == pid })
	if i < 0 {
		return procProcess{}, false
	}
	p := procProcess{Process: list[i], up: e.Machine.Boot().Up}
	if s := newSession(e, list); s.has(p.PID) {
		p.shell = s.pids[0]
	}
	return p, true
}

// stat is /proc/PID/stat: 39 fields, counter and nice as the kernel converts them.
func (p procProcess) stat() string {
	session, tty := p.PID, 0
	if p.shell != 0 {
		session, tty = p.shell, 136<<8 // pts/0
	}
	deco := func(format string, args ...any) string { return console.Decorate(fmt.Sprintf(format, args...)) }
	memory := "1089536 54 4294967295 134512640 134514176 3221224496 3221224416 134513708"
	if p.Zombie {
		memory = "0 0 4294967295 0 0 0 0 0"
	}
	return fmt.Sprintf("%d (%s) %c %d %s %d %s %d %d %s %d %s %d\n", p.PID, p.Name, letter(&p.Process), p.PPID,
		deco("%d %d %d %d 0 14 0 87 0", p.PID, session, tty, session), p.Ticks, deco("0 0 0"), p.Priority, p.Nice,
		deco("0 0"), jiffies(p.up+clock.Duration(p.Started)), deco("%s 0 0 0 0 0 0 0 17", memory), max(p.CPU, 0))
}

// states are the kernel's words for letters.
var states = map[byte]string{'R': "R (running)", 'S': "S (sleeping)", 'Z': "Z (zombie)"}

func (p procProcess) status() string {
	text := fmt.Sprintf("Name:\t%s\nState:\t%s\nPid:\t%d\nPPid:\t%d\n", p.Name, states[letter(&p.Process)], p.PID, p.PPID)
	deco := []string{"Uid:\t0\t0\t0\t0", "Gid:\t0\t0\t0\t0", "Groups:\t0 1 2 3 4 6 10"}
	if !p.Zombie {
		deco = append(deco, "VmSize:\t    1064 kB", "VmLck:\t       0 kB", "VmRSS:\t     216 kB", "VmData:\t      16 kB",
			"VmStk:\t       4 kB", "VmExe:\t       4 kB", "VmLib:\t    1020 kB")
	}
	deco = append(deco, "SigPnd:\t0000000000000000", "SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000", "SigCgt:\t0000000000000000",
		"CapInh:\t00000000fffffeff", "CapPrm:\t00000000ffffffff", "CapEff:\t00000000fffffeff")
	for _, l := range deco {
		text += console.Decorate(l) + "\n"
	}
	return text
}

// loadavg ends with how many tasks run or wait of all, and the last process id.
func loadavg(e *console.Env) string {
	running := 0
	list := e.Machine.Processes()
	for i := range list {
		if letter(&list[i]) == 'R' {
			running++
		}
	}
	l := e.Machine.LoadText()
	return fmt.Sprintf("%s %s %s %d/%d %d\n", l[0], l[1], l[2], running, len(list), e.Machine.LastPID())
}

// kernelStat is /proc/stat: times in clock ticks. The kernel counts those of
// tasks with a nice value apart, which the model does not.
func kernelStat(e *console.Env) string {
	up := e.Machine.Boot().Up
	var sum [3]int64
	var cpus strings.Builder
	row := func(name string, user, system, idle int64) string {
		return fmt.Sprintf("%s %d %s %d %d\n", name, user, console.Decorate("0"), system, idle)
	}
	for c := range e.Machine.CPUs() {
		idle, user, system := e.Machine.CPUTime(c)
		t := [3]int64{jiffies(user), jiffies(system), jiffies(up + idle)}
		cpus.WriteString(row(fmt.Sprintf("cpu%d", c), t[0], t[1], t[2]))
		for i := range sum {
			sum[i] += t[i]
		}
	}
	var b strings.Builder
	b.WriteString(row("cpu ", sum[0], sum[1], sum[2]))
	b.WriteString(cpus.String())
	for _, l := range []string{"disk 0 0 0 0", "disk_rio 0 0 0 0", "disk_wio 0 0 0 0", "disk_rblk 0 0 0 0", "disk_wblk 0 0 0 0", "page 0 0", "swap 1 0"} {
		b.WriteString(console.Decorate(l) + "\n")
	}
	ticks := jiffies(up + clock.Duration(e.Machine.Now()))
	fmt.Fprintf(&b, "intr %d %d%s\n", ticks, ticks, console.Decorate(strings.Repeat(" 0", 15)))
	fmt.Fprintf(&b, "ctxt %d\n%s\n", e.Machine.Switches(), console.Decorate("btime 926325120"))
	fmt.Fprintf(&b, "processes %d\n", e.Machine.LastPID())
	return b.String()
}

// cpuinfo: what kind of CPUs the mail's box had is not known.
func cpuinfo(e *console.Env) string {
	h := e.Machine.Hardware()
	model, mhz := h.CPUModel, h.MHz
	if model == "" {
		model, mhz = "Pentium III (Katmai)", 500
	}
	var b strings.Builder
	for c := range e.Machine.CPUs() {
		fmt.Fprintf(&b, "processor\t: %d\n", c)
		for _, l := range []string{
			"vendor_id\t: GenuineIntel", "cpu family\t: 6", "model\t\t: 7", "model name\t: " + model, "stepping\t: 3",
			fmt.Sprintf("cpu MHz\t\t: %d.000000", mhz), "cache size\t: 512 KB", "fdiv_bug\t: no", "hlt_bug\t\t: no", "sep_bug\t\t: no",
			"f00f_bug\t: no", "fpu\t\t: yes", "fpu_exception\t: yes", "cpuid level\t: 2", "wp\t\t: yes",
			"flags\t\t: fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 mmx osfxsr kni",
			fmt.Sprintf("bogomips\t: %d.00", mhz-1),
		} {
			b.WriteString(console.Decorate(l) + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func meminfo() string {
	var b strings.Builder
	b.WriteString("        total:    used:    free:  shared: buffers:  cached:\n")
	for _, l := range []string{
		fmt.Sprintf("Mem:  %8d %8d %8d %8d %8d %8d", memTotal<<10, memUsed<<10, memFree<<10, memShared<<10, memBuffers<<10, memCached<<10),
		fmt.Sprintf("Swap: %8d %8d %8d", swapTotal<<10, 0, swapTotal<<10),
		fmt.Sprintf("MemTotal: %9d kB", memTotal), fmt.Sprintf("MemFree:  %9d kB", memFree), fmt.Sprintf("MemShared:%9d kB", memShared),
		fmt.Sprintf("Buffers:  %9d kB", memBuffers), fmt.Sprintf("Cached:   %9d kB", memCached),
		fmt.Sprintf("SwapTotal:%9d kB", swapTotal), fmt.Sprintf("SwapFree: %9d kB", swapTotal),
	} {
		b.WriteString(console.Decorate(l) + "\n")
	}
	return b.String()
}

// hundredths writes seconds with two digits, cut.
func hundredths(d clock.Duration) string {
	j := jiffies(d)
	return fmt.Sprintf("%d.%02d", j/hz, j%hz)
}
