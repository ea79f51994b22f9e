package stats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
	"strandscope/sim/sched"
	"strandscope/sim/stats"
)

// claim adds a thread of a project with shares that waits at CPU 0.
func (s *scene) claim(project sched.GroupID, shares, set int) sched.ThreadID {
	t := s.thread("p")
	t.Group, t.Set = project, set
	s.standing[t.ID] = stats.Standing{Class: "FSS", Fair: true, Shares: shares, ZoneShares: 1}
	return s.create(0)
}

func projects(sets ...int) (*scene, *stats.Projects) {
	s := newScene()
	s.sets = sets
	p := stats.NewProjects(s, len(sets))
	s.watch(p)
	return s, p
}

// portions are what each project was entitled to and received, in thousandths
// of a domain.
func portions(d stats.Domain) map[sched.GroupID][2]int64 {
	m := map[sched.GroupID][2]int64{}
	for _, r := range d.Rows {
		m[r.Project] = [2]int64{1000 * int64(r.Entitled) / int64(d.Capacity), 1000 * int64(r.Received) / int64(d.Capacity)}
	}
	return m
}

func TestAProjectIsEntitledToItsSharesOfThoseThatHaveWork(t *testing.T) {
	s, p := projects(0)
	one, three := s.claim(1, 1, 0), s.claim(2, 3, 0)
	s.on(one, 0)
	s.pass(4 * clock.Second)
	d := p.Domains(s.now)[0]
	assert.Equal(t, map[sched.GroupID][2]int64{1: {250, 1000}, 2: {750, 0}}, portions(d))

	// Without work a project claims nothing.
	s.off(one, sched.Blocked)
	s.on(three, 0)
	s.pass(4 * clock.Second)
	d = p.Domains(s.now)[0]
	assert.Equal(t, map[sched.GroupID][2]int64{1: {125, 500}, 2: {875, 500}}, portions(d))
	assert.Equal(t, 8*clock.Second, d.Capacity)
}

func TestClaimsAreWithinAProcessorSet(t *testing.T) {
	// FACTS §5.2 and issue: shares 1, 2, 3 on sets of 2 (A, B, C), 4 (B, C) and
	// 2 (C) CPUs are 4.17, 28.33 and 67.5 % of the machine.
	s, p := projects(1, 1, 2, 2, 2, 2, 0, 0)
	for _, x := range [][2]int{{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {3, 0}} {
		s.claim(sched.GroupID(x[0]), x[0], x[1])
	}
	s.pass(10 * clock.Second)
	all := p.Domains(s.now)
	require.Len(t, all, 4)
	assert.Equal(t, map[sched.GroupID][2]int64{1: {41, 0}, 2: {283, 0}, 3: {675, 0}}, portions(all[0]))
	assert.Equal(t, map[sched.GroupID][2]int64{3: {1000, 0}}, portions(all[1]))
	assert.Equal(t, map[sched.GroupID][2]int64{1: {166, 0}, 2: {333, 0}, 3: {500, 0}}, portions(all[2]))
	assert.Equal(t, map[sched.GroupID][2]int64{2: {400, 0}, 3: {600, 0}}, portions(all[3]))
	assert.Equal(t, []int64{8, 2, 2, 4}, []int64{all[0].CPUs, all[1].CPUs, all[2].CPUs, all[3].CPUs})
}

func TestAZoneDividesItsSharesAmongItsProjects(t *testing.T) {
	s, p := projects(0, 0, 0, 0)
	ids := []sched.ThreadID{s.claim(1, 1, 0), s.claim(2, 4, 0), s.claim(3, 10, 0)}
	for i, z := range []struct{ zone, shares int }{{0, 1}, {0, 1}, {7, 3}} {
		x := s.standing[ids[i]]
		x.Zone, x.ZoneShares = z.zone, z.shares
		s.standing[ids[i]] = x
	}
	s.pass(clock.Second) // looked up at the end of it
	before := p.Domains(s.now)[0]
	s.pass(99 * clock.Second)
	after := p.Domains(s.now)[0]
	for i, want := range []int64{50, 200, 750} { // 1/5 and 4/5 of a quarter, and three quarters
		got := after.Rows[i].Entitled - before.Rows[i].Entitled
		assert.Equal(t, want, 1000*int64(got)/int64(after.Capacity-before.Capacity))
	}
}

func TestSharesThatChangeCountFromTheNextSecondOn(t *testing.T) {
	s, p := projects(0)
	s.claim(1, 1, 0)
	b := s.claim(2, 1, 0)
	s.pass(1500 * clock.Millisecond)
	x := s.standing[b]
	x.Shares = 0
	s.standing[b] = x
	s.pass(1500 * clock.Millisecond)
	d := p.Domains(s.now)[0]
	assert.Equal(t, 2*clock.Second, d.Rows[0].Entitled, "half of two seconds, all of the third")
	assert.Equal(t, clock.Second, d.Rows[1].Entitled)
	assert.Zero(t, d.Rows[1].Shares)
}

func TestAThreadThatJoinsAnotherSetClaimsThere(t *testing.T) {
	s, p := projects(0, 4)
	a := s.claim(1, 1, 0)
	s.on(a, 0)
	s.pass(clock.Second)
	s.fakeRoster.threads[a].Set = 4
	s.off(a, sched.Moved)
	s.on(a, 1)
	s.pass(clock.Second)
	all := p.Domains(s.now)
	assert.Equal(t, map[sched.GroupID][2]int64{1: {500, 500}}, portions(all[1]))
	assert.Equal(t, map[sched.GroupID][2]int64{1: {500, 500}}, portions(all[2]))
}

func TestAStrandThatGoesOfflineTakesItsTimeAway(t *testing.T) {
	s, p := projects(0, 0)
	s.on(s.claim(1, 1, 0), 0)
	s.pass(2 * clock.Second)
	s.changed(1, -1)
	s.pass(2 * clock.Second)
	d := p.Domains(s.now)[0]
	assert.Equal(t, 6*clock.Second, d.Capacity)
	assert.Equal(t, 4*clock.Second, d.Rows[0].Received)
	assert.Equal(t, int64(1), d.CPUs)
}

func TestProjectsOfOtherClassesAreEntitledToNothingInParticular(t *testing.T) {
	s, p := projects(0)
	s.on(s.add("hog", 0), 0)
	s.pass(clock.Second)
	s.thread("updates").Kernel = true
	s.create(0)
	s.pass(clock.Second)
	var to stats.Listing
	p.Report(&to, s.now)
	text := strings.Join(to.Lines, "\n")
	assert.Regexp(t, `(?m)^ +1 project1 +- +- +100\.00 +-$`, text)
	assert.Regexp(t, `(?m)\(idle\) +0\.00$`, text)
	assert.Equal(t, 1, strings.Count(text, "PROJID"), "the only set is the machine")
}

func TestTheReportSaysTheDifference(t *testing.T) {
	s, p := projects(0, 3)
	s.on(s.claim(1, 1, 0), 0)
	s.claim(2, 1, 0)
	s.pass(10 * clock.Second)
	var to stats.Listing
	p.Report(&to, s.now)
	text := strings.Join(to.Lines, "\n")
	assert.Regexp(t, `(?m)^ +1 project1 +1 +25\.00 +50\.00 +\+25\.00$`, text, "of the machine")
	assert.Regexp(t, `(?m)^ +1 project1 +1 +50\.00 +100\.00 +\+50\.00$`, text, "of the set")
	assert.Regexp(t, `(?m)^ +2 project2 +1 +50\.00 +0\.00 +-50\.00$`, text)
	assert.Contains(t, text, "processor set 3, 1 CPUs on-line")
}
