package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// packer packs files and keeps the results by content: the best brotli of the
// program takes half a minute.
type packer struct{ dir string }

// packings by the ending of their files.
var packings = []struct {
	ending string
	open   func(w io.Writer, size int) (io.WriteCloser, error)
}{
	{".gz", func(w io.Writer, _ int) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) }},
	{".br", func(w io.Writer, size int) (io.WriteCloser, error) {
		window := min(max(bits.Len(uint(size)), 16), 24) // a large one costs time by itself
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: window}), nil
	}},
}

// pack gives a text packed as the ending (".gz", ".br") says.
func (p *packer) pack(text []byte, ending string) ([]byte, error) {
	kept := p.kept(text, ending)
	if b, err := os.ReadFile(kept); err == nil {
		return b, nil
	}
	for _, k := range packings {
		if k.ending != ending {
			continue
		}
		var b bytes.Buffer
		w, err := k.open(&b, len(text))
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		return b.Bytes(), replace(kept, b.Bytes())
	}
	return nil, fmt.Errorf("no packing is called %q", ending)
}

// ahead packs texts at the same time, so that pack finds them; errors are told by pack.
func (p *packer) ahead(texts ...[]byte) {
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.NumCPU())
	for _, k := range packings {
		for _, text := range texts {
			all.Go(func() {
				room <- struct{}{}
				_, _ = p.pack(text, k.ending)
				<-room
			})
		}
	}
	all.Wait()
}

// adopt takes the packed form of a text from a file: gzip's own program packs a little
// better than Go's library.
func (p *packer) adopt(text []byte, name, ending string) error {
	packed, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("%w; `make wasm` makes it", err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if is, err := io.ReadAll(z); err != nil || !bytes.Equal(is, text) {
		return fmt.Errorf("%s does not hold what stands beside it; `make wasm` packs it anew", name)
	}
	return replace(p.kept(text, ending), packed)
}

func (p *packer) kept(text []byte, ending string) string {
	sum := sha256.Sum256(text)
	return filepath.Join(p.dir, hex.EncodeToString(sum[:])+ending)
}

// replace writes a file whole or not at all.
func replace(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name+".part", text, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

// packable are the files worth packing; pictures and fonts are packed already.
func packable(name string) bool {
	ext := path.Ext(name)
	return ext != ".png" && ext != ".woff2"
}

// write makes the folder anew, beside the old one, and then puts it in its place.
func write(out string, files []output, p *packer) error {
	if _, err := os.Stat(out); err == nil {
		// Whoever gives a wrong folder must not lose it.
		if _, err := os.Stat(filepath.Join(out, workerName)); err != nil {
			return fmt.Errorf("%s is there and was not made by this command: it has no %s", out, workerName)
		}
	}
	part := filepath.Clean(out) + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	for _, f := range files {
		if err := replace(filepath.Join(part, filepath.FromSlash(f.name)), f.text); err != nil {
			return err
		}
		for _, k := range packings {
			if !packable(f.name) {
				continue
			}
			b, err := p.pack(f.text, k.ending)
			if err != nil {
				return err
			}
			if err := replace(filepath.Join(part, filepath.FromSlash(f.name)+k.ending), b); err != nil {
				return err
			}
		}
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(part, out)
}

// report prints what a reader has to wait for, in bytes.
func report(w io.Writer, files []output, p *packer) error {
	_, err := fmt.Fprintf(w, "%-24s %10s %10s %10s\n", "bytes", "plain", "gzip", "brotli")
	for _, row := range []string{"program", "fuller program", "page", "tool", singleName} {
		var sum [3]int
		for _, f := range files {
			if part(f.name) != row {
				continue
			}
			sum[0] += len(f.text)
			for i, k := range packings {
				b, err := p.pack(f.text, k.ending)
				if err != nil {
					return err
				}
				sum[i+1] += len(b)
			}
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%-24s %10d %10d %10d\n", row, sum[0], sum[1], sum[2])
		}
	}
	return err
}

// part says to which figure of the report a file counts; what is fetched later, or
// not at all, to none.
func part(name string) string {
	switch ext := path.Ext(name); {
	case name == singleName:
		return singleName
	case ext == ".wasm" && strings.HasPrefix(path.Base(name), "strandtool."), strings.HasPrefix(name, "web/toolworker."):
		return "tool"
	case ext == ".wasm" && strings.HasPrefix(path.Base(name), "strandfull."):
		return "fuller program"
	case ext == ".wasm":
		return "program"
	case name == indexName, carriesHash(name) && (ext == ".html" || ext == ".js" || ext == ".css"):
		return "page"
	}
	return ""
}
