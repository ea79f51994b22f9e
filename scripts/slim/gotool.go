package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// run runs Go in dir and returns what it prints.
func run(dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

// runInside runs one of our programs within the copy, whose internal packages
// nobody else may import.
func runInside(ebiten, program string) ([]byte, error) {
	text, err := ours.ReadFile(program)
	if err != nil {
		return nil, err
	}
	return runText(ebiten, text)
}

func runText(ebiten string, program []byte) (out []byte, err error) {
	dir := filepath.Join(ebiten, "internal", "slim")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), program, 0o644); err != nil {
		return nil, err
	}
	// Whoever builds for the page may have set the target for all of Go.
	here := []string{"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH, "GOWORK=off"}
	// Without -trimpath nothing compiled in one folder would do in another.
	return run(ebiten, here, "run", "-trimpath", "./internal/slim")
}

// writeModfile writes slim.mod and slim.sum. Paths in them start at root.
func writeModfile(root, out, ebiten string) error {
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "slim.sum"), sum, 0o644); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	half := filepath.Join(out, "slim.part.mod")
	text := append([]byte("// Made by scripts/slim from go.mod.\n\n"), mod...)
	if err := os.WriteFile(half, text, 0o644); err != nil {
		return err
	}
	where, err := place(root, ebiten)
	if err != nil {
		return err
	}
	if _, err := run("", nil, "mod", "edit", "-replace="+module+"="+where, half); err != nil {
		return err
	}
	return os.Rename(half, filepath.Join(out, "slim.mod"))
}

// place names dir as a replace directive does: from root, or absolutely.
func place(root, dir string) (string, error) {
	from, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(to), nil
	}
	return "./" + filepath.ToSlash(rel), nil
}
