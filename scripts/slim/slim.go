package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Our files were written and compared for this version alone.
const (
	module  = "github.com/hajimehoshi/ebiten/v2"
	version = "v2.8.8"
)

// Folders that begin with _ are no packages here: these files belong to another
// module.
const (
	replacements = "_ebiten"
	compiler     = "_compile/main.go"
)

//go:embed _ebiten _compile
var ours embed.FS

// The generator of the compiled shaders has to run before the compiler goes.
const (
	shaderSources = "internal/builtinshader"
	compiled      = "internal/shaderir/glsl/compiled.go"
)

// orphans are files that only what we replace had a use for.
var orphans = []string{"internal/shaderir/check.go", "internal/shaderir/glsl/type.go", "internal/ui/keys_js.go"}

// edits are for long files of which little is to be written otherwise.
var edits = []edit{{
	// Some seventy times, which makes one function of 29 kB.
	file: "internal/graphicsdriver/opengl/gl/default_js.go",
	old:  `v\.Get\("(\w+)"\)\.Call\("bind", v\)`,
	new:  `bound(v, "$1")`,
}, {
	file: "internal/graphicsdriver/opengl/gl/default_js.go",
	old:  `\z`,
	new: `
func bound(v js.Value, name string) js.Value { return v.Get(name).Call("bind", v) }
`,
}, {
	// A time.Time that reflection could reach keeps time zones and formats alive:
	// times since the start will do.
	file: "internal/ui/context.go",
	old:  `\z`,
	new: `
var started = time.Now()
`,
}, {
	file: "internal/ui/context.go",
	old:  `lastSwapBufferTime  time\.Time`,
	new:  `lastSwapBufferTime  time.Duration`,
}, {
	file: "internal/ui/context.go",
	old:  `now := time\.Now\(\)`,
	new:  `now := time.Since(started)`,
}, {
	file: "internal/ui/context.go",
	old:  `now\.Sub\(c\.lastSwapBufferTime\)`,
	new:  `(now - c.lastSwapBufferTime)`,
}, {
	// So does what a file system tells of its files: no one asks for those dropped.
	file: "internal/ui/input.go",
	old:  `"io/fs"`,
}, {
	file: "internal/ui/input.go",
	old:  `DroppedFiles +fs\.FS`,
	new:  `DroppedFiles any`,
}, {
	file: "input.go",
	old:  `return i\.state\.DroppedFiles`,
	new:  `return nil`,
}, {
	file: "internal/ui/ui_js.go",
	old:  `go u\.appendDroppedFiles\(data\)`,
}, {
	// There is no audio to suspend: this would wake the page ten times a second.
	file: "internal/ui/ui_js.go",
	old:  `(?s)const interval = 100 \* time\.Millisecond.*?case <-reqStopAudioCh:\s+return\s+\}\s+\}`,
	new:  `<-reqStopAudioCh`,
}, {
	file: "internal/ui/ui_js.go",
	old:  `lastCaptureExitTime time\.Time`,
	new:  `lastCaptureExitTime time.Duration`,
}, {
	file: "internal/ui/ui_js.go",
	old:  `lastCaptureExitTime = time\.Now\(\)`,
	new:  `lastCaptureExitTime = time.Since(started)`,
}, {
	file: "internal/ui/ui_js.go",
	old:  `time\.Now\(\)\.Sub\(u\.lastCaptureExitTime\)`,
	new:  `(time.Since(started) - u.lastCaptureExitTime)`,
}, {
	// A page has one thread. The loops of others wait for a context, whose deadline
	// is a time.Time.
	file: "internal/thread/thread.go",
	old:  `(?s)import \(.*?\)\n`,
}, {
	file: "internal/thread/thread.go",
	old:  `Loop\(ctx context\.Context\) error\n`,
}, {
	file: "internal/thread/thread.go",
	old:  `(?s)func \(t \*\w+\) Loop\(.*?\n\}\n`,
}, {
	file: "internal/graphicscommand/thread.go",
	old:  `(?s)\t"context"\n|func LoopRenderThread.*?\n\}\n`,
}, {
	file: "internal/ui/run.go",
	old:  `(?s)\tstdcontext .*?internal/graphicscommand"|\tif options.SingleThread.*?\n\t\}\n|func \(u \*UserInterface\) runMultiThread.*?\n\}\n`,
}, {
	file: "internal/ui/run.go",
	old:  `return u\.runMultiThread`,
	new:  `return u.runSingleThread`,
}, {
	// The stage keeps all events of the canvas from Ebitengine, as it does in a build of
	// the published one.
	file: "internal/ui/ui_js.go",
	old:  `(?s)(func \(u \*UserInterface\) setCanvasEventHandlers\(v js\.Value\) \{)\n.*?\n\}\n`,
	new:  "$1}\n",
}, {
	// No key has a name that anybody asks for.
	file: "internal/ui/keys.go",
	old:  `(?s)import \(\s+"fmt"\s+\)\n|func \(k Key\) String\(\) string \{.*?\n\}\n`,
}, {
	// Images are drawn anew only where a context can be lost and come back: on Android,
	// which this is not. As a constant that needs no code.
	file: "internal/restorable/images.go",
	old:  `(?s)func needsRestoration\(\) bool \{.*?\n\}\n`,
	new:  "const restoring = false\n",
}, {
	file: "internal/restorable/images.go",
	old:  `\t"runtime"\n`,
}, {
	file: "internal/restorable/images.go",
	old:  `(!|if )needsRestoration\(\)`,
	new:  `${1}restoring`,
}, {
	file: "internal/restorable/image.go",
	old:  `(!|if )needsRestoration\(\)`,
	new:  `${1}restoring`,
}, {
	file: "internal/restorable/image.go",
	old:  `(!|if )AlwaysReadPixelsFromGPU\(\)`,
	new:  `${1}!restoring`,
}}

// edit puts new in the place of each old, a regular expression.
type edit struct{ file, old, new string }

func (e *edit) apply(ebiten string) error {
	name := filepath.Join(ebiten, filepath.FromSlash(e.file))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	old := regexp.MustCompile(e.old)
	if !old.Match(text) {
		return fmt.Errorf("%s %s: %s has nothing like %s", module, version, e.file, e.old)
	}
	return os.WriteFile(name, old.ReplaceAll(text, []byte(e.new)), 0o644)
}

// prepare does all of it, for the module in root.
func prepare(root, out string) error {
	from, err := published(root)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	// A run cut short must not leave half a module that looks whole: the copy
	// takes its name when it is done, and the module file comes last.
	whole := filepath.Join(out, "ebiten")
	half := whole + ".part"
	for _, old := range []string{half, filepath.Join(out, "slim.mod")} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	if err := slim(half, from); err != nil {
		return err
	}
	if err := os.RemoveAll(whole); err != nil {
		return err
	}
	if err := os.Rename(half, whole); err != nil {
		return err
	}
	return writeModfile(root, out, whole)
}

// published returns where Go keeps the module. Go downloads it if need be.
func published(root string) (string, error) {
	out, err := run(root, nil, "list", "-json=Module", module)
	if err != nil {
		return "", err
	}
	var pkg struct{ Module *goModule }
	if err := json.Unmarshal(out, &pkg); err != nil {
		return "", err
	}
	return pkg.Module.dir()
}

type goModule struct {
	Version, Dir string
	Replace      *struct{ Path string }
}

func (m *goModule) dir() (string, error) {
	switch {
	case m == nil:
		return "", fmt.Errorf("go list names no module for %s", module)
	case m.Replace != nil:
		return "", fmt.Errorf("go.mod replaces %s by %s, but the slim build starts from the published %s", module, m.Replace.Path, version)
	case m.Version != version:
		return "", fmt.Errorf("go.mod requires %s %s, but the files below scripts/slim are for %s: "+
			"build with `make wasm-plain`, or adapt them until `go test ./scripts/slim` passes", module, m.Version, version)
	}
	return m.Dir, nil
}

// slim makes the copy.
func slim(to, from string) error {
	if err := copyModule(to, from); err != nil {
		return err
	}
	if err := replace(to, shaderSources); err != nil {
		return err
	}
	shaders, err := runInside(to, compiler)
	if err != nil {
		return err
	}
	if err := replace(to, ""); err != nil {
		return err
	}
	for _, e := range edits {
		if err := e.apply(to); err != nil {
			return err
		}
	}
	for _, name := range orphans {
		if err := os.Remove(filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, compiled), shaders, 0o644)
}

// copyModule leaves out what no build reads. Files in the module cache are
// read-only; the copy is for `make clean` to remove.
func copyModule(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (rel == "examples" || rel == "cmd" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case strings.HasSuffix(rel, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
}

// replace puts our files below dir into the copy; an empty dir means all.
func replace(ebiten, dir string) error {
	from := strings.TrimSuffix(replacements+"/"+dir, "/")
	return fs.WalkDir(ours, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := ours.ReadFile(name)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, replacements+"/")
		old := filepath.Join(ebiten, filepath.FromSlash(rel))
		if _, err := os.Stat(old); err != nil {
			return fmt.Errorf("%s %s has no %s to replace", module, version, rel)
		}
		return os.WriteFile(old, text, 0o644)
	})
}
