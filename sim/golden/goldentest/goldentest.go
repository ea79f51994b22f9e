// Package goldentest helps the tests of the packages beside it.
package goldentest

import (
	"os"
	"path/filepath"
)

// Dir is where a package's recorded data are, seen from its tests: beside the
// project if its shared folder is there, else the committed copy.
func Dir(name string) string {
	shared := filepath.Join(filepath.FromSlash("../../../../shared/reference"), name)
	if _, err := os.Stat(shared); err == nil {
		return shared
	}
	return "testdata"
}
