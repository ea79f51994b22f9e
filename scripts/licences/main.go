// Licences writes what is due to those whose code is in the programs: docs/licences.md,
// a list of modules, and web/licences.txt, the texts of their licences, which the page
// gives out with them. With -check it writes nothing and says what is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// programs are what is given out, and for which systems.
var programs = []struct{ name, path, goos, goarch string }{
	{"page", "./cmd/strandscope", "js", "wasm"},
	{"page’s second program", "./cmd/strandtool", "js", "wasm"},
	{"strandsim", "./cmd/strandsim", "linux", "amd64"},
	{"strandsim", "./cmd/strandsim", "windows", "amd64"},
	{"strandsim", "./cmd/strandsim", "darwin", "arm64"},
}

// module is somebody else's code in one or more of the programs.
type module struct {
	path, version, dir string
	in                 []string
	below              []string // folders of its packages that are linked and have a licence of their own
}

func main() {
	root := flag.String("root", ".", "the project's `FOLDER`")
	check := flag.Bool("check", false, "write nothing, say what is out of date")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	files, err := write(root)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if !check {
			if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
				return err
			}
			continue
		}
		has, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if string(has) != files[name] {
			return fmt.Errorf("%s is out of date: `make licences` writes it", name)
		}
	}
	return nil
}

// write gives the files by their names.
func write(root string) (map[string]string, error) {
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	list, texts := &strings.Builder{}, &strings.Builder{}
	list.WriteString("# Code of others in the programs\n\n" +
		"Written by `make licences`; a test fails when it is out of date. The texts are in\n" +
		"`web/licences.txt`, which the page gives out. Tools and tests use more modules, which\n" +
		"are in nothing that is given out.\n\n| module | version | licence | in |\n|---|---|---|---|\n")
	texts.WriteString("Strandscope contains code of others. These are their licences.\n")
	for _, m := range modules {
		names, err := licenceFiles(m.dir)
		if err != nil {
			return nil, err
		}
		sort.Strings(m.below)
		for _, folder := range m.below {
			more, err := licenceFiles(filepath.Join(m.dir, folder))
			if err != nil {
				return nil, err
			}
			for _, name := range more {
				names = append(names, filepath.ToSlash(filepath.Join(folder, name)))
			}
		}
		var kinds []string
		fmt.Fprintf(texts, "\n%s\n%s %s (in: %s)\n", strings.Repeat("=", 80), m.path, m.version, strings.Join(m.in, ", "))
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(m.dir, name))
			if err != nil {
				return nil, err
			}
			for _, k := range strings.Split(kind(string(text)), ", ") {
				if k != "" && !slices.Contains(kinds, k) {
					kinds = append(kinds, k)
				}
			}
			fmt.Fprintf(texts, "%s\n%s\n\n%s\n", strings.Repeat("-", 80), name, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
		if len(kinds) == 0 {
			return nil, fmt.Errorf("%s: no licence that is known in %v: read it, and teach scripts/licences what it is", m.path, names)
		}
		fmt.Fprintf(list, "| %s | %s | %s | %s |\n", m.path, m.version, strings.Join(kinds, ", "), strings.Join(m.in, ", "))
	}
	return map[string]string{"docs/licences.md": list.String(), "web/licences.txt": texts.String()}, nil
}

// linked are the modules of all programs, and Go itself, whose library is in each.
func linked(root string) ([]module, error) {
	goroot, err := output(root, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	goes := module{path: "The Go standard library and runtime", dir: strings.TrimSpace(goroot)}
	found := map[string]*module{}
	for _, p := range programs {
		if !slices.Contains(goes.in, p.name) {
			goes.in = append(goes.in, p.name)
		}
		out, err := output(root, []string{"GOOS=" + p.goos, "GOARCH=" + p.goarch, "CGO_ENABLED=0"}, "go", "list", "-deps",
			"-f", "{{$dir := .Dir}}{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$dir}}{{end}}{{end}}", p.path)
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(out, "\n") {
			f := strings.Split(line, "\t")
			if len(f) != 4 {
				continue
			}
			m := found[f[0]]
			if m == nil {
				m = &module{path: f[0], version: f[1], dir: f[2]}
				found[f[0]] = m
			}
			if !slices.Contains(m.in, p.name) {
				m.in = append(m.in, p.name)
			}
			if below, err := filepath.Rel(f[2], f[3]); err == nil && below != "." && !slices.Contains(m.below, below) {
				if _, err := licenceFiles(f[3]); err == nil {
					m.below = append(m.below, below)
				}
			}
		}
	}
	list := []module{goes}
	for _, m := range found {
		list = append(list, *m)
	}
	sort.Slice(list[1:], func(i, j int) bool { return list[1+i].path < list[1+j].path })
	return list, nil
}

func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return string(out), nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright)([.-].*)?$`)

func licenceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && licenceName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no file that is a licence", dir)
	}
	return names, nil
}

// kind names a licence, or two with a comma, by sentences that only it has; "" for none
// that is known.
func kind(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	bsd := has("Redistribution and use in source and binary forms")
	bsd3 := bsd && (has("Neither the name of") || has("The name of the author may not"))
	switch {
	case bsd3 && has("Apache License") && has("Version 2.0"):
		return "BSD-3-Clause, Apache-2.0" // for parts of it
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case bsd3:
		return "BSD-3-Clause"
	case bsd:
		return "BSD-2-Clause"
	case has("Permission is hereby granted, free of charge") && has("The above copyright notice and this permission notice"):
		return "MIT"
	case has("Permission to use, copy, modify, and/or distribute this software"):
		return "ISC"
	case has("Mozilla Public License") && has("2.0"):
		return "MPL-2.0"
	}
	return ""
}
