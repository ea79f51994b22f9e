// Package joblist reads lists of jobs as lecturers write them: "A 0 5, B 1 3" is two
// jobs by name, arrival and burst. Further figures follow by name: prio=2
// tickets=50 io=5/10 (each 5 units, for 10) ws=40 cpus=0.2; a periodic task is
// "T1 C=2 T=5 D=4 offset=1". The same as CSV with a line of column names, or at
// random from a seed.
//
// Times are in units of the book, with at most three decimals. What makes no
// schedule is refused in a sentence before anything runs (FACTS §8 of
// shared/reference/textbook): a burst of 0 or less, an arrival before 0, two jobs of
// one name.
//
// It imports sim/clock and sim/workload only.
package joblist
