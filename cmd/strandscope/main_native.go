//go:build !js && !desktop

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "strandscope runs in the page: \"make wasm\" builds it, \"strandsim serve\" shows it; \"make desktop\" builds one with a window")
	os.Exit(2)
}
