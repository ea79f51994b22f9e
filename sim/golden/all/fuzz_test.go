package all_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"strandscope/sim/golden"
	"strandscope/sim/golden/all"
)

// recorded is a small file of one kind, and those that belong to the same run.
type recorded struct {
	name string // without .gz
	text []byte
	with map[string][]byte
}

// long is what the summary of a run of 10,000 ticks or more says.
var long = regexp.MustCompile(`"ticks": ?\d{5}`)

// samples are the smallest recorded files, one of each kind of each format.
func samples(t testing.TB) []recorded {
	var paths []string
	for _, pattern := range []string{"../*/testdata/*/*", "../*/testdata/*/*/*"} {
		some, err := filepath.Glob(pattern)
		require.NoError(t, err)
		paths = append(paths, some...)
	}
	size := map[string]int64{}
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			size[p] = info.Size()
		}
	}
	sort.Slice(paths, func(i, j int) bool {
		a, b := size[paths[i]], size[paths[j]]
		return a < b || a == b && paths[i] < paths[j]
	})
	seen := map[string]bool{}
	var list []recorded
	for _, p := range paths {
		if size[p] == 0 || size[p] > 2500 {
			continue
		}
		text, err := golden.Read(p)
		require.NoError(t, err)
		run, kind := golden.Run(p)
		head, _, _ := strings.Cut(string(text), "\n")
		if kind == "jsonl" || kind == "csv" {
			kind += head[:min(len(head), 30)]
		}
		key := filepath.Dir(p) + " " + kind
		if seen[key] || len(text) > 16_000 {
			continue
		}
		x := recorded{name: strings.TrimSuffix(filepath.Base(p), ".gz"), text: text, with: map[string][]byte{}}
		beside, err := filepath.Glob(run + ".*")
		require.NoError(t, err)
		quick := true
		for _, b := range beside {
			if name := strings.TrimSuffix(filepath.Base(b), ".gz"); name != x.name {
				x.with[name], err = golden.Read(b)
				require.NoError(t, err)
				quick = quick && !long.Match(x.with[name])
			}
		}
		if !quick || long.Match(text) {
			continue // another file of its kind takes less time
		}
		seen[key] = true
		list = append(list, x)
	}
	return list
}

// FuzzVerify: whatever stands in a recorded file, verifying it ends soon, in words.
func FuzzVerify(f *testing.F) {
	list := samples(f)
	require.Greater(f, len(list), 20)
	for i, x := range list {
		f.Add(uint16(i), x.text)
	}
	f.Add(uint16(0), []byte{})
	base := f.TempDir()
	f.Fuzz(func(t *testing.T, which uint16, text []byte) {
		x := list[int(which)%len(list)]
		dir, err := os.MkdirTemp(base, "")
		require.NoError(t, err)
		defer func() { _ = os.RemoveAll(dir) }()
		require.NoError(t, os.WriteFile(filepath.Join(dir, x.name), text, 0o600))
		for name, b := range x.with {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
		}
		defer time.AfterFunc(time.Minute, func() { panic("it does not end") }).Stop()
		_, _, _, err = golden.Verify([]string{dir}, all.Formats, func(r golden.Result) {
			if text := fmt.Sprint(r); len(text) > 4000 {
				t.Fatalf("a message of %d bytes", len(text))
			}
		})
		require.NoError(t, err, "a file that cannot be read is a result, not an end of all")
	})
}

// A recorded file may ask for more than a computer has.
func TestFiguresOutOfBoundsAreRefusedByName(t *testing.T) {
	digits := regexp.MustCompile(`"(ticks|cpus|ncpu|duration_ns|tick_ns)": ?\d+`)
	refused := map[string]bool{}
	for _, x := range samples(t) {
		for _, m := range digits.FindAllSubmatchIndex(x.text, -1) {
			name := string(x.text[m[2]:m[3]])
			text := slices.Concat(x.text[:m[3]], []byte(`": 98765432109876543`), x.text[m[1]:])
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, x.name), text, 0o600))
			for other, b := range x.with {
				require.NoError(t, os.WriteFile(filepath.Join(dir, other), b, 0o600))
			}
			passed, _, _, err := golden.Verify([]string{dir}, all.Formats, func(r golden.Result) {
				if r.Err != nil && strings.Contains(r.Err.Error(), ", want ") && strings.Contains(r.Err.Error(), "98765432109876543") {
					refused[name] = true
				}
			})
			require.NoError(t, err)
			require.Zero(t, passed, "%s with %s", x.name, name)
		}
	}
	require.Equal(t, map[string]bool{"ticks": true, "cpus": true, "ncpu": true, "duration_ns": true, "tick_ns": true}, refused)
}
