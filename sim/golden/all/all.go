// Package all is the ordered list of recorded formats. A new kernel's formats
// are one folder beside this one and one line here.
package all

import (
	"strandscope/sim/golden"
	"strandscope/sim/golden/linux22"
	"strandscope/sim/golden/linux26"
	"strandscope/sim/golden/linux6"
	"strandscope/sim/golden/solaris"
	"strandscope/sim/golden/textbook"
)

// Formats in the order in which they may claim a file.
var Formats = []golden.Format{
	solaris.Scenarios{},
	solaris.Vectors{},
	linux6.Runs{}, // before 2.2, which claims any run's files by their names
	linux6.Vectors{},
	linux26.Runs{}, // before 2.2's, which takes any summary of the kind
	linux26.Vectors{},
	linux22.Runs{},
	linux22.Vectors{},
	textbook.Files{},
}
