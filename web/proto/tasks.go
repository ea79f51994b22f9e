package proto

import (
	"strandscope/sim"
	"strandscope/sim/sched"
)

// maxPIDs is how many process ids of a group are listed: as many as fit one
// command line.
const maxPIDs = 600

// wireTask is a group of equal tasks as it stands now, in the order of the
// scenario's groups. Class and Nice are given where all of its threads agree.
type wireTask struct {
	Alive int     `json:"alive"`
	Class string  `json:"class,omitempty"`
	Nice  *int    `json:"nice,omitempty"`
	PIDs  []int32 `json:"pids"`
}

// tasksOf sums up the living threads of each group.
func tasksOf(f *sim.Frame) []wireTask {
	return sumUp(f, each(f.Scenario.Groups, func(g sim.Group) string { return g.Name }))
}

// startedOf sums up the living threads that belong to no group; the console's shell
// is none of them.
func startedOf(f *sim.Frame) []wireStart {
	var names []string
	known := map[string]bool{"sh": true}
	for _, g := range f.Scenario.Groups {
		known[g.Name] = true
	}
	for i := range f.Threads {
		if t := &f.Threads[i]; !known[t.Name] && !t.Kernel && t.State != sched.Gone && len(names) < maxStarted {
			known[t.Name] = true
			names = append(names, t.Name)
		}
	}
	list := make([]wireStart, len(names))
	for i, t := range sumUp(f, names) {
		list[i] = wireStart{names[i], t.Alive, t.Class, t.Nice, t.PIDs}
	}
	return list
}

// sumUp sums up the living threads of each name.
func sumUp(f *sim.Frame, names []string) []wireTask {
	tasks := make([]wireTask, len(names))
	index := make(map[string]int, len(names))
	mixed := make([]bool, len(names)) // of several classes
	uneven := make([]bool, len(names))
	for i, name := range names {
		index[name] = i
		tasks[i].PIDs = []int32{}
	}
	for i := range f.Threads {
		t := &f.Threads[i]
		at, ok := index[t.Name]
		if !ok || t.Kernel || t.State == sched.Gone {
			continue
		}
		w := &tasks[at]
		if w.Alive++; w.Alive == 1 {
			nice := t.Nice
			w.Class, w.Nice = t.Class, &nice
		}
		mixed[at] = mixed[at] || w.Class != t.Class
		uneven[at] = uneven[at] || *w.Nice != t.Nice
		if len(w.PIDs) < maxPIDs {
			w.PIDs = append(w.PIDs, t.PID)
		}
	}
	for i := range tasks {
		if mixed[i] {
			tasks[i].Class = ""
		}
		if uneven[i] {
			tasks[i].Nice = nil
		}
	}
	return tasks
}

// wireShare is a project and the shares it has now.
type wireShare struct {
	Name   string `json:"name"`
	Shares int    `json:"shares"`
}

// sharesOf lists the projects. Only a thread of a class that knows shares tells
// those in force; without one they are the scenario's.
func sharesOf(f *sim.Frame) []wireShare {
	list := make([]wireShare, 0, len(f.Scenario.Projects))
	for _, p := range f.Scenario.Projects {
		w := wireShare{p.Name, p.Shares}
		for i := range f.Threads {
			if t := &f.Threads[i]; t.Project == p.ID && t.Class == "FSS" && t.State != sched.Gone {
				w.Shares = t.Shares
				break
			}
		}
		list = append(list, w)
	}
	return list
}

func projectName(all []sim.Project, id int) string {
	for _, p := range all {
		if p.ID == id {
			return p.Name
		}
	}
	return ""
}

// maxStarted is how many names of started tasks are listed.
const maxStarted = 40

// wireStart is tasks of one name that were started in mid-run.
type wireStart struct {
	Name  string  `json:"name"`
	Alive int     `json:"alive"`
	Class string  `json:"class,omitempty"`
	Nice  *int    `json:"nice,omitempty"`
	PIDs  []int32 `json:"pids"`
}
