package checkpoint_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/checkpoint"
)

// nothing stays where it is.
var nothing *int

func TestWhatStaysIsPointedToAndNotCopied(t *testing.T) {
	type owner struct{ n int }
	type alias owner
	type graph struct {
		own *owner
		by  any
		as  *alias
		n   *int
	}
	o, n := &owner{1}, 2
	g := &graph{own: o, by: o, as: (*alias)(o), n: &n}
	to, _, err := checkpoint.Copy(checkpoint.New(), g, o)
	require.NoError(t, err)
	assert.Same(t, o, to.own)
	assert.Same(t, o, to.by)
	assert.Same(t, (*alias)(o), to.as)
	assert.NotSame(t, &n, to.n)
	assert.Equal(t, 2, *to.n)
}

func copied[T any](t *testing.T, root *T, shared ...reflect.Type) *T {
	t.Helper()
	to, _, err := checkpoint.Copy(checkpoint.New(shared...), root, nothing)
	require.NoError(t, err)
	return to
}

type node struct {
	name string
	next *node
	n    int
}

func TestACircleStaysACircleOfItsOwn(t *testing.T) {
	a, b := &node{name: "a"}, &node{name: "b"}
	a.next, b.next = b, a
	c := copied(t, a)
	assert.Equal(t, "b", c.next.name)
	assert.Same(t, c, c.next.next)
	c.next.n = 7
	assert.Zero(t, b.n)
}

type owner struct {
	head  *int // into body, found before it
	body  body
	tail  *body
	same  [2]*node
	empty *struct{}
}

type body struct{ a, b, c int }

func TestPointersIntoTheMiddleOfAThingStayThere(t *testing.T) {
	n := &node{name: "n"}
	o := &owner{body: body{1, 2, 3}, same: [2]*node{n, n}, empty: &struct{}{}}
	o.head, o.tail = &o.body.b, &o.body
	c := copied(t, o)
	assert.Same(t, &c.body.b, c.head)
	assert.Same(t, &c.body, c.tail)
	assert.Same(t, c.same[0], c.same[1])
	assert.NotSame(t, n, c.same[0])
	assert.NotNil(t, c.empty)
	*c.head = 9
	assert.Equal(t, body{1, 9, 3}, c.body)
	assert.Equal(t, body{1, 2, 3}, o.body)
}

type views struct {
	left, right, apart []int
	elem               *int
	empty, none        []int
	array              []int
	fixed              [4]int
	nested             [][]node
}

func TestSlicesOfOneArrayShareOneInTheCopy(t *testing.T) {
	back := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	v := &views{left: back[0:4:5], right: back[3:8], apart: back[9:], elem: &back[5], empty: []int{}, nested: [][]node{{{n: 1}}, nil}}
	v.array = v.fixed[1:3]
	c := copied(t, v)
	assert.Equal(t, v, c)
	assert.Equal(t, 7, cap(c.right))
	assert.Equal(t, 5, cap(c.left))
	assert.NotNil(t, c.empty)
	assert.Nil(t, c.none)
	assert.Equal(t, 9, c.right[:7][6], "what lies beyond the length comes along")
	c.left[3] = 33
	assert.Equal(t, 33, c.right[0])
	c.right[2] = 55
	assert.Equal(t, 55, *c.elem)
	c.array[0] = 11
	assert.Equal(t, [4]int{0, 11, 0, 0}, c.fixed)
	c.nested[0][0].n = 2
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, back)
	assert.Equal(t, 1, v.nested[0][0].n)
}

type doer interface{ do() int }

// counter does with a pointer receiver, wrapped as a value that is one pointer,
// pair as a value that holds more than one word.
type (
	counter struct{ n int }
	wrapped struct{ c *counter }
	pair    struct {
		c    *counter
		more doer
		text string
	}
	number int
)

func (c *counter) do() int { c.n++; return c.n }
func (w wrapped) do() int  { return w.c.do() }
func (p pair) do() int     { return p.c.do() + p.more.do() }
func (n number) do() int   { return int(n) }

func TestInterfacesLeadToTheCopy(t *testing.T) {
	c := &counter{10}
	list := []doer{c, wrapped{c}, pair{c, pair{c, number(100), "inner"}, "outer"}, number(5), nil, (*counter)(nil)}
	to := *copied(t, &list)
	require.Len(t, to, len(list))
	assert.Equal(t, list, to)
	assert.Equal(t, 11, to[0].do())
	assert.Equal(t, 12, to[1].do())
	assert.Equal(t, 13+14+100, to[2].do())
	assert.Equal(t, 5, to[3].do())
	assert.Equal(t, 10, c.n, "the first one counted nothing")
	var whole any = list
	again := *copied(t, &whole)
	again.([]doer)[0] = nil
	assert.NotNil(t, list[0])
}

type tables struct {
	byName, alias map[string]*node
	byNode        map[*node]doer
	values        map[int][]int
	sets          map[string]struct{}
	none          map[string]int
	first         *node
}

func TestMapsAreFilledAnew(t *testing.T) {
	a := &node{name: "a"}
	x := &tables{
		byName: map[string]*node{"a": a, "b": {name: "b"}}, byNode: map[*node]doer{a: wrapped{&counter{1}}},
		values: map[int][]int{1: {1, 2}}, sets: map[string]struct{}{"s": {}}, first: a,
	}
	x.alias = x.byName
	c := copied(t, x)
	assert.Same(t, c.first, c.byName["a"])
	assert.NotSame(t, a, c.first)
	assert.Equal(t, 2, c.byNode[c.first].do())
	assert.Equal(t, 2, x.byNode[a].do(), "and not 3")
	c.alias["c"] = nil
	assert.Contains(t, c.byName, "c", "still one map")
	assert.Len(t, x.byName, 2)
	c.values[1][0] = 5
	assert.Equal(t, []int{1, 2}, x.values[1])
	assert.Equal(t, x.sets, c.sets)
	assert.Nil(t, c.none)
}

type table struct{ rows []int }

type user struct {
	t    *table
	by   table
	any  any
	list []*table
}

func TestWhatIsDeclaredSharedStaysOne(t *testing.T) {
	tab := &table{rows: []int{1}}
	u := &user{t: tab, by: *tab, any: tab, list: []*table{tab}}
	c := copied(t, u, reflect.TypeFor[table]())
	assert.Same(t, tab, c.t)
	assert.Same(t, tab, c.any)
	assert.Same(t, tab, c.list[0])
	assert.Same(t, &tab.rows[0], &c.by.rows[0])
	c.list[0] = nil
	assert.Same(t, tab, u.list[0], "the list itself is no shared one")
	_, size, err := checkpoint.Copy(checkpoint.New(reflect.TypeFor[table]()), u, nothing)
	require.NoError(t, err)
	assert.Equal(t, checkpoint.Size{Bytes: int(unsafe.Sizeof(*u) + unsafe.Sizeof(tab)), Objects: 2}, size)
}

type holder struct {
	jobs []job
	ch   chan int
	raw  unsafe.Pointer
	in   any
}

type job struct{ fn func() int }

func one() int { return 1 }

var two = func() int { return 2 }

func adder(n int) func() int { return func() int { return n } }

func identity[T any]() int { return 0 }

var made = adder(3)

func TestAFuncThatMayHoldVariablesIsRefusedWithItsPath(t *testing.T) {
	c := checkpoint.New()
	for _, x := range []struct {
		h    holder
		want string
	}{
		{holder{jobs: []job{{}, {fn: one}, {fn: two}, {fn: nil}}}, ""},
		{holder{in: (*counter).do}, ""},
		{holder{jobs: []job{{fn: one}, {fn: adder(1)}}}, "jobs[1].fn: func strandscope/sim/checkpoint_test."},
		{holder{jobs: []job{{fn: one}, {fn: made}}}, "jobs[1].fn: func "},
		{holder{jobs: []job{{fn: (&counter{}).do}}}, "jobs.fn: func strandscope/sim/checkpoint_test.(*counter).do-fm may hold variables, which cannot be copied: an interface value can"},
		{holder{in: &job{fn: identity[int]}}, "in.fn: func "},
		{holder{in: map[string]job{"x": {fn: adder(1)}}}, "in.fn: func "},
		{holder{ch: make(chan int)}, "ch: a value of type chan int cannot be copied"},
		{holder{raw: unsafe.Pointer(&made)}, "raw: a value of type unsafe.Pointer cannot be copied"},
	} {
		to, _, err := checkpoint.Copy(c, &x.h, nothing)
		if x.want == "" {
			require.NoError(t, err)
			if x.h.in == nil {
				assert.Equal(t, 1, to.jobs[1].fn())
				assert.Equal(t, 2, to.jobs[2].fn())
			}
			continue
		}
		require.ErrorContains(t, err, x.want)
	}
}

func TestCopiesOfCopiesSurviveTheCollector(t *testing.T) {
	c := checkpoint.New()
	root := &tables{byName: map[string]*node{}}
	for i := range 2000 {
		n := &node{name: string(rune('a' + i%26)), n: i, next: root.first}
		root.first = n
		if i%100 == 0 {
			root.byName[n.name] = n
		}
	}
	for range 50 {
		next, size, err := checkpoint.Copy(c, root, nothing)
		require.NoError(t, err)
		require.GreaterOrEqual(t, size.Objects, 2001)
		_ = make([]byte, 1<<20) // so that the collector runs
		root = next
	}
	sum := 0
	for n := root.first; n != nil; n = n.next {
		sum += n.n
	}
	assert.Equal(t, 2000*1999/2, sum)
	for name, n := range root.byName {
		assert.Equal(t, name, n.name)
	}
}
