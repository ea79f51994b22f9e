// Command brotli prints how many bytes each file has as a server with brotli
// sends it. Go's library has no brotli, and the program needs none: hence a
// module of its own.
//
//	go -C tools/brotli run . ../../build/strandscope.wasm
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"
)

func main() {
	quality := flag.Int("quality", brotli.BestCompression, "0 to 11; the best takes half a minute")
	flag.Parse()
	for _, name := range flag.Args() {
		n, err := size(name, *quality)
		if err != nil {
			fmt.Fprintln(os.Stderr, "brotli:", err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

func size(name string, quality int) (n counter, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := brotli.NewWriterLevel(&n, quality)
	if _, err := io.Copy(w, f); err != nil {
		return 0, err
	}
	return n, w.Close()
}

type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
