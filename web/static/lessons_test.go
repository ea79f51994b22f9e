package static

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const lessonsDir = "../lessons"

var (
	lessonLead   = regexp.MustCompile(`^(?:# |## |- \[[ x]\] |(?:Goal|Source|Predict|Because|Teacher): )`)
	lessonLength = regexp.MustCompile(` \(\d+ min\)$`)
	lessonCode   = regexp.MustCompile("`[^`]+`")
)

// skeleton is what a translation keeps, line by line: blocks, minutes, keywords and the
// marks of choices as they are, and of what is read only the code in it. The other text
// that is read comes second.
func skeleton(t *testing.T, file string) (kept, read []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	block := false
	for _, line := range strings.Split(string(text), "\n") {
		fence := strings.HasPrefix(line, "```")
		if block || fence || line == "" || strings.HasPrefix(line, "Minutes: ") {
			block = block != fence
			kept = append(kept, line)
			continue
		}
		lead, length := lessonLead.FindString(line), lessonLength.FindString(line)
		said := strings.TrimSuffix(strings.TrimPrefix(line, lead), length)
		assert.NotEmpty(t, strings.TrimSpace(said), "%s: %s", file, line)
		code := lessonCode.FindAllString(said, -1)
		slices.Sort(code)
		kept = append(kept, lead+"…"+strings.Join(code, " ")+length)
		read = append(read, said)
	}
	assert.False(t, block, "%s: a block has no end", file)
	return kept, read
}

func lessonIDs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(lessonsDir, "index.json"))
	require.NoError(t, err)
	var list []struct{ ID string }
	require.NoError(t, json.Unmarshal(text, &list))
	var ids []string
	for _, l := range list {
		ids = append(ids, l.ID)
	}
	slices.Sort(ids)
	return ids
}

// The steps of a lesson are numbers in links, its choices are numbers in scores, and its
// blocks are checked against the run in English only.
func TestALessonInGermanIsTheEnglishOneInOtherWords(t *testing.T) {
	var found []string
	files, err := filepath.Glob(filepath.Join(lessonsDir, "de", "*.md"))
	require.NoError(t, err)
	for _, f := range files {
		found = append(found, strings.TrimSuffix(filepath.Base(f), ".md"))
	}
	require.Equal(t, lessonIDs(t), found)
	h, err := Handler("../..")
	require.NoError(t, err)
	for _, id := range found {
		t.Run(id, func(t *testing.T) {
			want, _ := skeleton(t, filepath.Join(lessonsDir, id+".md"))
			got, read := skeleton(t, filepath.Join(lessonsDir, "de", id+".md"))
			assert.Equal(t, want, got)
			for _, said := range read {
				assert.Equal(t, strings.Count(said, "„"), strings.Count(said, "“"), "quotation marks: %s", said)
				assert.NotContains(t, said, "”")
				assert.NotContains(t, said, `"`)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/web/lessons/de/"+id+".md", nil))
			assert.Equal(t, http.StatusOK, w.Code)
		})
	}
}
