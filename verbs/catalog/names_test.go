package catalog

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What serves verbs of any kind knows none by its name: neither an identifier nor a word of
// a string is one.
func TestNobodyElseNamesVerbs(t *testing.T) {
	for _, folder := range []string{"protocol", "proxy", "proxy/*", "verbs", "verbs/structure", "verbs/verbtest"} {
		files, err := filepath.Glob("../../" + folder + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %d files (%v)", folder, len(files), err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				checkNames(t, file)
			}
		}
	}
}

func checkNames(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s scanner.Scanner
	positions := token.NewFileSet()
	s.Init(positions.AddFile(file, -1, len(text)), text, nil, 0)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return
		}
		if kind != token.IDENT && kind != token.STRING {
			continue
		}
		for _, word := range words.FindAllString(literal, -1) {
			if v := Known[word]; v != nil && !ordinary[word] {
				t.Errorf("%s names the verb %s", positions.Position(at), word)
			}
		}
	}
}

// words matches the words that an identifier is made of: clock in clockOf, and Clock in
// theClock.
var words = regexp.MustCompile("[A-Z]?[a-z]+")

// ordinary are names of verbs that are also words of messages, or of everything that is bounded.
var ordinary = map[string]bool{"help": true, "inspect": true, "limit": true}
