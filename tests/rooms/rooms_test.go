package main

import (
	"slices"
	"strings"
	"testing"
)

// most is how many references may run up in a package whose files have an order, or lie in circles in one whose
// files have none.
const most = 9

// In every package the files refer to one another in one direction.
func TestReferencesRunDown(t *testing.T) {
	t.Parallel()
	const module = "github.com/memverbs/memverbs/"
	rooms, err := load("../..", "./cmd/...", "./proxy/...", "./verbs/...", "./protocol/...", "./sharding/...", "./tests/rooms")
	if err != nil {
		t.Fatal(err)
	}
	if len(rooms) < 40 {
		t.Errorf("there are %d packages", len(rooms))
	}
	for _, r := range rooms {
		path := strings.TrimPrefix(r.path, module)
		if links := r.rising(); len(links) > most {
			t.Errorf("%d references, which are more than %d, run up in %s, or lie in circles if its documentation has no order:", len(links), most, path)
			for _, l := range links {
				if r.order != nil {
					t.Errorf("\t%v", l)
				}
			}
		}
		if r.order != nil {
			if text := wrong(r.order, r.files); text != "" {
				t.Errorf("%s: %s", path, text)
			}
		}
	}
}

// What counts as a reference, and which of them run up.
func TestWhatRunsUp(t *testing.T) {
	t.Parallel()
	rooms, err := load("testdata/house", ".")
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for _, l := range rooms[0].links {
		links = append(links, l.String())
	}
	expected := []string{
		"cellar.go refers to Roof in roof.go",     // by the receiver of a method, and by a field, once
		"cellar.go refers to instance in roof.go", // a variable
		"cellar.go refers to raise in roof.go",    // a method
		"roof.go refers to Stone in cellar.go",    // the field of a generic type
		"roof.go refers to Wall in wall.go",       // an embedded type, and its field
		"wall.go refers to Stone in cellar.go",    // a generic type
	}
	if !slices.Equal(links, expected) {
		t.Errorf("%s", strings.Join(links, "\n"))
	}
	if up := rooms[0].rising(); len(up) != 3 || up[0].from != "cellar.go" {
		t.Errorf("%v run up", up)
	}
	if text := wrong(rooms[0].order, rooms[0].files); text != "" {
		t.Error(text)
	}
	rooms[0].order = nil
	if in := rooms[0].rising(); len(in) != len(links) {
		t.Errorf("%v lie in circles", in)
	}
}

func TestOrderOfFiles(t *testing.T) {
	t.Parallel()
	const doc = "Package x is.\n\n# Files, from the top down\n\nFirst come\n\n\ta.go b.go   two, in c.go's way\n\td_e2.go\n\n# More\n\n\tf.go\n"
	if got := orderIn(doc); !slices.Equal(got, []string{"a.go", "b.go", "d_e2.go"}) {
		t.Errorf("%q", got)
	}
	if got := orderIn("Package x is.\n\n# More\n\n\tf.go\n"); got != nil {
		t.Errorf("%q", got)
	}
	for _, test := range []struct{ order, files, says string }{
		{"a.go b.go", "b.go doc.go a.go", ""},
		{"a.go b.go", "a.go", "the order has b.go, which is no file of the package"},
		{"a.go", "a.go c.go", "the order lacks c.go"},
	} {
		if got := wrong(strings.Fields(test.order), strings.Fields(test.files)); got != test.says {
			t.Errorf("%s, %s: %q", test.order, test.files, got)
		}
	}
}
