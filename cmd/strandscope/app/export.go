package app

import (
	"strandscope/render/figure"
	"strandscope/web/proto"
)

// export sends a figure of the run, or a plot's table. What it looks at is not what
// the picture shows, so that the next frame is taken anew.
func (a *App) export(seq int64, x *proto.Export) {
	v := a.State.View
	var text []byte
	var err error
	if x.CSV {
		text, err = figure.CSV(a.State.Run, v, x.Panels[0])
	} else {
		text, err = figure.SVG(a.State.Run, v, &figure.Options{Panels: x.Panels, Theme: v.Theme, Caption: x.Caption, Link: x.Link})
	}
	wrong := ""
	if err != nil {
		wrong = err.Error()
	}
	a.send(proto.Exported(seq, string(text), wrong))
	a.changed()
}
