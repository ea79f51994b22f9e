//go:build js && !full

package main

import "strandscope/cmd/strandscope/app"

// The first program reads no files.
func files(*app.App) {}
