//go:build browser

package e2e

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/render/act"
	"strandscope/render/figure"
	"strandscope/sim"
	"strandscope/sim/clock"
)

// downloads lets the browser put files into a folder, and returns a func that waits
// for one and gives what is in it.
func (p *page) downloads() func(name string) []byte {
	p.Helper()
	dir := p.TempDir()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
		})
		return err
	}))
	return func(name string) []byte {
		p.Helper()
		p.until(fmt.Sprintf("document.getElementById('export-said').textContent.startsWith(%q)", name+": "))
		said := eval[string](p, "document.getElementById('export-said').textContent")
		var text []byte
		require.Eventually(p, func() bool { // the browser writes it in its own time
			b, err := os.ReadFile(filepath.Join(dir, name))
			text = b
			return err == nil && said == fmt.Sprintf("%s: %d bytes.", name, len(b))
		}, 20*time.Second, 20*time.Millisecond, "%s", said)
		return text
	}
}

func TestTheExportDialogWritesFilesByKeyboard(t *testing.T) {
	p := open(t, look{sharp: true, noPlay: true})
	p.at(30)
	file := p.downloads()
	p.eval("document.getElementById('share-open').click()")
	p.focus("#export-open")
	p.press(kb.Enter)
	p.until("document.getElementById('export').open")
	p.keep("export-dialog")
	press := func(kind string) {
		p.focus("#export [data-kind=" + kind + "]")
		p.press(kb.Enter)
	}
	id := eval[string](p, "strandscope.state.scenario.id")
	press("svg")
	whole := file(id + "-30s.svg")
	s, err := sim.Open(id)
	require.NoError(t, err)
	require.NoError(t, s.Advance(30*clock.Second))
	want, err := figure.SVG(s, act.View{}, &figure.Options{
		Theme: eval[string](p, "strandscope.state.theme"), Link: eval[string](p, "location.href"),
	})
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, whole), "page and command line draw the same octets")

	for kind, scale := range map[string]int{"png": 1, "png2": 2} {
		press(kind)
		name := map[int]string{1: "-30s.png", 2: "-30s@2x.png"}[scale]
		b := file(id + name)
		config, _, err := image.DecodeConfig(bytes.NewReader(b))
		require.NoError(t, err)
		assert.Equal(t, figure.PageWidth*scale, config.Width)
		require.NoError(t, os.WriteFile(filepath.Join(root, "build", "screenshots", "export-"+kind+".png"), b, 0o644))
	}

	assert.True(t, eval[bool](p, "document.querySelector('[data-kind=csv]').disabled"), "the whole picture is no table")
	p.choose("#export-what", "loadavg")
	press("csv")
	table := file(id + "-loadavg-30s.csv")
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, "time_s", rows[0][0])
	assert.Greater(t, len(rows), 5)
	here, err := figure.CSV(s, act.View{}, "loadavg")
	require.NoError(t, err)
	assert.Equal(t, string(here), string(table))
	assert.True(t, strings.HasPrefix(eval[string](p, "document.getElementById('export-line').textContent"), "strandsim run "))
	p.press(kb.Escape)
	p.until("!document.getElementById('export').open && document.activeElement.id === 'export-open'")
	assert.Empty(t, p.faults())
}
