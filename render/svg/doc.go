// Package svg writes a display list as an SVG picture: texts as texts in the
// page's fonts, shapes as shapes. It needs neither style sheets nor identifiers,
// so that several pictures can stand in one document, also where a page's policy
// forbids styles of its own.
//
// Metrics measures texts without a font at hand, by the advances of DejaVu Sans,
// which is among the widest of those in the page's stacks: what fits by it fits in
// the others. So a picture is the same, octet by octet, wherever it is written.
//
// It imports render/scene and nothing that draws.
package svg
