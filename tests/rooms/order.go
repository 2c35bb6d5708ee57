package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// heading begins the part of a package's documentation that has its files, one or several a line, before
// what they are.
const heading = "# Files, from the top down\n"

var goFile = regexp.MustCompile(`^[a-z0-9_]+\.go$`)

// orderIn returns the files in the order that a package's documentation has, nil if it has none.
func orderIn(doc string) (order []string) {
	_, part, _ := strings.Cut(doc, heading)
	part, _, _ = strings.Cut(part, "\n# ")
	for line := range strings.Lines(part) {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if !goFile.MatchString(word) {
				break
			}
			order = append(order, word)
		}
	}
	return order
}

// wrong returns what is wrong with an order of files, empty if it has all of them and no other.
func wrong(order, files []string) string {
	for _, name := range order {
		if !slices.Contains(files, name) {
			return fmt.Sprintf("the order has %s, which is no file of the package", name)
		}
	}
	for _, name := range files {
		if name != "doc.go" && !slices.Contains(order, name) {
			return fmt.Sprintf("the order lacks %s", name)
		}
	}
	return ""
}
