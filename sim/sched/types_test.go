package sched_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"strandscope/sim/sched"
)

func TestAThreadMayRunWhereItsBindingAndItsSetAllow(t *testing.T) {
	cpu := func(id, set int, online bool) *sched.CPU { return &sched.CPU{ID: id, Set: set, Online: online} }
	free := &sched.Thread{Bound: sched.NoCPU, Set: 1}
	assert.True(t, free.May(cpu(3, 1, true)))
	assert.False(t, free.May(cpu(3, 0, true)), "another set")
	assert.False(t, free.May(cpu(3, 1, false)), "off-line")
	bound := &sched.Thread{Bound: 2, Set: 1}
	assert.True(t, bound.May(cpu(2, 1, true)))
	assert.False(t, bound.May(cpu(3, 1, true)), "another CPU of its set")
}

func TestACPUIsFreeWhileItIsIdleAndNotKicked(t *testing.T) {
	c := &sched.CPU{}
	assert.True(t, c.Idle())
	assert.True(t, c.Free())
	c.Kicked = true
	assert.True(t, c.Idle())
	assert.False(t, c.Free(), "somebody sent work there already")
	c.Kicked, c.Thread = false, &sched.Thread{}
	assert.False(t, c.Idle())
	assert.False(t, c.Free())
}

func TestATableGrowsToTheThreadsItIsAskedFor(t *testing.T) {
	var tab sched.Table[int]
	*tab.At(5) = 7
	assert.Equal(t, 7, *tab.At(5))
	assert.Zero(t, *tab.At(0))
	*tab.At(100) = 1
	assert.Equal(t, 7, *tab.At(5), "what was there stays")
	assert.Zero(t, testing.AllocsPerRun(10, func() { *tab.At(50)++ }))
}

func TestStatesAndCausesHaveNames(t *testing.T) {
	for s := sched.Embryo; s <= sched.Gone; s++ {
		assert.NotEmpty(t, s.String())
	}
	for c := sched.Forked; c <= sched.Exited; c++ {
		assert.NotEmpty(t, c.String())
	}
}
