package transcript

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Script is a transcript that has been read.
type Script struct {
	path  string
	only  []string        // names of stores, none for all
	names map[string]bool // of what is remembered
	steps []step
}

// step is one line that a client sends, or that it expects.
type step struct {
	client  string
	sends   bool
	line    int
	source  string // the line as it stands in the file
	pattern pattern
}

var (
	stepLine = regexp.MustCompile(`^([a-z]*)([<>])(?: (.*))?$`)
	onlyLine = regexp.MustCompile(`^# only: (.*)$`)
)

// Load reads a transcript from a file.
func Load(path string) (*Script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, string(text))
}

// Parse reads a transcript that stands in the file at path.
func Parse(path, text string) (*Script, error) {
	s := &Script{path: path, names: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		if only := onlyLine.FindStringSubmatch(line); only != nil {
			s.only = append(s.only, strings.Fields(only[1])...)
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.add(i+1, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	if len(s.steps) == 0 {
		return nil, fmt.Errorf("%s: nothing in it", path)
	}
	return s, nil
}

func (s *Script) add(number int, line string) error {
	parts := stepLine.FindStringSubmatch(line)
	if parts == nil {
		return errors.New(`neither "> " nor "< " nor "# " begins this line`)
	}
	p, err := parsePattern(parts[3])
	if err != nil {
		return err
	}
	added := step{client: parts[1], sends: parts[2] == ">", line: number, source: line, pattern: p}
	s.steps = append(s.steps, added)
	return s.check(added)
}

// check refuses what would never match, or not as it seems.
func (s *Script) check(added step) error {
	for _, piece := range added.pattern {
		switch {
		case piece.kind == recalled && !s.names[piece.name]:
			return fmt.Errorf("nothing was remembered as {%s}", piece.name)
		case (piece.kind == integer || piece.kind == someWord) && !added.sends:
			s.names[piece.name] = true
		case piece.kind != literal && piece.kind != recalled && added.sends:
			return errors.New("a placeholder in what is sent")
		}
	}
	if !added.sends && !strings.HasSuffix(added.pattern[len(added.pattern)-1].text, "\n") {
		return errors.New("what is expected must have a line end")
	}
	return nil
}

// Concerns reports whether the transcript holds for the store named.
func (s *Script) Concerns(store string) bool {
	return len(s.only) == 0 || slices.Contains(s.only, store)
}
