// Package theme gives colours and sizes by role. Panels name the role and never
// a colour; the values are those of the design (../shared/design/mock.html) and
// of the page's style sheet, so canvas and page look as one.
//
// Sizes are CSS pixels times the device scale, rounded to whole device pixels.
package theme
