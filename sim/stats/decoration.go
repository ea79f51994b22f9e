package stats

// Decoration: what vmstat, mpstat and prstat print and the model has no figure
// for. It is constant. That of vmstat is taken from the tip's own listing
// (memory and faults of its second sample), that of mpstat is the same divided
// among 32 strands, that of prstat is a small interpreter's.
const (
	decoSwap = 39127104
	decoFree = 15498368
	decoIntr = 575
	decoSysc = 197

	// Of each strand: minor and major faults, cross calls, interrupts, those
	// that were threads, spins on mutexes and readers-writer locks, system calls.
	decoMinf  = 0
	decoMjf   = 0
	decoXcal  = 0
	decoIntrs = 18
	decoIthr  = 1
	decoSmtx  = 0
	decoSrw   = 0
	decoSyscl = 6

	decoUser   = "root"
	decoSizeKB = 4096
	decoRSSKB  = 2048
	decoMemKB  = 16 << 20 // of the machine
)
