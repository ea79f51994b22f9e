package svg

import "strandscope/render/scene"

// Metrics implements scene.Metrics with the advances of DejaVu Sans, DejaVu Sans
// Bold and DejaVu Sans Mono 2.37, as their hmtx tables have them.
type Metrics struct{}

// The advances of the glyphs from the blank to the tilde, in thousandths of the size.
var (
	sans = [95]uint16{
		318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
		636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
		1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
		603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
		500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
		635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
	}
	bold = [95]uint16{
		348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
		696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
		1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
		733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
		500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
		716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
	}
)

// The advances of every other glyph: dashes and dots apart, what the pictures have
// is signs about as wide as these, and letters that are narrower.
const (
	mono  = 602
	other = 873
	dash  = 500
	dot   = 380
)

// Advance implements scene.Metrics.
func (Metrics) Advance(f scene.Font, r rune) int {
	w := other
	switch {
	case f.Family == scene.Mono:
		w = mono
	case r >= ' ' && r <= '~' && f.Bold:
		w = int(bold[r-' '])
	case r >= ' ' && r <= '~':
		w = int(sans[r-' '])
	case r == '–':
		w = dash
	case r == '·', r == '’':
		w = dot
	case r == '—', r == '…':
		w = 1000
	}
	return int(f.Size) * w / 1000
}
