// Package yamlfile reads small YAML files that people write, and tells where in them
// something is wrong.
//
// A file is read as a tree of [Node]s: mappings, lists and texts. A text is returned as it is
// written, whatever YAML would take it for: 0700 stays 0700, and no stays no. So a program can
// give each text the meaning that its key demands, and refuse it with [Node.Errorf], which
// begins with the file, line and column.
//
// Only what such files need is accepted: one document of at most [MaxBytes] in UTF-8, without
// anchors, aliases, tags and keys that are not texts, and not deeply nested. Thus reading takes
// bounded memory and time.
//
// # Files, from the top down
//
//	file.go        reading a file
//	tokencheck.go  what is not accepted
//	node.go        its parts
//	errors.go      mistakes and their places
package yamlfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// MaxBytes is how long a file may be.
const MaxBytes = 1 << 20

// Read reads the file at path. It refuses what [Parse] refuses.
func Read(path string) (Node, error) {
	text, err := Text(path)
	if err != nil {
		return Node{}, err
	}
	return Parse(path, text)
}

// Text returns what is in the file at path, for [Parse], which refuses it if it is too long. Of such a file it returns a
// part.
func Text(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, smallfile.Named(err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, smallfile.Named(err)
	}
	return text, nil
}

// Parse reads text, which errors call file. It refuses text that is no YAML, that is empty,
// and what the package does not accept.
func Parse(file string, text []byte) (Node, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) > MaxBytes {
		return Node{}, errorAt(position{file, 1, 1}, "the file is longer than %d bytes", MaxBytes)
	}
	if !utf8.Valid(text) {
		return Node{}, errorAt(firstInvalid(file, text), "this is not UTF-8; save the file as UTF-8")
	}
	// The lexer counts the line of a comment twice if it ends in a carriage return and a line feed.
	tokens := lexer.Tokenize(strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err := check(file, tokens); err != nil {
		return Node{}, err
	}
	// Duplicate keys are refused by Entries, which says where they are.
	parsed, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return Node{}, syntaxError(file, err)
	}
	for _, document := range parsed.Docs {
		if document.Body != nil {
			return Node{file, document.Body}, nil
		}
	}
	return Node{}, errorAt(position{file, 1, 1}, "the file is empty")
}

func syntaxError(file string, err error) error {
	var wrong yaml.Error
	if !errors.As(err, &wrong) || wrong.GetToken() == nil {
		return errorAt(position{file, 1, 1}, "%v", err)
	}
	at := positionOf(file, wrong.GetToken())
	if said := wrong.GetMessage(); strings.Contains(said, "'\t'") || strings.Contains(said, "tab character") {
		return errorAt(at, "there is a tab where YAML takes only spaces: replace it by spaces")
	}
	return errorAt(at, "%s; if a text is meant, put it in quotes", wrong.GetMessage())
}

// firstInvalid returns the position of the first byte that is not UTF-8.
func firstInvalid(file string, text []byte) position {
	at := position{file, 1, 1}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			return at
		case r == '\n':
			at.line, at.column = at.line+1, 1
		default:
			at.column++
		}
		text = text[n:]
	}
	return at
}
