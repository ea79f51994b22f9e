package machine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/machine"
)

func strands(n int) *machine.Node { return &machine.Node{Kind: machine.Strand, Count: n} }

func pipelines(n int, of *machine.Node) *machine.Node {
	return &machine.Node{Kind: machine.Pipeline, Count: n, Of: of}
}

func cores(n int, of *machine.Node) *machine.Node {
	return &machine.Node{Kind: machine.Core, Count: n, Of: of}
}

func chips(n int, of *machine.Node) machine.Node {
	return machine.Node{Kind: machine.Chip, Count: n, Of: of}
}

func TestATreeIsLaidOutDepthFirstWithDenseIDs(t *testing.T) {
	// Two chips as the T2 has them: 2 cores, 2 pipelines each, 3 strands each.
	m, err := machine.Build("id", "title", chips(2, cores(2, pipelines(2, strands(3)))))
	require.NoError(t, err)
	assert.Equal(t, "id", m.ID)
	assert.Equal(t, "title", m.Title)
	require.Len(t, m.CPUs, 24)
	assert.Equal(t, 2, m.Chips)
	assert.Len(t, m.Cores, 4)
	assert.Len(t, m.Pipelines, 8)
	for id, c := range m.CPUs {
		assert.Equal(t, machine.CPU{ID: id, Chip: id / 12, Core: id / 6, Pipeline: id / 3}, c)
		assert.Contains(t, m.Cores[c.Core], id)
		assert.Contains(t, m.Pipelines[c.Pipeline], id)
	}
	assert.Equal(t, []int{6, 7, 8, 9, 10, 11}, m.Cores[1])
	assert.Equal(t, []int{21, 22, 23}, m.Pipelines[7])
}

func TestATreeThatCannotBeIsRefusedWithAReason(t *testing.T) {
	slow := pipelines(1, strands(2))
	slow.Rate = []machine.Permille{1000, 0}
	fast := pipelines(1, strands(1))
	fast.Rate = []machine.Permille{1001}
	solo := pipelines(1, strands(1))
	solo.Issue, solo.Of = true, &machine.Node{Kind: machine.Strand, Count: 5}
	for _, c := range []struct {
		root machine.Node
		want string
	}{
		{chips(1, cores(1, pipelines(1, strands(0)))), "strand count 0, want at least 1"},
		{chips(0, cores(1, pipelines(1, strands(1)))), "chip count 0, want at least 1"},
		{chips(1, cores(-3, pipelines(1, strands(1)))), "core count -3, want at least 1"},
		{chips(1, nil), "a chip without strands"},
		{chips(1, cores(1, pipelines(1, nil))), "a pipeline without strands"},
		{*strands(4), "a strand must stand in a chip, a core and a pipeline"},
		{chips(1, pipelines(1, strands(1))), "a strand must stand in a chip, a core and a pipeline"},
		{*cores(1, pipelines(1, strands(1))), "a strand must stand in a chip, a core and a pipeline"},
		{chips(1, cores(1, cores(1, pipelines(1, strands(1))))), "a core inside a core"},
		{chips(1, pipelines(1, cores(1, strands(1)))), "a core inside a pipeline"},
		{chips(machine.MaxStrands+1, cores(1, pipelines(1, strands(1)))), "more than 4096 strands"},
		{chips(1, cores(1, pipelines(1, strands(1<<40)))), "more than 4096 strands"},
		{chips(1, cores(1, slow)), "pipeline rate 0, want 1 to 1000 thousandths"},
		{chips(1, cores(1, fast)), "pipeline rate 1001, want 1 to 1000 thousandths"},
		{chips(1, cores(1, solo)), "a pipeline shares its issue slots among 1 to 4 strands"},
		{chips(1, &machine.Node{Kind: 9, Count: 1}), "level 9 is unknown"},
	} {
		m, err := machine.Build("", "", c.root)
		if assert.Error(t, err, c.want) {
			assert.Equal(t, "machine: "+c.want, err.Error())
		}
		assert.Nil(t, m)
	}
}

func TestTheLargestMachineIsAccepted(t *testing.T) {
	m, err := machine.Build("", "", chips(4, cores(16, pipelines(8, strands(8)))))
	require.NoError(t, err)
	assert.Len(t, m.CPUs, machine.MaxStrands)
	m, err = machine.Grid(machine.MaxStrands, 1)
	require.NoError(t, err)
	assert.Len(t, m.Cores, machine.MaxStrands)
}

func TestAGridMayHaveALastCoreThatIsPartlyFilled(t *testing.T) {
	m, err := machine.Grid(10, 4)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}}, m.Cores)
	assert.Equal(t, m.Cores, m.Pipelines)
	assert.Equal(t, 1, m.Chips)
	for id, c := range m.CPUs {
		assert.Equal(t, machine.CPU{ID: id, Core: id / 4, Pipeline: id / 4}, c)
	}
	for busy := range 3 {
		assertSpeeds(t, m, 2, busy, 1000) // strands of a grid do not slow each other down
	}
	for _, bad := range [][2]int{{0, 4}, {-1, 4}, {4097, 4}, {4, 0}, {4, -1}} {
		_, err := machine.Grid(bad[0], bad[1])
		require.ErrorContains(t, err, "want 1 to 4096 strands", "%v", bad)
	}
}

func TestRateHoldsForMoreBusyStrandsThanItLists(t *testing.T) {
	p := pipelines(1, strands(4))
	p.Rate = []machine.Permille{1000, 700}
	m, err := machine.Build("", "", chips(1, cores(2, p)))
	require.NoError(t, err)
	for busy, want := range []machine.Permille{1000, 1000, 700, 700, 700} {
		assertSpeeds(t, m, 1, busy, want)
	}
}

// assertSpeeds checks what each of so many busy strands of a pipeline gets.
func assertSpeeds(t *testing.T, m *machine.Machine, pipe, busy int, want machine.Permille) {
	t.Helper()
	cpis, speeds := make([]machine.CPI, busy), make([]machine.Permille, busy)
	for i := range cpis {
		cpis[i] = machine.DefaultCPI
	}
	slots := m.Speeds(pipe, cpis, speeds)
	assert.Equal(t, machine.Permille(1000*busy/len(m.Pipelines[pipe])), slots)
	for _, s := range speeds {
		assert.Equal(t, want, s, "%d busy", busy)
	}
}

func TestOnAT2000TheCPUIsFourTimesTheCorePlusTheStrand(t *testing.T) {
	m, ok := machine.Find("t2000")
	require.True(t, ok)
	require.Len(t, m.CPUs, 32)
	assert.Equal(t, 1, m.Chips)
	for core, ids := range m.Cores {
		for strand, id := range ids {
			assert.Equal(t, 4*core+strand, id)
			assert.Equal(t, core, m.CPUs[id].Core)
		}
	}
}

func TestEveryPresetIsFoundAndBuilds(t *testing.T) {
	want := map[string]string{
		"t2000": "32 CPUs on 8 cores", "t2000-6": "24 CPUs on 6 cores", "t2000-4": "16 CPUs on 4 cores",
		"t1000": "32 CPUs on 8 cores", "t5120": "64 CPUs on 8 cores", "t5240": "128 CPUs on 16 cores",
		"smp8": "8 CPUs on 8 cores", "smp4": "4 CPUs on 4 cores", "up": "1 CPUs on 1 cores",
	}
	for _, p := range machine.Presets {
		m, ok := machine.Find(p.ID)
		require.True(t, ok, p.ID)
		assert.Equal(t, p.ID, m.ID)
		assert.Equal(t, p.Title, m.Title)
		if w, known := want[p.ID]; known {
			assert.Equal(t, w, fmt.Sprintf("%d CPUs on %d cores", len(m.CPUs), len(m.Cores)))
			delete(want, p.ID)
		}
	}
	assert.Empty(t, want, "presets that are gone")
	_, ok := machine.Find("t3000")
	assert.False(t, ok)
}

// issue runs the model for k equal threads.
func issue(k int, cpi machine.CPI) (speed, slots float64) {
	cpis, speeds := make([]machine.CPI, k), make([]machine.Permille, k)
	for i := range cpis {
		cpis[i] = cpi
	}
	used := machine.Issue(cpis, speeds)
	if k > 0 {
		speed = float64(speeds[0]) / 1000
	}
	return speed, float64(used) / 1000
}

// FACTS §11.3: p0 = 1, pj = pj−1·(k−j+1)/(c−1), U(k) = 1 − p0/Σp; the speed of
// each strand relative to running alone is U(k)/(k·U(1)).
func TestIssueFollowsTheQueueingEstimateOfTheReference(t *testing.T) {
	for _, cpi := range []float64{1.25, 1.5, 2, 3, 4, 5.6, 7.2} {
		solo := 1 / cpi
		for k := range 5 {
			p, sum := 1.0, 1.0
			for j := 1; j <= k; j++ {
				p *= float64(k-j+1) / (cpi - 1)
				sum += p
			}
			speed, slots := issue(k, machine.CPI(cpi*1000))
			assert.InDelta(t, 1-1/sum, slots, 0.002, "CPI %v, %d busy", cpi, k)
			if k > 0 {
				assert.InDelta(t, (1-1/sum)/(float64(k)*solo), speed, 0.002, "CPI %v, %d busy", cpi, k)
			}
		}
	}
	// The table's own figures: relative speed with four busy strands.
	for cpi, want := range map[machine.CPI]float64{1250: .31, 1500: .37, 2000: .49, 3000: .68, 4000: .79, 5600: .89, 7200: .93} {
		speed, _ := issue(4, cpi)
		assert.InDelta(t, want, speed, 0.01, "CPI %d", cpi)
	}
}

func TestIssueWithUnequalThreadsConservesSlots(t *testing.T) {
	cpis := []machine.CPI{1250, 2000, 5600, 100_000}
	speeds := make([]machine.Permille, 4)
	slots := machine.Issue(cpis, speeds)
	used := 0.0
	for i, s := range speeds {
		used += float64(s) / float64(cpis[i]) // instructions a cycle
	}
	assert.InDelta(t, float64(slots)/1000, used, 0.003, "what the strands issue is what the pipeline serves")
	assert.Less(t, speeds[0], speeds[1], "who asks for most is held up most")
	assert.Less(t, speeds[1], speeds[2])
	assert.Less(t, speeds[2], speeds[3])
	speeds = make([]machine.Permille, 4)
	assert.LessOrEqual(t, machine.Issue([]machine.CPI{machine.MinCPI, machine.MinCPI, machine.MinCPI, machine.MinCPI}, speeds), machine.Permille(1000))
	assert.InDelta(t, 252, int(speeds[0]), 3, "four that never wait take turns")
}

func TestAFlatMachineMayHaveAnyNumberOfCPUs(t *testing.T) {
	for id, cpus := range map[string]int{"smp1": 1, "smp6": 6, "smp4": 4, "smp4096": 4096} {
		m, ok := machine.Find(id)
		require.True(t, ok, id)
		assert.Len(t, m.CPUs, cpus)
		assert.Len(t, m.Cores, cpus)
	}
	for _, id := range []string{"smp", "smp0", "smp-3", "smp06", "smp4097", "smp6 ", "6"} {
		_, ok := machine.Find(id)
		assert.False(t, ok, id)
	}
}
