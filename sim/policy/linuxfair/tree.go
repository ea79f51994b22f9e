package linuxfair

// Tree is a red-black tree of entities in order of keys, equal ones in order of
// insertion. Its shape is that of lib/rbtree.c for the same operations, and so is
// what each node knows of those below it: the least V is always right, but rotations
// and replacements carry only that along, so that the least slice may be out of date
// until its node is computed anew. Linux 6.18 decides by the root's.
type Tree struct {
	Root  *Entity
	first *Entity
}

// First is the entity with the smallest key; nil in an empty tree.
func (t *Tree) First() *Entity { return t.first }

// Next is the entity after e in order, nil after the last.
func (t *Tree) Next(e *Entity) *Entity {
	if n := e.child[1]; n != nil {
		for n.child[0] != nil {
			n = n.child[0]
		}
		return n
	}
	for e.parent != nil && e.parent.child[1] == e {
		e = e.parent
	}
	return e.parent
}

// MinSlice is the root's idea of the least slice; ok is false in an empty tree.
func (t *Tree) MinSlice() (slice int64, ok bool) {
	if t.Root == nil {
		return 0, false
	}
	return t.Root.minSlice, true
}

// FirstWithin is the first entity in order whose V is at most limit; nil if none is.
func (t *Tree) FirstWithin(limit int64) *Entity {
	for e := t.Root; e != nil; {
		switch l := e.child[0]; {
		case l != nil && l.minV-limit <= 0:
			e = l
		case e.V-limit <= 0:
			return e
		default:
			e = e.child[1]
		}
	}
	return nil
}

// Insert puts an entity in with a key.
func (t *Tree) Insert(e *Entity, key int64) {
	e.key, e.child, e.red = key, [2]*Entity{}, true
	e.minV, e.minSlice = e.V, e.Slice
	var parent *Entity
	side, leftmost := 0, true
	for n := t.Root; n != nil; n = n.child[side] {
		parent, side = n, 0
		if key-n.key >= 0 {
			side, leftmost = 1, false
		}
	}
	e.parent = parent
	if parent == nil {
		t.Root = e
	} else {
		parent.child[side] = e
	}
	if leftmost {
		t.first = e
	}
	propagate(parent, nil)
	t.balanceInsert(e)
}

// balanceInsert removes a red node below a red one.
func (t *Tree) balanceInsert(e *Entity) {
	for {
		p := e.parent
		if p == nil {
			e.red = false
			return
		}
		if !p.red {
			return
		}
		g := p.parent
		side := sideOf(p)
		if u := g.child[1-side]; u != nil && u.red {
			p.red, u.red, g.red = false, false, true
			e = g
			continue
		}
		if sideOf(e) != side {
			t.rotate(p, side)
			p = e
		}
		p.red, g.red = false, true
		t.rotate(g, 1-side)
		return
	}
}

// Remove takes an entity out.
func (t *Tree) Remove(e *Entity) {
	if t.first == e {
		t.first = t.Next(e)
	}
	short, from := t.unlink(e)
	propagate(from, nil)
	if short != nil {
		t.balanceRemove(short)
	}
	e.parent, e.child = nil, [2]*Entity{}
}

// unlink cuts e out. short is the node below which a black one is missing, nil if
// none is; from is where figures are to be computed upwards.
func (t *Tree) unlink(e *Entity) (short, from *Entity) {
	l, r := e.child[0], e.child[1]
	if l == nil || r == nil {
		only := l
		if l == nil {
			only = r
		}
		p := e.parent
		t.replace(e, only)
		if only != nil {
			only.parent, only.red = p, e.red
		} else if !e.red {
			short = p
		}
		return short, p
	}
	s := r
	for s.child[0] != nil {
		s = s.child[0]
	}
	p, below := s.parent, s.child[1]
	if s == r {
		p = s
		s.minV = e.minV
	} else {
		p.child[0] = below
		s.child[1], r.parent = r, s
		s.minV = e.minV
		propagate(p, s)
	}
	s.child[0], l.parent = l, s
	t.replace(e, s)
	if below != nil {
		below.parent, below.red = p, false
	} else if !s.red {
		short = p
	}
	s.parent, s.red = e.parent, e.red
	return short, s
}

// balanceRemove makes up for the black node that is missing below p.
func (t *Tree) balanceRemove(p *Entity) {
	var e *Entity // the subtree that is short, empty at first
	for {
		side := 0
		if e == p.child[1] {
			// An empty right side is short; an empty left one is told from it by its
			// sibling, which always exists.
			side = 1
		}
		sib := p.child[1-side]
		if sib.red {
			sib.red, p.red = false, true
			t.rotate(p, side)
			sib = p.child[1-side]
		}
		near, far := sib.child[side], sib.child[1-side]
		if !isRed(far) {
			if !isRed(near) {
				sib.red = true
				if p.red {
					p.red = false
					return
				}
				e, p = p, p.parent
				if p == nil {
					return
				}
				continue
			}
			t.rotate(sib, 1-side)
			far, sib = sib, near
		}
		sib.red, p.red, far.red = p.red, false, false
		t.rotate(p, side)
		return
	}
}

// rotate moves x down to a side; its child of the other side takes its place.
func (t *Tree) rotate(x *Entity, side int) {
	y := x.child[1-side]
	in := y.child[side]
	x.child[1-side] = in
	if in != nil {
		in.parent = x
	}
	t.replace(x, y)
	y.parent = x.parent
	y.child[side], x.parent = x, y
	y.minV = x.minV
	x.compute()
}

// replace puts a node, or nil, where e hangs.
func (t *Tree) replace(e, by *Entity) {
	if e.parent == nil {
		t.Root = by
	} else {
		e.parent.child[sideOf(e)] = by
	}
}

func sideOf(e *Entity) int {
	if e.parent.child[0] == e {
		return 0
	}
	return 1
}

func isRed(e *Entity) bool { return e != nil && e.red }

// compute works out a node's figures from its own and its children's, and reports
// whether they were so before.
func (e *Entity) compute() bool {
	v, s := e.V, e.Slice
	for _, c := range e.child {
		if c != nil {
			if c.minV-v < 0 {
				v = c.minV
			}
			s = min(s, c.minSlice)
		}
	}
	same := v == e.minV && s == e.minSlice
	e.minV, e.minSlice = v, s
	return same
}

// propagate computes nodes upwards, up to stop or to the first that stays as it was.
func propagate(e, stop *Entity) {
	for ; e != stop; e = e.parent {
		if e.compute() {
			return
		}
	}
}
