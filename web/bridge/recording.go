//go:build js && full

package bridge

import "syscall/js"

// File is a file that the page gives in pieces.
type File interface {
	// Feed takes a piece and keeps nothing of it.
	Feed(p []byte) error
	// Records is how many were found so far.
	Records() int
	// Cut tells that the file ends too early within its compression.
	Cut()
	// Close ends the file.
	Close() error
}

// Files lets the page give files: begin is called with a file's name and what kernel it is
// said to be of. Each of the page's calls returns the number of records, or a sentence
// about what is wrong. A file that is begun replaces one that was not closed.
func Files(begin func(name, kernel string) (File, error)) {
	var file File
	var piece []byte
	host.Set("file", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var err error
		switch op := args[0].String(); {
		case op == "begin":
			file, err = begin(args[1].String(), args[2].String())
		case op == "drop":
			file, piece = nil, nil
		case file == nil:
			return "there is no file"
		case op == "feed":
			n := args[1].Length()
			if cap(piece) < n {
				piece = make([]byte, n)
			}
			piece = piece[:n]
			js.CopyBytesToGo(piece, args[1])
			err = file.Feed(piece)
		case op == "cut":
			file.Cut()
		case op == "close":
			err = file.Close()
		}
		n := 0
		if file != nil {
			n = file.Records()
		}
		if err != nil || args[0].String() == "close" {
			file, piece = nil, nil
		}
		if err != nil {
			return err.Error()
		}
		return n
	}))
}
