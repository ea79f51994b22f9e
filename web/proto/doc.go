// Package proto is the language of page and program: it decodes the page's
// messages into act.Command values and encodes what the page is told.
//
// A message is one JSON object, for example
//
//	{"v":1,"n":7,"cmd":"set","key":"class","value":"FSS"}
//
// where v is the version of the language, n the sender's own number of the
// message (the state repeats the last one that was dealt with) and cmd the
// name of a command. A key, a command or a type that is not known is an error
// whose text names the field, the value and what is allowed; nothing is
// guessed and nothing is ignored.
//
// It is pure Go: no syscall/js and nothing that draws, so that all of it is
// tested and fuzzed without a browser.
package proto
