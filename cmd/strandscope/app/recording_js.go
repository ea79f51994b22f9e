//go:build !full

package app

import (
	"errors"

	"strandscope/web/proto"
)

// recording is nothing in the page's first program: the page fetches the fuller one first.
type recording struct{}

func (a *App) askRecording(*proto.Message) {
	a.State.Refuse(errors.New("this program reads no recordings; the fuller one does"))
}
