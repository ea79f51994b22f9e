package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A record is a table as it is kept.
type record struct {
	Environment environment `json:"environment"`
	Rows        []row       `json:"rows"`
}

// environment is where and how a table was measured.
type environment struct {
	Date     string `json:"date"`
	Commit   string `json:"commit"`
	System   string `json:"system"`
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
	Go       string `json:"go"`
	Node     string `json:"node,omitempty"`
	Chromium string `json:"chromium,omitempty"`
	Rounds   int    `json:"rounds"`
	// Load averages of this computer before and after: on a quiet one they are near
	// 0 and 1.
	LoadBefore string `json:"load_before,omitempty"`
	LoadAfter  string `json:"load_after,omitempty"`
	Note       string `json:"note,omitempty"`
}

func (e environment) String() string {
	parts := []string{e.Date, "commit " + e.Commit, fmt.Sprintf("%s, %d cores of %s", e.System, e.Cores, e.CPU), e.Go}
	if e.Node != "" {
		parts = append(parts, "Node "+e.Node)
	}
	if e.Chromium != "" {
		parts = append(parts, e.Chromium)
	}
	parts = append(parts, fmt.Sprintf("rounds: %d", e.Rounds))
	if e.LoadBefore != "" {
		parts = append(parts, fmt.Sprintf("load average %s before and %s after", e.LoadBefore, e.LoadAfter))
	}
	if e.Note != "" {
		parts = append(parts, e.Note)
	}
	return strings.Join(parts, "; ")
}

func (e *environment) begin() {
	e.Date = time.Now().UTC().Format("2006-01-02 15:04 UTC")
	e.System, e.Cores, e.Go = runtime.GOOS+"/"+runtime.GOARCH, runtime.NumCPU(), runtime.Version()
	e.CPU = cpuModel()
	e.Commit = said("git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
	e.LoadBefore = loadAverage()
}

// said is what a command prints, in one line; "" where it cannot.
func said(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// cpuModel is the processor's name where Linux tells it.
func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}

// loadAverage is that of one minute, where Linux tells it.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(text), " ")
	return load
}

func readRecord(name string) (*record, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var r record
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &r, nil
}

func (r *record) write(name string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(r); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
