// Package order sorts and inserts where the standard library's generic functions would
// weigh too much: those are compiled once for each type, three to twenty kilobytes in the
// page's program each time.
package order

import (
	"maps"
	"slices"
	"sort"
)

// Strings sorts in place, and returns the same slice.
func Strings(s []string) []string {
	sort.Sort(sort.StringSlice(s)) //nolint:staticcheck // sort.Strings is slices.Sort, compiled for strings
	return s
}

// Keys are a map's keys in order.
func Keys[V any](m map[string]V) []string {
	return Strings(slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m)))
}

// Insert puts x at place i of s, 0 to len(s).
func Insert[T any](s []T, i int, x T) []T {
	s = append(s, x)
	copy(s[i+1:], s[i:])
	s[i] = x
	return s
}
