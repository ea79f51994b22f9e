package stats

import "fmt"

// VmstatForm is how a kernel's vmstat lays out its lines.
type VmstatForm struct {
	Headings []string
	Every    int // data lines between two headings
	Row      func(v VmstatRow) string
}

// SolarisVmstat is that of Solaris, on a machine with four disks.
var SolarisVmstat = VmstatForm{
	Headings: []string{
		" kthr      memory            page            disk          faults      cpu",
		" r b w   swap  free  re  mf pi po fr de sr s1 s2 s3 s4   in   sy   cs us sy id",
	},
	Every: vmstatTop,
	Row:   VmstatRow.String,
}

// LinuxVmstat is that of procps in 1999: r counts the tasks that run as well as
// those that wait, at the moment of the sample. Its layout is from general
// knowledge; memory, swap, io and interrupts are decoration.
var LinuxVmstat = VmstatForm{
	Headings: []string{
		"   procs                      memory    swap          io     system         cpu",
		" r  b  w   swpd   free   buff  cache  si  so    bi    bo   in    cs  us  sy  id",
	},
	Every: 21,
	Row: func(v VmstatRow) string {
		deco := fmt.Sprintf(" %2d %2d %6d %6d %6d %6d %3d %3d %5d %5d %4d", 0, 0, 0, 214072, 244364, 7400, 0, 0, 0, 0, 104)
		return fmt.Sprintf("%2d%s %5d %3d %3d %3d", v.Runnable, v.Marks.around(deco), v.Switches, v.User, v.System, v.Idle)
	},
}
