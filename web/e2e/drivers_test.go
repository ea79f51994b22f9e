//go:build browser

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// marionette is Firefox's own protocol, which needs no driver beside the browser:
// messages are a length, a colon and JSON; [0, id, command, parameters] is answered
// by [1, id, error, result].
type marionette struct {
	conn net.Conn
	in   *bufio.Reader
	id   int
}

// firefox starts one with a fresh profile; without a display it is headless.
func firefox(t *testing.T, path, display string) remote {
	t.Helper()
	home := t.TempDir()
	profile := filepath.Join(home, "profile")
	require.NoError(t, os.Mkdir(profile, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(`
user_pref("marionette.port", 0); // any that is free: it is written into the profile
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
`), 0o600))
	args := []string{"--marionette", "--no-remote", "--profile", profile, "--width", "1280", "--height", "900"}
	if display == "" {
		args = append(args, "--headless")
	}
	cmd := exec.Command(path, append(args, "about:blank")...)
	cmd.Env = environment(home, display)
	begin(t, cmd)
	conn := soon(t, func() (net.Conn, error) {
		port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if err != nil {
			return nil, err
		}
		return net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
	})
	t.Cleanup(func() { _ = conn.Close() }) // nothing is left to lose
	m := &marionette{conn: conn, in: bufio.NewReader(conn)}
	_, err := m.read() // it says hello
	require.NoError(t, err)
	_, err = m.call("WebDriver:NewSession", map[string]any{})
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = m.call("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}}) }) // else it is killed
	return m
}

func (m *marionette) read() ([]byte, error) {
	if err := m.conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	var n int
	if _, err := fmt.Fscanf(m.in, "%d:", &n); err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err := io.ReadFull(m.in, b)
	return b, err
}

func (m *marionette) call(command string, params any) (json.RawMessage, error) {
	m.id++
	b, err := json.Marshal([]any{0, m.id, command, params})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(b), b); err != nil {
		return nil, err
	}
	if b, err = m.read(); err != nil {
		return nil, fault(command, err)
	}
	var answer []json.RawMessage
	if err := json.Unmarshal(b, &answer); err != nil || len(answer) != 4 {
		return nil, fault(command, string(b))
	}
	if string(answer[2]) != "null" {
		return nil, fault(command, string(answer[2]))
	}
	var result struct{ Value json.RawMessage }
	if err := json.Unmarshal(answer[3], &result); err != nil {
		return nil, fault(command, err)
	}
	return result.Value, nil
}

func (m *marionette) visit(url string) error {
	_, err := m.call("WebDriver:Navigate", map[string]any{"url": url})
	return err
}

func (m *marionette) script(body string) (json.RawMessage, error) {
	return m.call("WebDriver:ExecuteAsyncScript", map[string]any{"script": body, "args": []any{}})
}

func (m *marionette) shot() (text string, err error) {
	raw, err := m.call("WebDriver:TakeScreenshot", map[string]any{"full": false})
	if err != nil {
		return "", err
	}
	return text, json.Unmarshal(raw, &text)
}

// webdriver is the standard's protocol, here WebKitGTK's.
type webdriver struct{ session string }

// webkit starts MiniBrowser under its driver.
func webkit(t *testing.T, driver, browser, display string) remote {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(driver, "--port="+port)
	cmd.Env = environment(t.TempDir(), display)
	begin(t, cmd)
	w := &webdriver{session: "http://" + address + "/session"}
	raw := soon(t, func() (json.RawMessage, error) {
		return w.call(http.MethodPost, "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
			"webkitgtk:browserOptions": map[string]any{"binary": browser, "args": []string{"--automation", "--geometry=1280x900"}},
		}}})
	})
	var session struct{ SessionID string }
	require.NoError(t, json.Unmarshal(raw, &session))
	w.session += "/" + session.SessionID
	t.Cleanup(func() { _, _ = w.call(http.MethodDelete, "", nil) }) // ends the browser; the driver is killed anyway
	return w
}

func (w *webdriver) call(method, path string, params any) (json.RawMessage, error) {
	var body io.Reader
	if params != nil {
		b, err := json.Marshal(params)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequest(method, w.session+path, body)
	if err != nil {
		return nil, err
	}
	answer, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var result struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&result); err != nil {
		return nil, fault(path, err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fault(path, string(result.Value))
	}
	return result.Value, nil
}

func (w *webdriver) visit(url string) error {
	_, err := w.call(http.MethodPost, "/url", map[string]any{"url": url})
	return err
}

func (w *webdriver) script(body string) (json.RawMessage, error) {
	return w.call(http.MethodPost, "/execute/async", map[string]any{"script": body, "args": []any{}})
}

func (w *webdriver) shot() (text string, err error) {
	raw, err := w.call(http.MethodGet, "/screenshot", nil)
	if err != nil {
		return "", err
	}
	return text, json.Unmarshal(raw, &text)
}
