// Package render draws a run: Screen places the panels, routes input to them
// and tells the same in words. It draws into a display list; package
// render/paint turns that into pixels.
//
//	screen := render.NewScreen()
//	screen.Draw(&list, frame, &view, metrics) // fill the list
//	painter.Paint(dst, &list)                 // render/paint
//	cmd := screen.Click(x, y, frame, &view)   // nil: nothing there
//	sel := screen.Hover(x, y, frame, &view)   // for View.Hover
//	r := screen.Cell(cpu, frame, &view)       // where a strand's cell stands
//	text := screen.Describe(frame, &view)     // for the live region
//	h := screen.Height(frame, view)           // what the canvas should have
//
// The size and the scale of the picture are those of the view (act.Resize).
// All places are device pixels. Nothing here reads a clock or starts a
// goroutine, and the same frame and view always give the same list.
//
// It imports sim, render/panel and what lies below; not Ebitengine.
package render
