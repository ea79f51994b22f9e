package static

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A catalogue has each sentence of the page beside what it is in another language, with
// the same places for figures and names. That the page has no others is seen in a
// browser (web/e2e).
func TestEveryCatalogueIsWhole(t *testing.T) {
	files, err := filepath.Glob("../lang/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	place := regexp.MustCompile(`\{\w+\}`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		var c struct {
			Language, Name, Decimal, Group string
			Same                           []string
			Words                          map[string]string
		}
		require.NoError(t, json.Unmarshal(text, &c))
		assert.Equal(t, strings.TrimSuffix(filepath.Base(f), ".json"), c.Language)
		assert.NotEqual(t, c.Decimal, c.Group)
		assert.Greater(t, len(c.Words), 1000, f)
		for _, s := range c.Same {
			_, err := regexp.Compile(s)
			require.NoError(t, err)
		}
		for from, to := range c.Words {
			assert.NotEmpty(t, strings.TrimSpace(to), from)
			assert.Equal(t, places(place, from), places(place, to), from)
			assert.Equal(t, strings.HasSuffix(from, "…"), strings.HasSuffix(to, "…"), from)
		}
		assert.Equal(t, len(c.Words), strings.Count(string(text), "\": \"")-4, "a sentence stands twice in %s", f)
	}
}

// places are the names in braces, each once.
func places(re *regexp.Regexp, s string) []string {
	found := re.FindAllString(s, -1)
	slices.Sort(found)
	return slices.Compact(found)
}
