// Package paint turns a display list into pixels with Ebitengine. Besides cmd
// it is the only package that imports Ebitengine, in files that are built for
// js or with the tag desktop; the rest is plain Go and is tested everywhere.
//
// A whole picture is one batch of triangles over one image, the Atlas, which
// holds a white patch for shapes, quarter circles for round corners and the
// glyphs. So a frame is one draw call, and the order of the list is the order
// of drawing. Glyphs come from a Rasterizer, in the browser from its own 2D
// canvas: no font is shipped. Edges of rectangles and origins of glyphs fall on
// whole device pixels; only slanted lines have soft edges.
//
//	painter := paint.New(paint.BrowserRasterizer())
//	screen.Draw(&list, frame, &view, painter.Metrics())
//	painter.Paint(dst, &list)
//
// Package soft paints the same triangles without Ebitengine.
package paint
