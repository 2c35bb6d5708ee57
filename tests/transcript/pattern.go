package transcript

import (
	"fmt"
	"strconv"
	"strings"
)

// kind is what a piece of a line stands for.
type kind int

const (
	literal  kind = iota
	integer       // {int}, or {int NAME}
	someWord      // {word}, or {word NAME}
	anything      // {any}
	recalled      // {NAME}
	closing       // {close}
)

// piece is a part of a line: text that stands for itself, or a placeholder.
type piece struct {
	kind kind
	text string // of a literal
	name string // of what is remembered or recalled
}

// pattern is a line as it is written in a transcript.
type pattern []piece

// parsePattern reads a line with its escapes and placeholders. A line end is
// added, unless a backslash at the end says not to.
func parsePattern(line string) (pattern, error) {
	var p pattern
	var text strings.Builder
	end := "\r\n"
	for line != "" {
		switch {
		case line == `\`:
			line, end = "", ""
		case strings.HasPrefix(line, `\{`):
			text.WriteByte('{')
			line = line[2:]
		case line[0] == '\\':
			b, multibyte, rest, err := strconv.UnquoteChar(line, 0)
			if err != nil || multibyte {
				return nil, fmt.Errorf("bad escape at %q", line)
			}
			text.WriteByte(byte(b))
			line = rest
		case line[0] == '{':
			word, rest, ok := strings.Cut(line[1:], "}")
			if !ok {
				return nil, fmt.Errorf("no } after %q", line)
			}
			line = rest
			if what, n, ok := cutRepeat(word); ok {
				text.WriteString(strings.Repeat(what, n))
				continue
			}
			p = append(p, piece{text: text.String()}, placeholder(word))
			text.Reset()
		default:
			text.WriteByte(line[0])
			line = line[1:]
		}
	}
	return append(p, piece{text: text.String() + end}), nil
}

// cutRepeat splits x*251.
func cutRepeat(word string) (what string, n int, ok bool) {
	i := strings.LastIndexByte(word, '*')
	if i < 1 {
		return "", 0, false
	}
	n, err := strconv.Atoi(word[i+1:])
	return word[:i], n, err == nil && n >= 0
}

func placeholder(word string) piece {
	if name, ok := strings.CutPrefix(word, "int "); ok {
		return piece{kind: integer, name: name}
	}
	if name, ok := strings.CutPrefix(word, "word "); ok {
		return piece{kind: someWord, name: name}
	}
	switch word {
	case "int":
		return piece{kind: integer}
	case "word":
		return piece{kind: someWord}
	case "any":
		return piece{kind: anything}
	case "close":
		return piece{kind: closing}
	}
	return piece{kind: recalled, name: word}
}

// closes reports whether the line is {close}.
func (p pattern) closes() bool { return len(p) > 1 && p[1].kind == closing }

// fill returns the line with what is remembered in place.
func (p pattern) fill(memory map[string]string) string {
	var line strings.Builder
	for _, piece := range p {
		line.WriteString(piece.text)
		line.WriteString(memory[piece.name])
	}
	return line.String()
}

// match reports whether line is what the pattern describes, and enters in
// memory what it has to remember of it.
func (p pattern) match(line string, memory map[string]string) bool {
	if len(p) == 0 {
		return line == ""
	}
	rest := p[1:]
	switch piece := p[0]; piece.kind {
	case integer:
		n := len(line) - len(strings.TrimLeft(strings.TrimPrefix(line, "-"), "0123456789"))
		if n == 0 || line[:n] == "-" {
			return false
		}
		return rest.matchAfter(piece, line, n, memory)
	case someWord:
		for n := 1; n <= len(line) && line[n-1] > ' '; n++ {
			if rest.matchAfter(piece, line, n, memory) {
				return true
			}
		}
		return false
	case anything:
		for i := range len(line) + 1 {
			if rest.match(line[i:], memory) {
				return true
			}
		}
		return false
	default:
		after, ok := strings.CutPrefix(line, pattern{piece}.fill(memory))
		return ok && rest.match(after, memory)
	}
}

// matchAfter reports whether line is n bytes that before stands for, and then what the pattern
// describes.
func (p pattern) matchAfter(before piece, line string, n int, memory map[string]string) bool {
	if before.name != "" {
		memory[before.name] = line[:n]
	}
	return p.match(line[n:], memory)
}
