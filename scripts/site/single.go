package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"path"
	"regexp"
	"strings"
)

var (
	policyTag  = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">\n`)
	scriptTag  = regexp.MustCompile(`<script([^>]*?) src="([^"]+)"([^>]*)></script>\n?`)
	styleTag   = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\n?`)
	iconTag    = regexp.MustCompile(`(<link rel="icon" href=")([^":]+)(")`)
	pictureTag = regexp.MustCompile(`(<img [^>]*src=")([^":]+)(")`)
	frameTag   = regexp.MustCompile(`(<iframe id="stage") data-src="[^"]+" data-full="[^"]+"`)
	// What a script would fetch: without these it knows that it is in one file.
	fetches = regexp.MustCompile(`^data-(wasm|glue|worker)=`)
	imports = regexp.MustCompile(`(?m)^\s*(import\s|export\s|import\()`)
	foreign = regexp.MustCompile(`(?i)@import|url\(\s*["']?[^"')\s#]`)
)

// inliner puts files into a document and notes the digests its policy must name.
// What goes wrong first stays.
type inliner struct {
	t               *tree
	scripts, styles []string
	wrong           error
}

// single gives the page as one file. A page from disk may fetch nothing, and each file
// is an origin of its own; what srcdoc frames is of the origin of the page around it,
// and has its policy: hence one policy with the digests of both.
func (t *tree) single(p *packer) ([]byte, error) {
	in := &inliner{t: t}
	stage := in.document(stagePath, "")
	program, err := p.pack(t.files[wasmPath], ".gz")
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(t.fetched())
	if err != nil {
		return nil, err
	}
	held := func(id, kind, text string) string {
		return fmt.Sprintf("<script id=%q type=%q>%s</script>\n", id, kind, text)
	}
	tail := held("held-files", "application/json", string(data)) +
		in.script("", "globalThis.strandscopeFiles = JSON.parse(document.getElementById('held-files').textContent);\n")
	// The stage asks for the program as soon as it is there, so the program is before it.
	last := held("held-program", "text/plain", base64.StdEncoding.EncodeToString(program)) +
		held("held-stage", "text/plain", base64.StdEncoding.EncodeToString([]byte(stage))) +
		in.script("", "document.getElementById('stage').srcdoc = new TextDecoder().decode("+
			"Uint8Array.from(atob(document.getElementById('held-stage').textContent), (c) => c.charCodeAt(0)));\n")
	page := in.document(indexName, tail)
	page = strings.Replace(page, "</body>", last+"</body>", 1)
	if in.wrong != nil {
		return nil, in.wrong
	}
	policy := fmt.Sprintf("default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		strings.Join(in.scripts, " "), strings.Join(in.styles, " "))
	tag := fmt.Sprintf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy)
	return []byte(strings.Replace(page, "<meta charset=\"utf-8\">\n", "<meta charset=\"utf-8\">\n"+tag, 1)), nil
}

// fetched are the files that the page would fetch while it runs, by their paths.
func (t *tree) fetched() map[string]string {
	files := map[string]string{}
	for p, text := range t.files {
		switch path.Ext(p) {
		case ".json", ".md", ".txt":
			files[p] = string(text)
		}
	}
	return files
}

// document puts a document's styles, scripts and pictures into it. Scripts that are
// deferred go to its end, behind what is put before them.
func (in *inliner) document(name, before string) string {
	dir := path.Dir(name)
	text := policyTag.ReplaceAllString(string(in.t.files[name]), "")
	text = styleTag.ReplaceAllStringFunc(text, func(tag string) string {
		file := path.Join(dir, styleTag.FindStringSubmatch(tag)[1])
		if file == "web/site/offline.css" {
			return ""
		}
		return in.style(file)
	})
	end := before
	text = scriptTag.ReplaceAllStringFunc(text, func(tag string) string {
		m := scriptTag.FindStringSubmatch(tag)
		file := path.Join(dir, m[2])
		if file == "web/site/offline.js" { // no worker for a file
			return ""
		}
		attributes := strings.Fields(m[1] + m[3])
		var kept string
		for _, a := range attributes {
			if a != "defer" && !fetches.MatchString(a) {
				kept += " " + a
			}
		}
		code := string(in.read(file))
		if imports.MatchString(code) {
			in.fail("%s imports or exports: a script inside a page cannot; load it as a script of its own", file)
		}
		end += in.script(kept, code)
		return ""
	})
	for _, tag := range []*regexp.Regexp{iconTag, pictureTag} {
		text = tag.ReplaceAllStringFunc(text, func(s string) string {
			m := tag.FindStringSubmatch(s)
			return m[1] + in.picture(path.Join(dir, m[2])) + m[3]
		})
	}
	text = frameTag.ReplaceAllString(text, "$1")
	return strings.Replace(text, "</body>", end+"</body>", 1)
}

func (in *inliner) read(file string) []byte {
	text, ok := in.t.files[file]
	if !ok {
		in.fail("the page names %s, which is not among its files", file)
	}
	return text
}

func (in *inliner) fail(format string, args ...any) {
	if in.wrong == nil {
		in.wrong = fmt.Errorf(format, args...)
	}
}

func (in *inliner) script(attributes, code string) string {
	if strings.Contains(strings.ToLower(code), "</script") || strings.Contains(code, "<!--") {
		in.fail("a script holds </script or <!--, which ends it inside a page: %.60q", code)
	}
	in.scripts = append(in.scripts, digestOf(code))
	return "<script" + attributes + ">" + code + "</script>\n"
}

func (in *inliner) style(file string) string {
	code := string(in.read(file))
	if foreign.MatchString(code) && !strings.Contains(code, "url(data:") {
		in.fail("%s names another file, which a single file cannot fetch", file)
	}
	if strings.Contains(strings.ToLower(code), "</style") {
		in.fail("%s holds </style, which ends it inside a page", file)
	}
	in.styles = append(in.styles, digestOf(code))
	return "<style>" + code + "</style>\n"
}

func (in *inliner) picture(file string) string {
	if path.Ext(file) != ".svg" {
		in.fail("%s: only SVG pictures are put into the single file", file)
	}
	return "data:image/svg+xml;base64," + html.EscapeString(base64.StdEncoding.EncodeToString(in.read(file)))
}

// digestOf is what a policy names a script or a style by.
func digestOf(code string) string {
	sum := sha256.Sum256([]byte(code))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
