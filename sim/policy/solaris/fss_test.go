package solaris

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/sched"
)

// FACTS §5.5: with the scale 0…maxfsspri priorities go from 59 down to 2, and
// whoever reaches or passes the maximum gets 1 and becomes the new maximum.
func TestPriorityFallsWithWeighedUse(t *testing.T) {
	for _, c := range []struct {
		name string
		in   FSSInput
		pri  uint64
		umd  int
		max  uint64
	}{
		{"nothing used on a fresh machine", FSSInput{MaxFSSPri: 0, Shares: 1}, 0, 1, 59},
		{"nothing used, others have", FSSInput{MaxFSSPri: 1000, Shares: 1}, 0, 56, 1000},
		{"nothing used, others have much", FSSInput{MaxFSSPri: 100_000, Shares: 1}, 0, 59, 100_000},
		{"half of the maximum", FSSInput{FSSPri: 500, MaxFSSPri: 1000, Shares: 1}, 500, 30, 1000},
		{"almost the maximum", FSSInput{FSSPri: 999, MaxFSSPri: 1000, Shares: 1}, 999, 2, 1000},
		{"the maximum itself", FSSInput{FSSPri: 1000, MaxFSSPri: 1000, Shares: 1}, 1000, 1, 1000},
		{"a new maximum", FSSInput{FSSPri: 900, ShUsage: 10, Runnable: 3, Ticks: 11, MaxFSSPri: 1000, Shares: 1}, 1230, 1, 1230},
		{"ticks count by the project's runnable threads", FSSInput{ShUsage: 10, Runnable: 2, Ticks: 11, MaxFSSPri: 1000, Shares: 1}, 220, 47, 1000},
		{"without shares the priority is 0 and nothing is charged", FSSInput{FSSPri: 7, ShUsage: 10, Runnable: 2, Ticks: 11, MaxFSSPri: 1000}, 7, 0, 1000},
	} {
		pri, umd, maximum := NewPriority(c.in)
		assert.Equal(t, c.pri, pri, c.name)
		assert.Equal(t, c.umd, umd, c.name)
		assert.Equal(t, c.max, maximum, c.name)
	}
}

func TestPriorityStaysInItsRangeForEveryInput(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	wild := func() uint64 { return r.Uint64() >> r.IntN(64) }
	for range 200_000 {
		in := FSSInput{FSSPri: wild(), ShUsage: wild(), Runnable: wild(), Ticks: wild(), MaxFSSPri: wild(), Shares: 1}
		_, umd, _ := NewPriority(in)
		require.True(t, umd >= 1 && umd <= 59, "%+v gives %d", in, umd)
		d := DecayInput{
			Usage: wild(), Ticks: wild(), Project: uint64(r.IntN(3)) * uint64(r.IntN(65536)), ZoneExternal: uint64(r.IntN(65536)),
			ZoneInternal: wild(), Set: wild(), MaxFSSPri: wild(),
		}
		require.NotPanics(t, func() { DecayUsage(d) }, "%+v", d)
	}
}

func TestUseIsWeighedByTheSquareOfTheRatioOfShares(t *testing.T) {
	usage, sh, maximum := DecayUsage(DecayInput{Usage: 1000, Ticks: 250, Project: 1, ZoneInternal: 4, ZoneExternal: 1, Set: 1, MaxFSSPri: 12800})
	assert.Equal(t, uint64(1000), usage, "three quarters stay, and what was used is added")
	assert.Equal(t, uint64(16000), sh, "a quarter of the shares weighs sixteenfold")
	assert.Equal(t, uint64(9500), maximum)
	_, sh, maximum = DecayUsage(DecayInput{Usage: 999, Project: 0, ZoneInternal: 4, ZoneExternal: 1, Set: 1})
	assert.Zero(t, sh, "without shares there is no weight")
	assert.Equal(t, uint64(59), maximum, "the maximum never falls below 59")
}

func TestNiceValuesChangeWhatATickCosts(t *testing.T) {
	for _, c := range []struct {
		nice        int
		cost, decay uint64
	}{{-20, 1500, 83}, {0, 1000, 95}, {19, 525, 108}} {
		cost, decay := FSSNice(c.nice)
		assert.Equal(t, [2]uint64{c.cost, c.decay}, [2]uint64{cost, decay}, "nice %d", c.nice)
	}
}

func TestBadSharesAreRefused(t *testing.T) {
	for _, c := range []struct {
		zones    []Zone
		projects []Project
		want     string
	}{
		{nil, []Project{{ID: 1, Shares: -1}}, "project 1: -1 shares, want 0 to 65535"},
		{nil, []Project{{ID: 1, Shares: 65536}}, "project 1: 65536 shares, want 0 to 65535"},
		{[]Zone{{ID: 2, Shares: 70000}}, nil, "zone 2: 70000 shares, want 0 to 65535"},
		{nil, []Project{{ID: 1, Shares: 1, Zone: 3}}, "project 1: zone 3 is not defined"},
	} {
		var tr shareTree
		require.ErrorContains(t, tr.define(c.zones, c.projects), c.want)
	}
}

// Shares count only while a project has something runnable (FACTS §5.2).
func TestOnlyActiveProjectsAndZonesCountTheirShares(t *testing.T) {
	zones := []Zone{{ID: 0, Shares: 3}, {ID: 1, Shares: 7}, {ID: 2, Shares: 0}}
	projects := []Project{
		{ID: 1, Shares: 5}, {ID: 2, Shares: 11}, {ID: 3, Shares: 2, Zone: 1}, {ID: 4, Shares: 0, Zone: 1}, {ID: 5, Shares: 9, Zone: 2},
	}
	r := rand.New(rand.NewPCG(4, 4))
	var tr shareTree
	require.NoError(t, tr.define(zones, projects))
	var accounts [2][]*fssProject
	for set := range accounts {
		for _, p := range projects {
			a, err := tr.account(set, p.ID)
			require.NoError(t, err)
			accounts[set] = append(accounts[set], a)
		}
	}
	same, err := tr.account(1, 3)
	require.NoError(t, err)
	assert.Same(t, accounts[1][2], same)
	for range 5000 {
		a := accounts[r.IntN(2)][r.IntN(len(projects))]
		if a.runnable > 0 && r.IntN(2) == 0 {
			a.dropRunnable()
		} else if a.runnable < 4 {
			a.addRunnable()
		}
		for set := range accounts {
			var inZone [3]uint64
			var inSet uint64
			active := map[int]bool{}
			for i, a := range accounts[set] {
				if a.runnable > 0 {
					inZone[projects[i].Zone] += uint64(projects[i].Shares)
					active[projects[i].Zone] = true
				}
			}
			for _, z := range zones {
				if active[z.ID] {
					inSet += uint64(z.Shares)
				}
			}
			for i, a := range accounts[set] {
				require.Equal(t, inZone[projects[i].Zone], a.zone.shares)
				require.Equal(t, inSet, a.set.shares)
			}
		}
	}
}

func TestAProjectThatNobodyDefinedOwnsOneShare(t *testing.T) {
	var tr shareTree
	a, err := tr.account(0, 42)
	require.NoError(t, err)
	assert.Equal(t, 1, a.project.shares)
	assert.True(t, a.hasShares())
	b, err := tr.account(0, sched.GroupID(42))
	require.NoError(t, err)
	assert.Same(t, a, b)
}

func TestNewSharesCountFromTheNextUpdateOn(t *testing.T) {
	var tr shareTree
	require.NoError(t, tr.define(nil, []Project{{ID: 1, Shares: 1}, {ID: 2, Shares: 3}}))
	a, err := tr.account(0, 1)
	require.NoError(t, err)
	b, err := tr.account(0, 2)
	require.NoError(t, err)
	a.addRunnable()
	b.addRunnable()
	tr.project(1).shares = 10
	assert.Equal(t, uint64(4), a.zone.shares)
	tr.decay()
	assert.Equal(t, uint64(13), a.zone.shares)
	tr.project(1).shares = 5
	a.dropRunnable()
	assert.Equal(t, uint64(3), a.zone.shares, "what was added is taken back")
	b.dropRunnable()
	assert.Zero(t, a.zone.shares)
	assert.Zero(t, a.set.shares)
}

func TestOfTwoDefinitionsTheFirstCounts(t *testing.T) {
	var tr shareTree
	require.NoError(t, tr.define([]Zone{{ID: 1, Shares: 2}, {ID: 1, Shares: 9}}, []Project{{ID: 5, Shares: 3, Zone: 1}, {ID: 5, Shares: 8, Zone: 1}}))
	a, err := tr.account(0, 5)
	require.NoError(t, err)
	assert.Equal(t, 3, a.project.shares)
	assert.Equal(t, 2, a.zone.info.shares)
	b, err := tr.account(0, 6)
	require.NoError(t, err)
	assert.Same(t, a.zone, b.zone, "who was never defined is in the first zone")
}

// A document may name as many projects as it has threads, and each thread asks
// for its account when it enters.
func BenchmarkAHundredThousandProjects(b *testing.B) {
	for b.Loop() {
		var tr shareTree
		for id := range sched.GroupID(100_000) {
			a, err := tr.account(0, id)
			require.NoError(b, err)
			a.addRunnable()
		}
		tr.decay()
	}
}
