// Package checkpoint copies a graph of Go values: everything that can be reached
// from a pointer, unexported fields too, so that the copy can go on by itself.
//
// Whoever adds a policy or an observer writes nothing for it. Values that
// shared one variable share one in the copy: pointers to one thing, pointers
// into the middle of another, slices of one array. Cycles are kept. What is
// never written to once it is built may be declared shared and stays out.
//
// Where it differs from a copy by hand: elements of a slice between its length
// and its capacity are copied too, since code may look at them again; a map is
// filled anew, so nobody may count on its order; and a func value that may hold
// variables is refused, with the path to it, because nothing can look inside one.
//
// It knows what the compiler makes of slices and interfaces (two words and
// three), which is so on all of Go's platforms.
package checkpoint
