package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

const (
	indexName  = "index.html"
	gluePath   = "wasm_exec.js"
	wasmPath   = "build/strandscope.wasm"
	fullPath   = "build/strandfull.wasm"
	toolPath   = "build/strandtool.wasm"
	stagePath  = "web/stage.html"
	fullStage  = "web/stagefull.html"
	stillsPath = "build/stills/" // for other pages: they are asked for one by one
	workerPath = "web/site/worker.js"
	workerName = "sw.js"
	singleName = "strandscope.html"
)

// programs are asked for by the name of their packed form, by a document that is told
// what each form weighs.
var programs = []struct{ path, by string }{{wasmPath, stagePath}, {fullPath, fullStage}, {toolPath, indexName}}

// kinds of files that may belong to the page.
var kinds = map[string]bool{
	".html": true, ".js": true, ".css": true, ".svg": true, ".json": true, ".md": true, ".txt": true, ".png": true, ".woff2": true,
}

// named are the files that others name from outside: theirs are never changed.
var named = map[string]bool{indexName: true, "web/embed.js": true, "web/embed.html": true}

// output is a file of the site.
type output struct {
	name string
	text []byte
}

// tree is the page's files by their paths in the project, and what the site calls them.
type tree struct {
	files    map[string][]byte
	referred map[string]bool   // by another file, literally
	done     map[string]output // as the site has them
	open     map[string]bool   // being renamed, to find circles
}

// load reads the page's files. A folder below web that has Go files is not the page's.
func load(root string) (*tree, error) {
	t := &tree{files: map[string][]byte{}, referred: map[string]bool{}, done: map[string]output{}, open: map[string]bool{}}
	for _, p := range []string{indexName, gluePath, wasmPath, fullPath, toolPath} {
		b, err := os.ReadFile(filepath.Join(root, p))
		if err != nil {
			return nil, fmt.Errorf("%w; `make wasm` makes what is missing", err)
		}
		t.files[p] = b
	}
	stills, err := filepath.Glob(filepath.Join(root, stillsPath, "*.svg"))
	if err != nil {
		return nil, err
	}
	for _, name := range stills {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		t.files[stillsPath+filepath.Base(name)] = b
	}
	web := filepath.Join(root, "web")
	err = filepath.WalkDir(web, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if programs, _ := filepath.Glob(filepath.Join(name, "*.go")); len(programs) > 0 {
				return filepath.SkipDir
			}
			return nil
		}
		if !kinds[filepath.Ext(name)] {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		t.files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.files[indexName] = offline(t.files[indexName])
	for _, p := range t.paths() {
		references(p, t.files[p], func(to string) string {
			if base, _, ok := t.find(to); ok {
				t.referred[base] = true
			}
			return ""
		})
	}
	return t, nil
}

// offline puts what registers the worker into the page's head.
func offline(index []byte) []byte {
	const head = "<link rel=\"stylesheet\" href=\"web/site/offline.css\">\n<script src=\"web/site/offline.js\" defer></script>\n</head>"
	return []byte(strings.Replace(string(index), "</head>", head, 1))
}

func (t *tree) paths() []string {
	var all []string
	for p := range t.files {
		all = append(all, p)
	}
	sort.Strings(all)
	return all
}

// find looks a path up; a program may be asked for by the name of its packed form.
func (t *tree) find(p string) (base, packed string, ok bool) {
	if _, ok := t.files[p]; ok {
		return p, "", true
	}
	if base, is := strings.CutSuffix(p, ".gz"); is {
		for _, program := range programs {
			if base == program.path {
				return base, ".gz", true
			}
		}
	}
	return "", "", false
}

var (
	attribute = regexp.MustCompile(`(\s(?:src|href|data-(?:src|full|wasm|glue|worker))=")([^"#?]+)(["#?])`)
	quoted    = regexp.MustCompile("(['\"`])((?:web|build)/[^'\"`#?]+)(['\"`#?])")
	address   = regexp.MustCompile(`(url\(["']?)([^"')#?]+)(["')#?])`)
)

// references rewrites what a file says of others. The function gets the path in the
// project and gives what stands there instead, or nothing to leave it.
func references(p string, text []byte, to func(string) string) []byte {
	how, dir := quoted, "" // scripts speak as seen from the page
	switch path.Ext(p) {
	case ".html":
		how, dir = attribute, path.Dir(p)
	case ".css", ".svg":
		how, dir = address, path.Dir(p)
	case ".js":
	default:
		return text
	}
	return how.ReplaceAllFunc(text, func(whole []byte) []byte {
		m := how.FindSubmatch(whole)
		said := string(m[2])
		if strings.Contains(said, ":") || strings.HasPrefix(said, "/") {
			return whole // elsewhere
		}
		instead := to(path.Join(dir, said))
		if instead == "" {
			return whole
		}
		if dir != "" && dir != "." {
			rel, err := filepath.Rel(dir, instead)
			if err != nil {
				return whole
			}
			instead = filepath.ToSlash(rel)
		}
		return []byte(string(m[1]) + instead + string(m[3]))
	})
}

// output gives a file as the site has it, with the files it names renamed first.
func (t *tree) output(p string) (output, error) {
	if o, ok := t.done[p]; ok {
		return o, nil
	}
	if t.open[p] {
		return output{}, fmt.Errorf("%s names a file that names it: neither can have its content in its name", p)
	}
	t.open[p] = true
	defer delete(t.open, p)
	var wrong error
	text := references(p, t.files[p], func(to string) string {
		base, packed, ok := t.find(to)
		if !ok {
			return ""
		}
		if t.keeps(base) {
			return base + packed
		}
		o, err := t.output(base)
		if err != nil {
			wrong = err
		}
		return o.name + packed
	})
	o := output{name: p, text: text}
	if !t.keeps(p) {
		o.name = hashed(p, text)
	}
	t.done[p] = o
	return o, wrong
}

// keeps reports whether a file keeps its name.
func (t *tree) keeps(p string) bool { return named[p] || !t.referred[p] }

func hashed(p string, text []byte) string {
	ext := path.Ext(p)
	return strings.TrimSuffix(p, ext) + "." + digest(text) + ext
}

// digest has 40 bits: enough for some dozens of files, short enough to read.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:5])
}
