package proto

import (
	"strconv"

	"strandscope/sim"
	"strandscope/sim/clock"
	"strandscope/sim/jsonc"
	"strandscope/sim/stats"
)

// maxBookRows is how many jobs the page is told of; more are not read there.
const maxBookRows = 200

// wireBook is a job list's table. Times are in units, "" where not known yet.
type wireBook struct {
	Rows  [][8]string `json:"rows"` // name, arrived, ran, started, ended, response, turnaround, waiting
	More  int         `json:"more"` // rows that are not told
	Means [3]wireMean `json:"means"`
	Left  int         `json:"left"`  // jobs that have not ended, and are in no mean
	Order []string    `json:"order"` // by CPU
	Tasks [][5]string `json:"tasks"` // periodic: name, released, finished, missed, worst response
}

// wireMean is an exact mean and its decimals.
type wireMean struct {
	Exact   string `json:"exact"`
	Decimal string `json:"decimal"`
}

func meanOf(f stats.Fraction) wireMean {
	if f.Den == 0 {
		return wireMean{}
	}
	return wireMean{f.String(), f.Decimal()}
}

func meansOf(m *stats.Means) [3]wireMean {
	return [3]wireMean{meanOf(m.Response), meanOf(m.Turnaround), meanOf(m.Waiting)}
}

// bookOf is nil where the scenario has no job list.
func bookOf(t *sim.JobTable) *wireBook {
	in := func(d clock.Duration) string {
		if d < 0 {
			return ""
		}
		return sim.InUnits(d, t.Unit)
	}
	b := &wireBook{Rows: [][8]string{}, Means: meansOf(&t.Means), Left: t.Means.Unfinished, Order: t.Order, Tasks: [][5]string{}}
	for i, r := range t.Rows {
		if i == maxBookRows {
			b.More = len(t.Rows) - i
			break
		}
		b.Rows = append(b.Rows, [8]string{r.Name, in(r.Arrived), in(r.Ran), in(r.Started), in(r.Ended), in(r.Response), in(r.Turnaround), in(r.Waiting)})
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, x := range t.Tasks {
		b.Tasks = append(b.Tasks, [5]string{x.Name, count(x.Released), count(x.Finished), count(x.Missed), in(x.Worst)})
	}
	return b
}

// wirePolicy is a row of the comparison of policies.
type wirePolicy struct {
	Name     string      `json:"name"`
	Means    [3]wireMean `json:"means"`
	Best     [3]bool     `json:"best"`
	Missed   int64       `json:"missed"`
	Released int64       `json:"released"`
	Order    string      `json:"order"`
}

// Policies writes the answer to AskPolicies; err is why there is none.
func Policies(seq int64, rows []sim.PolicyRow, err error) []byte {
	list := make([]wirePolicy, len(rows))
	for i := range rows {
		r := &rows[i]
		list[i] = wirePolicy{r.Name(), meansOf(&r.Table.Means), [3]bool{r.Best.Response, r.Best.Turnaround, r.Best.Waiting}, r.Missed, r.Released, ""}
		if len(r.Table.Order) == 1 {
			list[i].Order = r.Table.Order[0]
		}
	}
	return jsonc.Append(nil, struct {
		V     int          `json:"v"`
		Type  string       `json:"type"`
		N     int64        `json:"n"`
		Rows  []wirePolicy `json:"rows"`
		Error string       `json:"error"`
	}{Version, "policies", seq, list, words(err)})
}

// wireExercise is a question on a job list, with its answer.
type wireExercise struct {
	Rule     string      `json:"rule"`
	Asks     string      `json:"asks"`
	Jobs     [][4]string `json:"jobs"` // name, arrival, burst, priority or ""
	Document string      `json:"document"`
	Answer   *wireBook   `json:"answer"`
}

// Exercises writes the answer to AskExercises; err is why there is none.
func Exercises(seq int64, all []sim.Exercise, err error) []byte {
	list := make([]wireExercise, len(all))
	for i := range all {
		e := &all[i]
		x := wireExercise{Rule: e.Rule, Asks: e.Asks(), Jobs: [][4]string{}, Document: e.Document, Answer: bookOf(&e.Table)}
		for k := range e.Jobs {
			j := &e.Jobs[k]
			row := [4]string{j.Name, j.Arrival.String(), j.Length.String()}
			if j.Priority != 0 {
				row[3] = strconv.Itoa(j.Priority)
			}
			x.Jobs = append(x.Jobs, row)
		}
		list[i] = x
	}
	return jsonc.Append(nil, struct {
		V     int            `json:"v"`
		Type  string         `json:"type"`
		N     int64          `json:"n"`
		List  []wireExercise `json:"list"`
		Error string         `json:"error"`
	}{Version, "exercises", seq, list, words(err)})
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
