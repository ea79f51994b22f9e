// Package policy is the ordered list of kernels that a scenario may name. A new
// kernel is one folder here, one adapter file and one line in Kernels.
package policy
