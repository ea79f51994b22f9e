// Package document compares what a source document prints with what the simulated
// machine printed, field by field.
//
// A field is what stands between blanks. Lines are paired in their order, like
// with like: ours may have more of them, and a document may leave some out. What
// ours marks as decoration is not compared, since the model has no figure for it.
package document
