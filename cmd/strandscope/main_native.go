//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "strandscope runs in the page: \"make wasm\" builds it, \"strandsim serve\" shows it")
	os.Exit(2)
}
