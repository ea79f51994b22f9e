package main

import (
	"fmt"
	"strings"

	"strandscope/scripts/bench/budget"
)

// A limit is what a figure has to keep; least says that it may be more, not less.
type limit struct {
	value float64
	least bool
}

func atMost(v float64) *limit  { return &limit{value: v} }
func atLeast(v float64) *limit { return &limit{value: v, least: true} }

// A figure is one row of the table.
type figure struct {
	id, what, where, unit string
	key                   string  // of what is measured
	by                    float64 // it is multiplied by that; 0: by one
	limit                 *limit  // nil: nothing is asked of it
	steps                 float64 // ns in one unit where the figure is a time to be told in steps of the baseline
	also                  []also  // beside it, in brackets
}

// also is a second figure of the same thing.
type also struct {
	key, format string
	by          float64
}

const megabyte = 1e-6

// loads are what the engine is measured on; the first is the budget's.
var loads = []struct{ id, what string }{
	{"250-hogs", "250 hogs, 4 CPUs, Linux 2.2"},
	{"t2000-ts", "32 hogs, T2000, TS"},
	{"2048-spin", "2,048 strands, 20,000 threads spin, TS"},
	{"2048-mixed", "2,048 strands, half of 20,000 threads sleep now and then, TS"},
}

// figures are the rows in their order; ids are the scenarios whose memory is measured.
func figures(ids []string) []figure {
	list := []figure{{
		id: "baseline/native", what: "baseline: one step in a heap of 1,024", where: native, unit: "ns",
		key: key(native, "Baseline", "ns/op"),
	}}
	for _, place := range []string{inNode, inChrome} {
		f := list[0]
		f.id, f.where, f.key = "baseline/"+place, place, key(place, "Baseline", "ns/op")
		list = append(list, f)
	}
	for _, place := range []string{native, inNode, inChrome} {
		for _, load := range loads {
			for _, part := range []string{"engine", "session"} {
				list = append(list, engineFigure(place, load.id, load.what, part))
			}
		}
	}
	for _, load := range loads {
		for _, part := range []string{"engine", "session"} {
			list = append(list, figure{
				id: "allocations/" + load.id + "/" + part, what: "allocations, " + part + ", " + load.what, where: native, unit: "an event",
				key: key(native, "Budget/"+load.id+"/"+part, "allocs/event"), limit: atMost(budget.Allocations),
			})
		}
	}
	list = append(list, drawing()...)
	list = append(list, memory(ids)...)
	list = append(list, page()...)
	for _, s := range []struct {
		what, row, packing string
		most               float64
	}{
		{"program, gzip", "program", "gzip", budget.Gzip},
		{"program, brotli", "program", "brotli", budget.Brotli},
		{"what writes events, gzip", "tool", "gzip", budget.Tool},
		{"page without program, gzip", "page", "gzip", budget.Page},
		{"the single file", "strandscope.html", "plain", budget.Single},
	} {
		list = append(list, figure{
			id: "size/" + s.row + "/" + s.packing, what: s.what, where: "site", unit: "bytes",
			key: sizeKey(s.row, s.packing), limit: atMost(s.most),
		})
	}
	return list
}

func engineFigure(place, load, what, part string) figure {
	name := "Budget/" + load + "/" + part
	f := figure{
		id: "run/" + place + "/" + load + "/" + part, what: part + ", " + what, where: place, unit: "µs a CPU-tick",
		key: key(place, name, "µs/CPU-tick"), steps: 1000, also: []also{{key(place, name, "×real-time"), "× %s", 1}},
	}
	if load == "250-hogs" {
		f.limit = atMost(budget.BrowserTick)
		if place == native {
			f.limit = atMost(budget.NativeTick)
		}
	}
	if strings.HasPrefix(load, "2048") && part == "session" {
		f.unit, f.key, f.limit, f.steps = "× real time", key(place, name, "×real-time"), atLeast(budget.LargeSpeed), 0
		f.also = []also{{key(place, name, "µs/CPU-tick"), "%s µs a CPU-tick", 1}}
	}
	return f
}

// scenes are those of render's BenchmarkDraw, as go test writes their names.
var scenes = []string{"T2000", "250_hogs", "2048_strands", "4096_strands"}

func drawing() (list []figure) {
	for _, place := range []string{native, inChrome} {
		for _, scene := range scenes {
			f := figure{
				id: "frame/" + place + "/" + scene, what: "frame outside the GPU, " + strings.ReplaceAll(scene, "_", " "), where: place, unit: "ms",
				key: key(place, "Draw/"+scene+"/frame", "ns/op"), by: 1e-6, steps: 1e6,
				also: []also{
					{key(place, "Draw/"+scene+"/list", "ns/op"), "list %s ms", 1e-6},
					{key(place, "Draw/"+scene+"/triangles", "ns/op"), "triangles %s ms", 1e-6},
				},
			}
			if scene == "2048_strands" {
				f.limit = atMost(budget.FrameWork)
			}
			list = append(list, f)
		}
	}
	return list
}

func memory(ids []string) (list []figure) {
	for _, id := range ids {
		list = append(list, figure{
			id: "memory/" + id, what: "heap after 10 minutes of " + id, where: native, unit: "MB",
			key: key(native, "Memory/"+id, "heap-bytes"), by: megabyte, limit: atMost(budget.Memory),
		})
	}
	for _, x := range []struct{ id, what string }{{"none", "without checkpoints"}, {"kept", "with checkpoints"}} {
		name := "Day/" + x.id
		list = append(list, figure{
			id: "day/" + x.id, what: fmt.Sprintf("250 hogs for a day %s: heap after 24 h against 12 h", x.what), where: native, unit: "×",
			key: name, limit: atMost(budget.Day),
			also: []also{
				{key(native, name, "heap-bytes-12h"), "%s MB", megabyte},
				{key(native, name, "heap-bytes-24h"), "%s MB", megabyte},
			},
		})
	}
	return list
}

// page are the figures of the page; their keys are their ids.
func page() []figure {
	list := []figure{
		{id: "page/speed/t2000-ts", what: "T2000, 32 hogs, highest speed, drawing", unit: "× real time", limit: atLeast(budget.PageSpeed)},
		{id: "page/speed/linux22-250-hogs", what: "250 hogs, highest speed, drawing", unit: "× real time"},
		{id: "page/progress", what: "first paint, with the bar of the download", unit: "s", limit: atMost(budget.Progress)},
		{id: "page/first", what: "embed: first moving frame", unit: "s", limit: atMost(budget.FirstMoving)},
		{id: "page/reload", what: "embed: first moving frame, loaded again", unit: "s", limit: atMost(budget.Reloaded)},
		{id: "page/memory", what: "page after all built-in scenarios, one after the other", unit: "MB", limit: atMost(budget.Memory)},
		{id: "page/further", what: "embeds: all processes of the browser, each further figure", unit: "MB", limit: atMost(budget.FurtherOne)},
		{id: "page/alive", what: "embeds: alive of six in view", unit: "figures", limit: atMost(budget.Alive)},
		{id: "page/blank/cpu", what: "an empty page: all processes of the browser", unit: "% of a core"},
		{id: "page/paused/draws", what: "paused: draw calls in 5 s", unit: "calls", limit: atMost(budget.PausedDraws)},
		{id: "page/paused/cpu", what: "paused: all processes of the browser", unit: "% of a core", limit: atMost(budget.PausedCPU)},
		{id: "page/hidden/draws", what: "hidden: draw calls in 5 s", unit: "calls", limit: atMost(budget.PausedDraws)},
		{id: "page/hidden/cpu", what: "hidden: all processes of the browser", unit: "% of a core", limit: atMost(budget.PausedCPU)},
	}
	seconds := map[string][]also{
		"page/speed/t2000-ts":         {{"page/fps/t2000-ts", "%s frames a second", 1}},
		"page/speed/linux22-250-hogs": {{"page/fps/linux22-250-hogs", "%s frames a second", 1}},
		"page/memory":                 {{"page/memory/wasm", "of it %s WebAssembly", 1}},
	}
	for i := range list {
		f := &list[i]
		f.where, f.key, f.also = inPage, f.id, seconds[f.id]
	}
	return list
}
