// Command site writes the page as a folder that any host of files can serve, and
// as one file that runs from disk:
//
//	go run ./scripts/site -out dist
//
// It reads index.html, wasm_exec.js, the page's files below web and the programs in
// build (`make wasm`). In the folder
//
//   - a file that another one names carries a part of its SHA-256 in its name, so
//     that it may be kept for ever; files that are named from outside (index.html,
//     web/embed.js, web/embed.html), or by names put together while the page runs,
//     keep theirs;
//   - .gz and .br stand beside each file, for hosts that send those;
//   - sw.js keeps the page for use without a network;
//   - strandscope.html is the page in one file.
//
// Nothing in the folder depends on where it is served or on headers.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "`FOLDER` of the project")
	out := flag.String("out", "dist", "`FOLDER` to write; what was there goes")
	cache := flag.String("cache", "build/packed", "`FOLDER` that keeps packed files from one time to the next")
	flag.Parse()
	if err := run(*root, *out, *cache, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(root, out, cache string, said io.Writer) error {
	t, err := load(root)
	if err != nil {
		return err
	}
	p := &packer{dir: cache}
	for _, program := range programs {
		if err := p.adopt(t.files[program.path], filepath.Join(root, program.path+".gz"), ".gz"); err != nil {
			return err
		}
	}
	single, err := t.single(p)
	if err != nil {
		return err
	}
	files, err := t.site(p)
	if err != nil {
		return err
	}
	files = append(files, output{name: singleName, text: single})
	if err := write(out, files, p); err != nil {
		return err
	}
	return report(said, files, p)
}
