// Package jsonc reads JSON (RFC 8259) into a tree, on request with comments and
// with commas before a closing bracket, and writes structs as JSON. It is for what
// the page links: encoding/json does more, and weighs ten times as much there.
package jsonc
