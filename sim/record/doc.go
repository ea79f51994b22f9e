// Package record reads recordings of real schedulers as text or JSON and keeps what they
// say about scheduling: which thread each CPU turned to and when, who was woken where,
// who was forked, and who left.
//
// It reads ftrace text (the kernel's trace file, trace-cmd report with and without its
// plugins, Android's systrace pages), perf script and perf sched script, perf sched
// timehist and map, trace.dat, SchedViz collections, and Chrome or Perfetto JSON with
// scheduling slices. A Reader is fed with pieces of a file, so that a file of any size
// needs memory for its index alone: 32 bytes for each record of scheduling, and what
// threads are called. Version 7 of trace.dat and collections are kept until they end, and
// are read outside of the page only.
//
// What cannot be read is told in Notes by line and field, and left out; everything else
// of the file is read. Nothing here trusts its input: names are cut, numbers have ranges,
// lists have an end.
//
// It imports sim/jsonc only, no operating system, and starts no goroutines. Facts about
// the formats are from shared/reference/real/README.md, section 5.
package record
