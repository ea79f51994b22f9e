//go:build browser

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"strandscope/sim/clock"
)

// remote is a browser that is no Chromium, under WebDriver or what resembles it.
type remote interface {
	visit(url string) error
	script(body string) (json.RawMessage, error) // until it calls its last argument
	shot() (base64PNG string, err error)
}

// other is the page in such a browser.
type other struct {
	*testing.T
	remote
}

// firefoxPath skips the test where there is no Firefox.
func firefoxPath(t *testing.T) string {
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("Firefox is not installed: neither firefox-esr nor firefox is in PATH")
	return ""
}

func TestASmokeRunInFirefox(t *testing.T) {
	path := firefoxPath(t)
	t.Run("headless, where it has no WebGL 2", func(t *testing.T) {
		o := &other{t, firefox(t, path, "")}
		o.smoke("firefox-headless")
	})
	t.Run("in a window", func(t *testing.T) {
		o := &other{t, firefox(t, path, display(t))}
		assert.True(t, o.smoke("firefox-window"), "there is a picture")
	})
}

func TestASmokeRunInWebKitGTK(t *testing.T) {
	driver, err := exec.LookPath("WebKitWebDriver")
	if err != nil {
		t.Skip("WebKitGTK's driver is not installed: WebKitWebDriver (Debian: webkit2gtk-driver) is not in PATH")
	}
	browsers, _ := filepath.Glob("/usr/lib/*/webkit*gtk-*/MiniBrowser") // the pattern is right
	if len(browsers) == 0 {
		t.Skip("WebKitGTK's MiniBrowser is not installed: there is none in /usr/lib/*/webkit2gtk-*")
	}
	o := &other{t, webkit(t, driver, browsers[len(browsers)-1], display(t))}
	assert.True(t, o.smoke("webkitgtk"), "there is a picture")
}

// smoke opens the page and sees that it starts, runs, comes to the native digest,
// and shows it: in a picture, which it reports, or else in words.
func (o *other) smoke(name string) (picture bool) {
	o.Helper()
	require.NoError(o, o.visit(site.URL+"/"))
	o.until("window.strandscope?.settled || strandscope.state.playing")
	o.until("strandscope.state.playing && BigInt(strandscope.state.nowNs) > 1000000000n")
	o.eval("strandscope.send('pause')")
	o.eval("strandscope.send('seek', {atNs: '5000000000'})")
	o.until("strandscope.settled && strandscope.state.nowNs === '5000000000'")
	o.until("document.getElementById('twin').textContent.startsWith('12 of 32 strands busy')")
	assert.Equal(o, straight(o.T, ask[string](o, "strandscope.state.scenario.id"), 5*clock.Second), ask[string](o, "strandscope.state.digest"))
	picture = ask[bool](o, "strandscope.state.picture")
	o.eval("document.getElementById('stage').scrollIntoView()")
	lit, wrong := o.lit(o.keep(name))
	for tries := 0; picture && len(wrong) > 0 && tries < 20; tries++ { // a window may show later what the page has drawn
		time.Sleep(250 * time.Millisecond)
		lit, wrong = o.lit(o.keep(name))
	}
	o.Logf("%s: %s, picture: %v", name, ask[string](o, "navigator.userAgent"), picture)
	if picture {
		assert.Empty(o, wrong)
		assert.Equal(o, 12, lit)
	} else {
		assert.Contains(o, ask[string](o, "document.getElementById('cover').innerText"), "no WebGL 2")
		assert.Equal(o, 12, ask[int](o, "document.querySelectorAll('#plain .busy').length"))
	}
	assert.Empty(o, ask[[]string](o, "watchedFaults"))
	return picture
}

// lit counts the busy strands in a picture of the window, and tells cells of another
// colour than they should have.
func (o *other) lit(shot image.Image) (n int, wrong []string) {
	o.Helper()
	cells := ask[[]cell](o, `new Promise((done) => { strandscope.on('cells', (m) => done(m.cells)); strandscope.send('cells'); })`)
	require.NotEmpty(o, cells)
	at := ask[[]float64](o, `(({x, y}) => [x, y, innerWidth])(document.getElementById('stage').getBoundingClientRect())`)
	scale := float64(shot.Bounds().Dx()) / at[2]
	for _, c := range cells {
		got := common(shot, int(at[0]*scale)+c.X+c.W*6/10, int(at[1]*scale)+c.Y+8, 8)
		if got != c.Color {
			wrong = append(wrong, fmt.Sprintf("cpu%d is %s, want %s", c.CPU, got, c.Color))
		} else if c.Busy {
			n++
		}
	}
	return n, wrong
}

// ask runs an expression in the page.
func ask[T any](o *other, expression string) (v T) {
	o.Helper()
	raw, err := o.script("const done = arguments[arguments.length - 1];" +
		"Promise.resolve().then(() => (" + expression + ")).then((v) => done(JSON.stringify({v})), (e) => done(JSON.stringify({e: String(e)})))")
	require.NoError(o, err, expression)
	var text string
	require.NoError(o, json.Unmarshal(raw, &text), "%s: %s", expression, raw)
	var answer struct {
		V T
		E string
	}
	require.NoError(o, json.Unmarshal([]byte(text), &answer), text)
	require.Empty(o, answer.E, expression)
	return answer.V
}

func (o *other) eval(expression string) { o.Helper(); ask[any](o, expression) }

func (o *other) until(expression string) {
	o.Helper()
	for end := time.Now().Add(2 * time.Minute); !ask[bool](o, "Boolean("+expression+")"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			require.Fail(o, expression, "state: %s, %v", ask[string](o, "JSON.stringify(strandscope.state).slice(0, 400) + document.getElementById('cover').innerText"),
				ask[[]string](o, "watchedFaults"))
		}
	}
}

func (o *other) keep(name string) image.Image {
	o.Helper()
	text, err := o.shot()
	require.NoError(o, err)
	b, err := base64.StdEncoding.DecodeString(text)
	require.NoError(o, err)
	dir := filepath.Join(root, "build", "screenshots")
	require.NoError(o, os.MkdirAll(dir, 0o755))
	require.NoError(o, os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644))
	m, err := png.Decode(bytes.NewReader(b))
	require.NoError(o, err)
	return m
}

// display starts an X server without a screen and gives its name.
func display(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("a browser with a window needs an X server, and Xvfb (Debian: xvfb) is not in PATH")
	}
	out, in, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1600x1100x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{in}
	begin(t, cmd)
	require.NoError(t, in.Close())
	number := make([]byte, 16)
	n, err := out.Read(number)
	require.NoError(t, err, "Xvfb did not start")
	return ":" + strings.TrimSpace(string(number[:n]))
}

// begin starts a program that ends with the test.
func begin(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()         // it was killed
	})
}

// soon tries until something is there that a program makes when it has started.
func soon[T any](t *testing.T, try func() (T, error)) T {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for {
		v, err := try()
		if err == nil {
			return v
		}
		require.True(t, time.Now().Before(end), "not there after a minute: %v", err)
		time.Sleep(50 * time.Millisecond)
	}
}

// environment is that of a browser with a home of its own.
func environment(home, display string) []string {
	env := []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "LIBGL_ALWAYS_SOFTWARE=1", "DISPLAY=" + display}
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); name != "HOME" && name != "DISPLAY" && name != "WAYLAND_DISPLAY" && name != "XDG_RUNTIME_DIR" {
			env = append(env, e)
		}
	}
	return env
}

func fault(command string, text any) error { return fmt.Errorf("%s: %v", command, text) }
