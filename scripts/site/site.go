package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// later are the files that the page does not fetch when it opens and that are large
// or meant for others: the worker does not keep them.
func later(name string) bool {
	return strings.HasPrefix(name, stillsPath) || named[name] && name != indexName || path.Ext(name) == ".html" && !carriesHash(name) && name != indexName
}

var hashes = regexp.MustCompile(`\.[0-9a-f]{10}\.[a-z0-9]+$`)

func carriesHash(name string) bool { return hashes.MatchString(name) }

// site gives the files of the folder, but for the single file.
func (t *tree) site(p *packer) ([]output, error) {
	if err := t.weigh(p); err != nil {
		return nil, err
	}
	var files []output
	for _, name := range t.paths() {
		if name == workerPath || name == indexName {
			continue
		}
		o, err := t.output(name)
		if err != nil {
			return nil, err
		}
		files = append(files, o)
	}
	index, err := t.output(indexName)
	if err != nil {
		return nil, err
	}
	// Every other name has its content in it or is listed with its digest, so this
	// is the version of the whole.
	list := worth(files)
	version := digest([]byte(fmt.Sprint(list, digest(index.text), digest(t.files[workerPath]))))
	index.text = []byte(strings.Replace(string(index.text), " defer></script>\n</head>", ` data-version="`+version+"\" defer></script>\n</head>", 1))
	worker, err := t.worker(version, list)
	if err != nil {
		return nil, err
	}
	return append(files, index, output{name: workerName, text: worker}), nil
}

// weigh tells who asks for a program what it weighs in each form: hosts that set no
// headers do not say, and a bar needs to know.
func (t *tree) weigh(p *packer) error {
	var texts [][]byte
	for _, program := range programs {
		texts = append(texts, t.files[program.path])
	}
	p.ahead(texts...)
	for _, program := range programs {
		rel, err := filepath.Rel(path.Dir(program.by), program.path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		text := string(t.files[program.by])
		if !strings.Contains(text, `data-wasm="`+name+`.gz"`) {
			return fmt.Errorf("%s does not name %s.gz as its program", program.by, name)
		}
		sizes := fmt.Sprintf(`data-plain="%d"`, len(t.files[program.path]))
		for _, k := range packings {
			b, err := p.pack(t.files[program.path], k.ending)
			if err != nil {
				return err
			}
			sizes += fmt.Sprintf(` data-%s="%d"`, k.ending[1:], len(b))
		}
		text = strings.Replace(text, `data-wasm="`+name+`.gz"`, `data-wasm="`+name+`" `+sizes, 1)
		t.files[program.by] = []byte(text)
	}
	return nil
}

// worth are the files that the worker keeps, but for index.html and the programs;
// those whose names stay come with a digest, which makes another version of each. The
// program that few ask for, and what runs it, come from the network.
func worth(files []output) []string {
	var list []string
	for _, f := range files {
		switch {
		case path.Ext(f.name) == ".wasm", later(f.name), strings.HasPrefix(f.name, "web/toolworker."):
		case carriesHash(f.name):
			list = append(list, f.name)
		default:
			list = append(list, f.name+"#"+digest(f.text))
		}
	}
	return list
}

const workerLine = "const VERSION = '', FILES = [], PROGRAM = '', FULL = '';"

func (t *tree) worker(version string, list []string) ([]byte, error) {
	program, err := t.output(wasmPath)
	if err != nil {
		return nil, err
	}
	full, err := t.output(fullPath)
	if err != nil {
		return nil, err
	}
	text := string(t.files[workerPath])
	if strings.Count(text, workerLine) != 1 {
		return nil, fmt.Errorf("%s lacks the line %q, which the site's list replaces", workerPath, workerLine)
	}
	line := fmt.Sprintf("const VERSION = '%s', PROGRAM = '%s', FULL = '%s', FILES = [\n  '%s',\n];", version, program.name, full.name, strings.Join(list, "',\n  '"))
	return []byte(strings.Replace(text, workerLine, line, 1)), nil
}
