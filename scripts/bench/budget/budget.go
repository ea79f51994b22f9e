// Package budget holds what the program may cost, each figure once: `make bench`
// compares what it measures with it, and the browser tests check the sizes.
package budget

// What a reader of a page has to wait for, in bytes.
const (
	Gzip   = 2_000_000 // the program
	Brotli = 1_600_000
	Full   = 2_900_000 // the fuller program, under gzip
	FullBr = 2_100_000 // … as brotli
	Tool   = 1_549_999 // under gzip, what writes events: the page's dialog says 1.5 MB
	Page   = 120_000   // HTML, CSS and scripts under gzip
	Single = 3_300_000 // the program is a third larger there, as text; every language is in it
)

// What a run costs.
const (
	NativeTick  = 0.05   // µs for each CPU and clock tick, 250 hogs on 4 CPUs
	BrowserTick = 0.15   // … in the browser; compiled C needs 0.19 to 0.28
	PageSpeed   = 10_000 // × real time, 32 hogs on a T2000, while the page draws
	LargeSpeed  = 1      // × real time, 2,048 strands with 20,000 threads
	FrameWork   = 8      // ms of a frame outside the GPU, 2,048 strands
	Allocations = 0      // for each event, once warm
)

// What stays in memory.
const (
	Memory     = 150 // MB, any built-in scenario
	Day        = 1.1 // the heap after 24 simulated hours against that after 2: flat
	FurtherOne = 60  // MB, each further embedded figure on a page
	Alive      = 4   // embedded figures that run at once
)

// When something is seen, and what it costs when nothing is.
const (
	Progress    = 0.3 // s until the progress of the download is shown
	FirstMoving = 1.5 // s until the first moving frame of an embedded figure, on loopback
	Reloaded    = 0.4 // … when it is loaded again
	PausedDraws = 0   // draw calls while paused or hidden
	PausedCPU   = 2   // % of a core, meanwhile
)
