// Package console runs command lines on the simulated machine: those that an
// administrator types to change classes, priorities, processor sets, bindings,
// strands and shares. A scenario's commands, the page's selectors and the
// command line all come through here, so that there is one place that says what
// may be asked and how.
//
// It knows the machine only as Machine and imports sim/sched; a new command is
// one file and one line in Commands.
package console
