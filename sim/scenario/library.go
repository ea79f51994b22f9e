package scenario

import (
	"embed"
	"fmt"
)

//go:embed library/*.json
var files embed.FS

// Library lists the ids of the built-in scenarios in the order shown to users.
var Library = append([]string{
	"t2000-unset",
	"t2000-ts",
	"t2000-fss",
	"t2000-perl-fork",
	"t2000-fx",
	"t2000-ia",
	"t2000-rt-starves",
	"t2000-oltp",
	"cmt-8-spread-vs-packed",
	"strand-offline",
	"ts-lone-hog",
	"ts-nice-ladder",
	"fss-1-3",
	"fss-psets",
	"fss-share-change",
	"ia-focus",
	"linux22-250-hogs",
	"linux22-ping-under-load",
	"linux22-typing",
	"linux22-nice19",
	"linux22-recalculation",
	"linux22-chat",
	"linux22-rr-does-not-rotate",
	"linux22-fork-poverty",
	"linux227-250-hogs",
	"t2000",
	"linux22",
}, books...)

// Builtin reads a built-in scenario. An unknown id is an error that names the
// nearest match.
func Builtin(id string) (*Scenario, error) {
	text, err := files.ReadFile("library/" + id + ".json")
	if err != nil {
		return nil, fmt.Errorf("scenario %q is not in the library; there are %s%s", id, sentence(Library), near(id, Library))
	}
	s, err := Read(id, text)
	if err != nil {
		return nil, err
	}
	s.ID = id
	return s, nil
}
