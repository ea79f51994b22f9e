package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim"
	"strandscope/sim/clock"
)

const end = 5 * clock.Time(clock.Second)

func whole(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, list(&b, end, func(s *sim.Session, end clock.Time) error { return s.AdvanceTo(end) }))
	require.Greater(t, strings.Count(b.String(), "\n"), 30)
	return b.String()
}

func TestInPiecesEveryScenarioIsTheSame(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(3, 14))
	require.NoError(t, list(&b, end, func(s *sim.Session, end clock.Time) error {
		for there := false; !there; {
			to := min(end, s.Now().Add(clock.Duration(r.Int64N(int64(clock.Second)))))
			got, err := s.AdvanceUpTo(to, 1+r.IntN(30_000))
			if err != nil {
				return err
			}
			there = got && to == end
		}
		return nil
	}))
	assert.Equal(t, whole(t), b.String())
}

// The page in Chromium is compared in web/e2e: TestTheDigestIsThatOfANativeRun.
func TestInNodeEveryScenarioIsTheSame(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("there is no Node here to run WebAssembly: %v", err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "digests.wasm")
	build := exec.Command("go", "build", "-tags", "full", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	said, err := exec.Command(node, "--stack-size=8192", filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec_node.js"), program, "5").Output()
	require.NoError(t, err)
	assert.Equal(t, whole(t), string(said))
}

func TestWhatIsNoTimeIsRefused(t *testing.T) {
	for _, text := range []string{"", "x", "-1", "1001"} {
		require.ErrorContains(t, run([]string{text}), "want seconds from 0 to 1000")
	}
}
