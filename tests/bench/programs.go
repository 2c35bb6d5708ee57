//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fetched returns the path of a program that a script of tests has put into a
// folder of .cache, or just its name where none has.
func fetched(folder, name string) string {
	path, err := filepath.Abs(filepath.Join(".cache", folder, name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return name
	}
	return path
}

// optimizedBy is the profile by which the compiler optimizes what is shipped.
const optimizedBy = "cmd/memverbs/packaging/plain.pgo"

// The flags with which the program is built as it is shipped, and so that it takes a profile. A profile has the paths of the
// sources unless they are trimmed; one that is kept in the repository should not show where the repository was.
var (
	asShipped = []string{"-pgo", optimizedBy}
	profiling = []string{"-pgo", "off", "-trimpath", "-tags", "profile"}
)

// buildMemverbs builds the program from the repository with flags of the go command.
func buildMemverbs(ctx context.Context, folder string, flags []string) (path string, err error) {
	path = filepath.Join(folder, "memverbs")
	args := append([]string{"build", "-o", path}, flags...)
	build := exec.CommandContext(ctx, "go", append(args, "github.com/memverbs/memverbs/cmd/memverbs")...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("memverbs does not build: %w\n%s", err, said)
	}
	return path, nil
}

// versions says what the programs are.
func versions(o *options) string {
	var lines []string
	for _, path := range []string{o.memverbs, o.nutcracker, o.memcachedProxy, o.memcached, o.valkey} {
		line, _, _ := strings.Cut(firstLine(path, "--version"), " sha=") // Valkey has more to say
		line = strings.TrimPrefix(line, "This is ")
		if path == o.memcachedProxy {
			line += " as a proxy"
		}
		lines = append(lines, line)
	}
	if line := firstLine(o.beanstalkd, "-v"); line != "" {
		lines = append(lines, line)
	}
	if line := stunnelVersion(o.stunnel); line != "" {
		lines = append(lines, line)
	}
	return strings.Join(lines, ", ")
}

// firstLine returns the first line of a command's output, nothing if there is no such
// command: that is reported when it is needed.
func firstLine(path string, args ...string) string {
	said, _ := exec.Command(path, args...).CombinedOutput()
	line, _, _ := strings.Cut(string(said), "\n")
	return strings.TrimSpace(line)
}
