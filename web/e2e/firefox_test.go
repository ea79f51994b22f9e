//go:build browser

package e2e

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// gecko is a headless Firefox, driven by its own protocol (Marionette): messages are
// JSON with their length before them. It has no WebGL, so the page tells its run in
// words.
type gecko struct {
	*testing.T
	conn net.Conn
	in   *bufio.Reader
	last int
}

func firefox(t *testing.T) *gecko {
	t.Helper()
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		path, err = exec.LookPath("firefox")
	}
	if err != nil {
		t.Skip("no Firefox is installed")
	}
	profile := t.TempDir()
	prefs := "user_pref('marionette.port', 0);\nuser_pref('ui.prefersReducedMotion', 1);\nuser_pref('app.update.enabled', false);\n"
	require.NoError(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o644))
	cmd := exec.Command(path, "--headless", "--marionette", "--no-remote", "--profile", profile, "--width=1440", "--height=900")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	require.NoError(t, cmd.Start())
	f := &gecko{T: t}
	t.Cleanup(func() {
		if f.conn != nil {
			_, _ = f.call("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}}) // it may be gone already
			f.conn.Close()
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	var port string
	require.Eventually(t, func() bool {
		b, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		port = strings.TrimSpace(string(b))
		return err == nil && port != ""
	}, time.Minute, 50*time.Millisecond, "Firefox did not open its port")
	f.conn, err = net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	f.in = bufio.NewReader(f.conn)
	_, err = f.read() // a greeting
	require.NoError(t, err)
	f.must("WebDriver:NewSession", map[string]any{})
	f.must("WebDriver:SetTimeouts", map[string]any{"script": 60000})
	return f
}

func (f *gecko) read() ([]byte, error) {
	if err := f.conn.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		return nil, err
	}
	length, err := f.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(f.in, b)
	return b, err
}

// call sends a command and gives what it answers as "value".
func (f *gecko) call(name string, arguments map[string]any) (any, error) {
	f.last++
	b, err := json.Marshal([]any{0, f.last, name, arguments})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(b), b); err != nil {
		return nil, err
	}
	b, err = f.read()
	if err != nil {
		return nil, err
	}
	var answer []any // 1, number, error, result
	if err := json.Unmarshal(b, &answer); err != nil {
		return nil, err
	}
	if len(answer) != 4 || answer[2] != nil {
		return nil, fmt.Errorf("%s: %.400s", name, b)
	}
	result, _ := answer[3].(map[string]any)
	return result["value"], nil
}

func (f *gecko) must(name string, arguments map[string]any) any {
	f.Helper()
	v, err := f.call(name, arguments)
	require.NoError(f, err)
	return v
}

func (f *gecko) navigate(url string) {
	f.Helper()
	f.must("WebDriver:Navigate", map[string]any{"url": url})
}

func (f *gecko) script(body string) any {
	f.Helper()
	return f.must("WebDriver:ExecuteScript", map[string]any{"script": body, "args": []any{}, "sandbox": nil})
}

func (f *gecko) until(body string) {
	f.Helper()
	require.Eventually(f, func() bool { return f.script(body) == true }, 2*time.Minute, 50*time.Millisecond,
		"%s; the page says: %v", body, f.script("return document.getElementById('cover').innerText"))
}

func (f *gecko) keep(name string) {
	f.Helper()
	s, _ := f.must("WebDriver:TakeScreenshot", map[string]any{"full": false}).(string)
	b, err := base64.StdEncoding.DecodeString(s)
	require.NoError(f, err)
	dir := filepath.Join(root, "build", "screenshots")
	require.NoError(f, os.MkdirAll(dir, 0o755))
	require.NoError(f, os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644))
}
