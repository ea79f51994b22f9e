package solaris

import (
	"fmt"

	"strandscope/sim/sched"
)

// Bases of the once-a-second decay (fss.c; FACTS §5.1): what is left is so many
// parts of 128.
const (
	decayBase  = 128
	decayUsage = 96
	decayMax   = 95
)

// MaxShares is the largest number of shares that is accepted.
const MaxShares = 65535

// Zone owns shares of a processor set, as a scenario gives it.
type Zone struct {
	ID     int
	Shares int
}

// Project owns shares of a zone, as a scenario gives it.
type Project struct {
	ID     sched.GroupID
	Name   string
	Shares int
	Zone   int
}

type fssZoneInfo struct{ id, shares int }

type fssProjectInfo struct {
	id     sched.GroupID
	name   string
	shares int
	zone   *fssZoneInfo
}

// shareTree holds who owns what, and one account per processor set. Maps only
// find things here and are never walked: there may be as many projects as
// threads.
type shareTree struct {
	first    *fssZoneInfo // that of projects which nobody defined
	zones    map[int]*fssZoneInfo
	projects map[sched.GroupID]*fssProjectInfo
	sets     []*fssSet
}

// fssSet is the fair-share state of one processor set.
type fssSet struct {
	id        int
	maxfsspri uint64
	shares    uint64 // of its zones that have something runnable
	zones     map[*fssZoneInfo]*fssZone
	projects  []*fssProject // in order of their first thread
	byProject map[*fssProjectInfo]*fssProject
}

// fssZone is a zone within one processor set.
type fssZone struct {
	info   *fssZoneInfo
	shares uint64 // of its projects that have something runnable
	active int    // such projects
	held   uint64 // what it added to the set's shares
}

// fssProject is a project within one processor set.
type fssProject struct {
	project  *fssProjectInfo
	set      *fssSet
	zone     *fssZone
	usage    uint64
	shusage  uint64
	ticks    uint64 // cost charged in this second
	runnable uint64 // threads runnable or on CPU
	held     uint64 // what it added to its zone's shares
}

func (tr *shareTree) define(zones []Zone, projects []Project) error {
	tr.first = nil
	tr.zones = map[int]*fssZoneInfo{}
	tr.projects = map[sched.GroupID]*fssProjectInfo{}
	for _, z := range zones {
		if err := checkShares("zone", z.ID, z.Shares); err != nil {
			return err
		}
		tr.addZone(z)
	}
	if tr.first == nil {
		tr.addZone(Zone{ID: 0, Shares: 1})
	}
	for _, p := range projects {
		if err := checkShares("project", int(p.ID), p.Shares); err != nil {
			return err
		}
		zone := tr.zone(p.Zone)
		if zone == nil {
			return fmt.Errorf("solaris: project %d: zone %d is not defined", p.ID, p.Zone)
		}
		if tr.projects[p.ID] == nil {
			tr.projects[p.ID] = &fssProjectInfo{p.ID, p.Name, p.Shares, zone}
		}
	}
	return nil
}

func checkShares(what string, id, shares int) error {
	if shares < 0 || shares > MaxShares {
		return fmt.Errorf("solaris: %s %d: %d shares, want 0 to %d", what, id, shares, MaxShares)
	}
	return nil
}

func (tr *shareTree) zone(id int) *fssZoneInfo { return tr.zones[id] }

// addZone adds a zone; of two with one id the first counts.
func (tr *shareTree) addZone(z Zone) {
	if tr.zones[z.ID] != nil {
		return
	}
	info := &fssZoneInfo{z.ID, z.Shares}
	tr.zones[z.ID] = info
	if tr.first == nil {
		tr.first = info
	}
}

// account returns the account of a project in a processor set. A project that
// was never defined owns one share of the first zone, as project.cpu-shares
// defaults to.
func (tr *shareTree) account(set int, id sched.GroupID) (*fssProject, error) {
	if tr.first == nil {
		if err := tr.define(nil, nil); err != nil {
			return nil, err
		}
	}
	info := tr.project(id)
	if info == nil {
		info = &fssProjectInfo{id: id, name: "default", shares: 1, zone: tr.first}
		tr.projects[id] = info
	}
	s := tr.set(set)
	if a := s.byProject[info]; a != nil {
		return a, nil
	}
	a := &fssProject{project: info, set: s, zone: s.zone(info.zone)}
	s.projects = append(s.projects, a)
	s.byProject[info] = a
	return a, nil
}

func (tr *shareTree) project(id sched.GroupID) *fssProjectInfo { return tr.projects[id] }

func (tr *shareTree) set(id int) *fssSet {
	for _, s := range tr.sets {
		if s.id == id {
			return s
		}
	}
	s := &fssSet{id: id, zones: map[*fssZoneInfo]*fssZone{}, byProject: map[*fssProjectInfo]*fssProject{}}
	tr.sets = append(tr.sets, s)
	return s
}

func (s *fssSet) zone(info *fssZoneInfo) *fssZone {
	if z := s.zones[info]; z != nil {
		return z
	}
	z := &fssZone{info: info}
	s.zones[info] = z
	return z
}

func (a *fssProject) hasShares() bool { return a.project.shares != 0 && a.zone.info.shares != 0 }

// addRunnable counts one more runnable thread. Shares count only while there is
// one: the project's in its zone, the zone's in the set (fss.c:fss_active).
func (a *fssProject) addRunnable() {
	a.runnable++
	if a.runnable > 1 {
		return
	}
	a.held = uint64(a.project.shares)
	a.zone.shares += a.held
	a.zone.active++
	if a.zone.active == 1 {
		a.zone.held = uint64(a.zone.info.shares)
		a.set.shares += a.zone.held
	}
}

func (a *fssProject) dropRunnable() {
	a.runnable--
	if a.runnable > 0 {
		return
	}
	a.zone.shares -= a.held
	a.zone.active--
	if a.zone.active == 0 {
		a.set.shares -= a.zone.held
	}
}

// decay is the first half of the once-a-second work (fss.c:fss_decay_usage,
// FACTS §5.4): usage ages, and is weighed by shares. Share changes take effect
// here.
func (tr *shareTree) decay() {
	for _, s := range tr.sets {
		s.maxfsspri = decayedMax(s.maxfsspri)
		for _, a := range s.projects {
			a.applyShares()
			a.usage = decayedUsage(a.usage, a.ticks)
			a.ticks = 0
			a.shusage = a.weighed()
		}
	}
}

func (a *fssProject) applyShares() {
	if a.runnable == 0 {
		return
	}
	a.zone.shares += uint64(a.project.shares) - a.held
	a.held = uint64(a.project.shares)
	a.set.shares += uint64(a.zone.info.shares) - a.zone.held
	a.zone.held = uint64(a.zone.info.shares)
}

func decayedMax(m uint64) uint64 { return max(maxUserPri, m*decayMax/decayBase) }

// weighed is the project's usage weighed by shares. Project 0 of the global
// zone, the system's own, has a rule of its own.
func (a *fssProject) weighed() uint64 {
	zoneInt, zoneExt := a.zone.shares, uint64(a.zone.info.shares)
	if a.project.id == 0 && a.zone.info.id == 0 && a.hasShares() {
		return a.usage * zoneInt * zoneInt / (zoneExt * zoneExt)
	}
	return weighedUsage(a.usage, a.set.shares, zoneInt, uint64(a.project.shares), zoneExt)
}

func decayedUsage(usage, ticks uint64) uint64 { return usage*decayUsage/decayBase + ticks }

// weighedUsage squares the ratio of all shares to the project's own, in two
// truncating steps.
func weighedUsage(usage, setShares, zoneInt, project, zoneExt uint64) uint64 {
	if project == 0 || zoneExt == 0 {
		return 0
	}
	usage = usage * setShares * zoneInt / (project * zoneExt)
	return usage * setShares * zoneInt / (project * zoneExt)
}
