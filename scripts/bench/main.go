// Command bench measures what the program costs and compares it with its budgets:
//
//	make bench
//
// One table, in Markdown on standard output and in build/bench.md, and as JSON in
// build/bench.json. Beside each figure stands that of the table before
// (docs/bench.json). It
//
//   - runs the benchmarks of sim and render as native programs, sim's also as
//     WebAssembly in Node, and both in Chromium;
//   - opens the site (`make site`) in Chromium (built with the tag browser) and measures
//     start, speed while drawing, memory, and what a page that stands still does;
//   - takes the sizes that scripts/site prints.
//
// What this computer lacks is left out, and the table says so. No test depends on any
// of it: time is not for tests to judge.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"strandscope/sim"
)

// options are what is measured and how.
type options struct {
	rounds    int
	parts     []string
	wasmFlags string // of `go test -c` as WebAssembly: those that the page is built with
	note      string
	before    string
	out       string
}

// allParts in the order in which they are measured.
var allParts = []string{"sizes", "native", "memory", "node", "chromium", "page"}

func main() {
	var o options
	parts := flag.String("parts", strings.Join(allParts, ","), "what to measure, a `LIST`")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each benchmark runs; the best `NUMBER` counts")
	flag.StringVar(&o.wasmFlags, "wasmflags", "", "`FLAGS` of the build as WebAssembly, separated by blanks")
	flag.StringVar(&o.note, "note", "", "a `SENTENCE` on the circumstances")
	flag.StringVar(&o.before, "before", "docs/bench.json", "the table before, a `FILE`")
	flag.StringVar(&o.out, "out", "build/bench", "`NAME` of the files, without .md and .json")
	flag.Parse()
	o.parts = strings.Split(*parts, ",")
	if err := run(context.Background(), o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out, progress io.Writer) error {
	for _, p := range o.parts {
		if !slices.Contains(allParts, p) {
			return fmt.Errorf("-parts: %q, want some of %s", p, strings.Join(allParts, ", "))
		}
	}
	before, err := readRecord(o.before)
	if err != nil {
		return err
	}
	now := &record{Environment: environment{Rounds: o.rounds, Note: o.note}}
	now.Environment.begin()
	m := newMeasured()
	for _, place := range []string{native, inNode, inChrome, inPage} {
		m.missing[place] = "not asked for"
	}
	m.missing["site"] = "not asked for"
	w := &work{options: o, measured: m, env: &now.Environment, progress: progress}
	w.all(ctx)
	now.Environment.LoadAfter = loadAverage()

	now.Rows = rows(figures(scenarios()), m)
	var text bytes.Buffer
	if err := markdown(&text, now, before); err != nil {
		return err
	}
	if err := now.write(o.out + ".json"); err != nil {
		return err
	}
	if err := os.WriteFile(o.out+".md", text.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = out.Write(text.Bytes())
	return err
}

// scenarios are the built-in ones.
func scenarios() (ids []string) {
	for _, x := range sim.Library() {
		ids = append(ids, x.ID)
	}
	return ids
}

// work measures one part after the other.
type work struct {
	options
	*measured
	env      *environment
	progress io.Writer
}

// all never fails: a part that does is missing from the table, which says why.
func (w *work) all(ctx context.Context) {
	for _, p := range []struct {
		name, place string
		do          func(context.Context) error
	}{
		{"sizes", "site", w.site},
		{"native", native, w.native},
		{"memory", native, w.memory},
		{"node", inNode, w.node},
		{"chromium", inChrome, w.chromium},
		{"page", inPage, w.page},
	} {
		if !slices.Contains(w.parts, p.name) {
			continue
		}
		start := time.Now()
		delete(w.missing, p.place)
		if err := p.do(ctx); err != nil {
			w.missing[p.place] = err.Error()
			fmt.Fprintf(w.progress, "bench: %s: %v\n", p.name, err)
			continue
		}
		fmt.Fprintf(w.progress, "bench: %s took %.0f s\n", p.name, time.Since(start).Seconds())
	}
}

// site takes what scripts/site prints; what it writes is there already.
func (w *work) site(ctx context.Context) error {
	out, err := output(exec.CommandContext(ctx, "go", "run", "./scripts/site"))
	if err != nil {
		return err
	}
	return w.sizes(bytes.NewReader(out))
}

// The benchmarks that the table is made of.
const (
	timed    = "^Benchmark(Baseline|Budget)$"
	frames   = "^BenchmarkDraw$/./^(list|triangles|frame)$"
	kept     = "^Benchmark(Memory|Day)$"
	buildDir = "build/bench.d"
)

func (w *work) native(ctx context.Context) error {
	for _, x := range []struct{ pkg, pattern string }{{"./sim", timed}, {"./render", frames}} {
		file, err := build(ctx, x.pkg, "", nil)
		if err != nil {
			return err
		}
		for range w.rounds {
			if err := w.bench(native, exec.CommandContext(ctx, file, "-test.run=^$", "-test.bench="+x.pattern)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *work) memory(ctx context.Context) error {
	file, err := build(ctx, "./sim", "", nil)
	if err != nil {
		return err
	}
	err = w.bench(native, exec.CommandContext(ctx, file, "-test.run=^$", "-test.bench="+kept, "-test.benchtime=1x"))
	w.days()
	return err
}

// days compares the heap at the end of a day with that after two hours.
func (m *measured) days() {
	for _, name := range []string{"Day/kept", "Day/none"} {
		early, late := m.figures[key(native, name, "heap-bytes-12h")], m.figures[key(native, name, "heap-bytes-24h")]
		if early > 0 {
			m.figures[name] = late / early
		}
	}
}

// node runs the benchmarks as Go's distribution runs a program for js and wasm.
func (w *work) node(ctx context.Context) error {
	if w.env.Node = said("node", "--version"); w.env.Node == "" {
		return errors.New("there is no Node")
	}
	file, err := build(ctx, "./sim", "js", strings.Fields(w.wasmFlags))
	if err != nil {
		return err
	}
	runner := filepath.Join(said("go", "env", "GOROOT"), "lib", "wasm", "go_js_wasm_exec")
	for range w.rounds {
		if err := w.bench(inNode, exec.CommandContext(ctx, runner, file, "-test.run=^$", "-test.bench="+timed)); err != nil {
			return err
		}
	}
	return nil
}

// bench adds what a test program measures.
func (w *work) bench(place string, cmd *exec.Cmd) error {
	out, err := output(cmd)
	if _, bad := w.benchmarks(place, bytes.NewReader(out)); bad != nil {
		return bad
	}
	return err
}

// build compiles a package's test program; system is "" for this computer's own, or js.
func build(ctx context.Context, pkg, system string, flags []string) (string, error) {
	file := filepath.Join(buildDir, filepath.Base(pkg)+"."+system+"test")
	args := append([]string{"test", "-c", "-o", file}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	if system != "" {
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm")
	}
	_, err := output(cmd)
	return file, err
}

// output is what a command prints; its error has the last line of what it complained of.
func output(cmd *exec.Cmd) ([]byte, error) {
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(complaints.String()), "\n")
		err = fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, lines[len(lines)-1])
	}
	return out.Bytes(), err
}
