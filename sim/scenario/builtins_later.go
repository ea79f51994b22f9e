//go:build !js || full

package scenario

import _ "embed"

// The texts of the scenarios that need a kernel after 2.2.
var (
	//go:embed library/hogs-through-the-ages.json
	hogsThroughTheAgesJSON string
	//go:embed library/ping-under-load-through-the-ages.json
	pingUnderLoadThroughTheAgesJSON string
	//go:embed library/nice-means-what.json
	niceMeansWhatJSON string
	//go:embed library/eevdf-slices.json
	eevdfSlicesJSON string
	//go:embed library/o1-interactivity.json
	o1InteractivityJSON string
)

// web/later.js lists them for the page, whose first program has neither them nor their
// kernels; a test compares.
var laterScenarios = []builtin{
	{"hogs-through-the-ages", hogsThroughTheAgesJSON},
	{"ping-under-load-through-the-ages", pingUnderLoadThroughTheAgesJSON},
	{"nice-means-what", niceMeansWhatJSON},
	{"eevdf-slices", eevdfSlicesJSON},
	{"o1-interactivity", o1InteractivityJSON},
}

// Later are the ids of those scenarios.
func Later() []string {
	ids := make([]string, len(laterScenarios))
	for i, b := range laterScenarios {
		ids[i] = b.id
	}
	return ids
}
