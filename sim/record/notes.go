package record

import "fmt"

// Note is what was found amiss in a file.
type Note struct {
	Line  int64 // counted from 1; 0: the file as a whole
	Field string
	Text  string // one sentence without its full stop
}

// Notes are what was found amiss, the first of each sort only, and how many more there
// were.
type Notes struct {
	List []Note
	More []Count // further ones by sort, in order of appearance
	// Rest is the number of notes of sorts that are not told apart.
	Rest int64

	seen map[string]int // index into sorts; looked up only
	n    []int64
}

const (
	mostSorts = 64
	mostEach  = 2 // notes of a sort that are kept
)

// add notes something of a sort: what it says apart from the values in it.
func (n *Notes) add(sort string, note Note) {
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	i, ok := n.seen[sort]
	if !ok {
		if len(n.n) == mostSorts {
			n.Rest++
			return
		}
		i = len(n.n)
		n.seen[sort] = i
		n.n = append(n.n, 0)
		n.More = append(n.More, Count{Name: sort})
	}
	if n.n[i]++; n.n[i] <= mostEach {
		n.List = append(n.List, note)
		return
	}
	n.More[i].N++
}

// Total is how much was found amiss in all.
func (n *Notes) Total() int64 {
	sum := n.Rest
	for _, x := range n.n {
		sum += x
	}
	return sum
}

// Text are the notes as sentences about a file.
func (n *Notes) Text(file string) []string {
	var lines []string
	for _, x := range n.List {
		where := file
		if x.Line > 0 {
			where = fmt.Sprintf("%s:%d", file, x.Line)
		}
		if x.Field != "" {
			where += ": " + x.Field
		}
		lines = append(lines, where+": "+x.Text)
	}
	for _, m := range n.More {
		if m.N > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d more of this sort: %s", file, m.N, m.Name))
		}
	}
	if n.Rest > 0 {
		lines = append(lines, fmt.Sprintf("%s: %d more notes of other sorts", file, n.Rest))
	}
	return lines
}
