// Command wasmsize tells which packages a WebAssembly program's code is made
// of. `make size` runs it:
//
//	go list -deps ./cmd/strandscope | go run ./scripts/wasmsize build/named.wasm
//
// The program must have its names: built without -ldflags=-w. The linker writes
// them with an underscore for each character that is no letter, digit or dot,
// so the list of packages on standard input is what they are told apart by.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	rows := flag.Int("n", 40, "how many packages to list")
	functions := flag.Bool("functions", false, "list functions in place of packages")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go list -deps PACKAGE | wasmsize [-n ROWS] [-functions] FILE.wasm")
		os.Exit(2)
	}
	if err := report(os.Stdout, flag.Arg(0), os.Stdin, *rows, *functions); err != nil {
		fmt.Fprintln(os.Stderr, "wasmsize:", err)
		os.Exit(1)
	}
}

func report(w io.Writer, name string, list io.Reader, rows int, functions bool) error {
	wasm, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	p, err := parse(wasm)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	packages, err := readPackages(list)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%9d  whole file\n%9d  code\n%9d  data (tables of functions and types, constants, embedded files)\n\n",
		len(wasm), p.section[sectionCode], p.section[sectionData])
	entries := byPackage(p.functions, packages)
	if functions {
		entries = largest(p.functions)
	}
	table(w, entries, rows)
	return nil
}

type entry struct {
	name string
	size int
}

func table(w io.Writer, entries []entry, rows int) {
	total := 0
	for _, e := range entries {
		total += e.size
	}
	for i, e := range entries {
		if i == rows {
			rest := 0
			for _, e := range entries[i:] {
				rest += e.size
			}
			fmt.Fprintf(w, "%9d %5.1f %%  %d more\n", rest, share(rest, total), len(entries)-i)
			return
		}
		fmt.Fprintf(w, "%9d %5.1f %%  %s\n", e.size, share(e.size, total), e.name)
	}
}

func share(part, total int) float64 { return 100 * float64(part) / float64(max(total, 1)) }

// other is for what the linker makes: comparisons of types, wrappers, stubs.
const other = "(made by the linker)"

// byPackage adds up, the largest first.
func byPackage(functions []entry, packages []string) []entry {
	paths := map[string]string{"main": "main"}
	for _, p := range packages {
		paths[linkName(p)] = p
	}
	sums := map[string]int{}
	for _, f := range functions {
		sums[packageOf(f.name, paths)] += f.size
	}
	var list []entry
	for name, size := range sums {
		list = append(list, entry{name, size})
	}
	return largest(list)
}

// largest sorts entries by size, equal ones by name.
func largest(list []entry) []entry {
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.name, b.name))
	})
	return list
}

// packageOf returns the longest path the name begins with.
func packageOf(function string, paths map[string]string) string {
	for end := strings.LastIndexByte(function, '.'); end > 0; end = strings.LastIndexByte(function[:end], '.') {
		if p, ok := paths[function[:end]]; ok {
			return p
		}
	}
	return other
}

// linkName is a path as the linker writes it before the name of a function.
func linkName(path string) string {
	// Dots of the last element would be taken for the end of the path.
	last := strings.LastIndexByte(path, '/') + 1
	path = path[:last] + strings.ReplaceAll(path[last:], ".", "%2e")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '_'
	}, path)
}

func readPackages(r io.Reader) (list []string, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		list = append(list, strings.TrimSpace(s.Text()))
	}
	return list, s.Err()
}
