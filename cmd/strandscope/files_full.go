//go:build js && full

package main

import (
	"strandscope/cmd/strandscope/app"
	"strandscope/web/bridge"
)

func files(a *app.App) {
	bridge.Files(func(name, kernel string) (bridge.File, error) { return a.Read(name, kernel) })
}
