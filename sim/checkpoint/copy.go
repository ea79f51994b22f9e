package checkpoint

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// Copier copies graphs. It may be used by several goroutines.
type Copier struct {
	mu     sync.Mutex
	shared map[reflect.Type]bool
	plans  map[reflect.Type]*plan
	static map[uintptr]bool // by entry point: the func holds no variables
	walk   walk             // its storage is used again
}

// New returns a copier that leaves values of the given types alone: a pointer to
// one is copied as it is, and a value of one bit by bit. Nobody may change them
// once they are in a graph.
func New(shared ...reflect.Type) *Copier {
	c := &Copier{
		shared: map[reflect.Type]bool{}, plans: map[reflect.Type]*plan{}, static: map[uintptr]bool{},
	}
	for _, t := range shared {
		c.shared[t] = true
	}
	return c
}

// Size is how large a copy is.
type Size struct {
	Bytes   int // shared values, strings and the tables of maps left out
	Objects int // variables and arrays
}

// Copy returns a copy of everything that root leads to, but for what stays: a
// pointer to that variable, by whatever type, is copied as it is. The graph must
// not change meanwhile. An error names the path to what cannot be copied.
func Copy[T, S any](c *Copier, root *T, stays *S) (*T, Size, error) {
	to, size, err := c.copy(unsafe.Pointer(root), reflect.TypeFor[T](), unsafe.Pointer(stays))
	return (*T)(to), size, err
}

func (c *Copier) copy(root unsafe.Pointer, t reflect.Type, stays unsafe.Pointer) (unsafe.Pointer, Size, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &c.walk
	defer w.forget() // nothing of the graph may be kept alive
	w.Copier, w.stays = c, stays
	w.reach(root, c.planOf(t), 1, -1, nil)
	if err := w.all(); err != nil {
		return nil, Size{}, err
	}
	if err := w.merge(); err != nil {
		return nil, Size{}, err
	}
	w.allocate()
	w.relink()
	size := Size{Objects: len(w.tops)}
	for i := range w.tops {
		size.Bytes += int(w.tops[i].size())
	}
	return w.translate(root), size, nil
}

// region is memory that holds n values of a type.
type region struct {
	at     unsafe.Pointer
	plan   *plan
	n      int
	parent int32          // the region that led to it, −1 none
	from   unsafe.Pointer // the place there
	to     unsafe.Pointer // the copy, of those that lie in no other
}

func (r *region) size() uintptr { return r.plan.typ.Size() * uintptr(r.n) }
func (r *region) end() uintptr  { return uintptr(r.at) + r.size() }

type key struct {
	at   unsafe.Pointer
	plan *plan
}

// link is a place that holds a pointer into the graph.
type link struct{ place, target unsafe.Pointer }

// box is a value in an interface that is no pointer but holds some. What is
// boxed cannot be written to, so it is unpacked first and packed again.
type box struct {
	place unsafe.Pointer
	typ   reflect.Type  // of the interface
	held  reflect.Value // a pointer to it
}

// table is a map, its keys and values unpacked in the same way.
type table struct {
	typ          reflect.Type
	places       []unsafe.Pointer
	keys, values []reflect.Value // pointers to them
}

// walk is one copy being made: first it finds all regions, then it gives each
// one memory, then it lets the copies point to each other.
type walk struct {
	*Copier
	stays unsafe.Pointer
	found []region
	seen  map[key]int32 // those found, by where and what
	todo  []int32
	links []link
	boxes []box
	list  []table
	maps  map[unsafe.Pointer]int32 // in list
	order []start
	tops  []region // by address; none overlaps another
	err   error
}

// start is where a region begins, and which one.
type start struct {
	at    unsafe.Pointer
	index int32
}

// forget empties the storage.
func (w *walk) forget() {
	clear(w.found)
	clear(w.links)
	clear(w.order)
	clear(w.tops)
	if len(w.seen) > 1<<14 { // a map never shrinks
		w.seen = map[key]int32{}
	}
	clear(w.seen)
	*w = walk{found: w.found[:0], links: w.links[:0], order: w.order[:0], tops: w.tops[:0], todo: w.todo[:0], seen: w.seen}
}

// reach notes a region that the place from in a region leads to.
func (w *walk) reach(at unsafe.Pointer, p *plan, n int, parent int32, from unsafe.Pointer) {
	if at == nil || n == 0 || p.typ.Size() == 0 {
		return
	}
	if w.seen == nil {
		w.seen = map[key]int32{}
	}
	k := key{at, p}
	i, known := w.seen[k]
	switch {
	case !known:
		i = int32(len(w.found))
		w.seen[k] = i
		w.found = append(w.found, region{at: at, plan: p, n: n, parent: parent, from: from})
	case w.found[i].n < n:
		w.found[i].n = n
	default:
		return
	}
	if len(p.slots) > 0 {
		w.todo = append(w.todo, i)
	}
}

// all looks into every region until nothing new is found.
func (w *walk) all() error {
	for len(w.todo) > 0 && w.err == nil {
		i := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		r := w.found[i]
		for n := range r.n {
			at := unsafe.Add(r.at, uintptr(n)*r.plan.typ.Size())
			for s := range r.plan.slots {
				w.look(i, unsafe.Add(at, r.plan.slots[s].off), &r.plan.slots[s])
			}
		}
	}
	return w.err
}

// look follows one slot of a region.
func (w *walk) look(in int32, place unsafe.Pointer, s *slot) {
	target := *(*unsafe.Pointer)(place)
	if target == nil {
		return // also an interface without a type
	}
	switch s.kind {
	case pointerSlot:
		w.follow(in, place, target, s.elem, 1)
	case sliceSlot:
		w.follow(in, place, target, s.elem, reflect.NewAt(s.typ, place).Elem().Cap())
	case interfaceSlot:
		w.lookInside(in, place, s)
	case mapSlot:
		w.lookUp(in, place, target, s)
	case funcSlot:
		if f := reflect.NewAt(s.typ, place).Elem(); !w.isStatic(f.Pointer()) {
			w.fail(in, place, "func %s may hold variables, which cannot be copied: an interface value can", funcName(f.Pointer()))
		}
	case refusedSlot:
		w.fail(in, place, "a value of type %v cannot be copied", s.typ)
	}
}

func (w *walk) follow(in int32, place, target unsafe.Pointer, p *plan, n int) {
	if n == 0 || p.typ.Size() == 0 || target == w.stays {
		return // nothing is there to be changed, or it is to stay
	}
	w.links = append(w.links, link{place, target})
	w.reach(target, p, n, in, place)
}

// lookInside follows an interface.
func (w *walk) lookInside(in int32, place unsafe.Pointer, s *slot) {
	held := reflect.NewAt(s.typ, place).Elem().Elem()
	t := held.Type()
	if w.shared[t] {
		return
	}
	if t.Kind() == reflect.Pointer {
		if !w.shared[t.Elem()] && !held.IsNil() {
			w.follow(in, unsafe.Add(place, unsafe.Sizeof(uintptr(0))), held.UnsafePointer(), w.planOf(t.Elem()), 1)
		}
		return
	}
	if len(w.planOf(t).slots) > 0 { // else it is never changed in place
		w.boxes = append(w.boxes, box{place, s.typ, w.unpack(held, in, place)})
	}
}

// lookUp follows a map.
func (w *walk) lookUp(in int32, place, target unsafe.Pointer, s *slot) {
	if i, known := w.maps[target]; known {
		w.list[i].places = append(w.list[i].places, place)
		return
	}
	x := table{typ: s.typ, places: []unsafe.Pointer{place}}
	for it := reflect.NewAt(s.typ, place).Elem().MapRange(); it.Next(); {
		x.keys = append(x.keys, w.unpack(it.Key(), in, place))
		x.values = append(x.values, w.unpack(it.Value(), in, place))
	}
	if w.maps == nil {
		w.maps = map[unsafe.Pointer]int32{}
	}
	w.maps[target] = int32(len(w.list))
	w.list = append(w.list, x)
}

// unpack puts a value that has no place of its own into a variable.
func (w *walk) unpack(v reflect.Value, in int32, place unsafe.Pointer) reflect.Value {
	to := reflect.New(v.Type())
	to.Elem().Set(v)
	w.reach(to.UnsafePointer(), w.planOf(v.Type()), 1, in, place)
	return to
}

// copied is the copy of a variable.
func (w *walk) copied(v reflect.Value) reflect.Value {
	if v.Type().Elem().Size() == 0 {
		return v.Elem()
	}
	return reflect.NewAt(v.Type().Elem(), w.translate(v.UnsafePointer())).Elem()
}

// merge finds the regions that lie in no other. Slices of one array that overlap
// become one.
func (w *walk) merge() error {
	for i := range w.found {
		w.order = append(w.order, start{w.found[i].at, int32(i)})
	}
	w.sort()
	for _, s := range w.order {
		r := &w.found[s.index]
		if len(w.tops) == 0 || uintptr(r.at) >= w.tops[len(w.tops)-1].end() {
			w.tops = append(w.tops, *r)
			continue
		}
		top := &w.tops[len(w.tops)-1]
		if r.end() <= top.end() {
			continue
		}
		gap := uintptr(r.at) - uintptr(top.at)
		if r.plan != top.plan || gap%r.plan.typ.Size() != 0 {
			return fmt.Errorf("checkpoint: a %v and a %v overlap", top.plan.typ, r.plan.typ)
		}
		top.n = int(gap/r.plan.typ.Size()) + r.n
	}
	return nil
}

// gaps of a Shell sort (Ciura, "Best increments for the average case of
// Shellsort", FCT 2001, and on by 2.25). A generic sort would be 20 KB of the page
// more, and this one is as quick for some thousands.
var gaps = [...]int{17961, 7983, 3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1}

// sort orders the starts by address; of those at one address the largest region
// is first.
func (w *walk) sort() {
	o := w.order
	for _, gap := range gaps {
		for i := gap; i < len(o); i++ {
			s, k := o[i], i
			for ; k >= gap && w.after(o[k-gap], s); k -= gap {
				o[k] = o[k-gap]
			}
			o[k] = s
		}
	}
}

func (w *walk) after(a, b start) bool {
	if a.at != b.at {
		return uintptr(a.at) > uintptr(b.at)
	}
	return w.found[a.index].size() < w.found[b.index].size()
}

// wordwise is the size from which on memory for bytes is aligned for anything.
const wordwise = 16

// allocate gives each region a copy bit by bit. Variables of one type get one
// array: that is a single allocation instead of hundreds.
func (w *walk) allocate() {
	single := map[*plan][]int{}
	var order []*plan
	for i := range w.tops {
		r := &w.tops[i]
		if r.n == 1 {
			if single[r.plan] == nil {
				order = append(order, r.plan)
			}
			single[r.plan] = append(single[r.plan], i)
			continue
		}
		if r.plan.flat && r.size() >= wordwise {
			// Nobody has to clear first what is written over.
			from := unsafe.Slice((*byte)(r.at), r.size())
			r.to = unsafe.Pointer(unsafe.SliceData(append([]byte(nil), from...)))
			continue
		}
		v := reflect.MakeSlice(r.plan.many, r.n, r.n)
		reflect.Copy(v, reflect.SliceAt(r.plan.typ, r.at, r.n))
		r.to = v.UnsafePointer()
	}
	for _, p := range order {
		v := reflect.MakeSlice(p.many, len(single[p]), len(single[p]))
		for n, i := range single[p] {
			w.tops[i].to = unsafe.Add(v.UnsafePointer(), uintptr(n)*p.typ.Size())
			v.Index(n).Set(reflect.NewAt(p.typ, w.tops[i].at).Elem())
		}
	}
}

// translate is the place in the copy that a place in the graph became.
func (w *walk) translate(at unsafe.Pointer) unsafe.Pointer {
	lo, hi := 0, len(w.tops)
	for lo < hi {
		if mid := (lo + hi) / 2; uintptr(w.tops[mid].at) <= uintptr(at) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	r := &w.tops[lo-1]
	return unsafe.Add(r.to, uintptr(at)-uintptr(r.at))
}

// relink lets the copies point to each other.
func (w *walk) relink() {
	for _, l := range w.links {
		*(*unsafe.Pointer)(w.translate(l.place)) = w.translate(l.target)
	}
	for _, x := range w.list {
		m := reflect.MakeMapWithSize(x.typ, len(x.keys))
		for _, place := range x.places {
			reflect.NewAt(x.typ, w.translate(place)).Elem().Set(m)
		}
	}
	for i := len(w.boxes) - 1; i >= 0; i-- { // a box in a box was found after it
		b := &w.boxes[i]
		reflect.NewAt(b.typ, w.translate(b.place)).Elem().Set(w.copied(b.held))
	}
	// Values of maps last: they may hold boxes.
	for _, x := range w.list {
		m := reflect.NewAt(x.typ, w.translate(x.places[0])).Elem()
		for i, k := range x.keys {
			m.SetMapIndex(w.copied(k), w.copied(x.values[i]))
		}
	}
}
