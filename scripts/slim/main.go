// Command slim prepares the build of the page's program that leaves out what
// Ebitengine links and the page never uses:
//
//	go run ./scripts/slim
//	GOOS=js GOARCH=wasm go build -modfile=build/slim.mod ./cmd/strandscope
//
// It copies the module from Go's module cache to build/ebiten, puts the files
// below _ebiten in the place of their namesakes, edits others, and writes build/slim.mod and
// build/slim.sum: go.mod and go.sum, with the copy in the place of the module.
//
// What is left out:
//
//   - text/template, of internal/builtinshader. It looks methods up by name,
//     which switches off the linker's removal of unused methods in the whole
//     program.
//   - The shader compiler. The page draws with Ebitengine's built-in shaders
//     alone; they go through the compiler here and arrive as WebGL takes them.
//   - archive/zip and a PNG encoder, for dumps of images.
//   - Keyboard, mouse, touch and gamepads as games read them, and tables of keys. The
//     page hears them itself.
//
// None of it changes what is drawn. The tests run Ebitengine as published and
// as left by this command beside each other, and want the same shaders.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "build", "folder for the copy and the module file")
	flag.Parse()
	if err := prepare(".", *out); err != nil {
		fmt.Fprintln(os.Stderr, "slim:", err)
		os.Exit(1)
	}
}
