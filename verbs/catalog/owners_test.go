package catalog

import (
	"slices"
	"strings"
	"testing"
)

const testID, otherID = "rRRpR-AG9TaYVV0h", "0123456789_bcdeA"

func TestOwners(t *testing.T) {
	for _, test := range []struct{ key, owners string }{
		{"set:" + testID + ".0", "set"},
		{"set:" + testID + ".255", "set"},
		{"a:set:7:" + testID + ".10", "a:set:7"},
		{"table:" + testID, "table"},
		{"table:" + testID + "=field", "table"},
		{"table:" + testID + "=a:b=c", "table"},
		{"table:" + testID + ":" + otherID + ".3", "table table:" + testID}, // or a part of a set
		{"table:" + testID + ":@merge", "table table:" + testID},
		{"table:" + testID + "=a:" + otherID, "table table:" + testID + "=a"},
		{"set:@merge", "set"},
		{"log:179532718+1", "log"},
		{"log:0+64", "log"},
		{"a:log:179532718+1", "a:log"},
		{"login:alice:limit:60:8wvu2z", "login:alice"},

		{"user:7", ""},
		{"log:3", ""},
		{"@merge", ""},
		{":@merge", ""},
		{testID, ""},
		{":" + testID + ".0", ""},
		{"set:" + testID + ".256", ""},
		{"set:" + testID + ".01", ""},
		{"set:" + testID + ".", ""},
		{"set:" + testID + ".x", ""},
		{"set:" + testID[1:] + ".0", ""},
		{"set:" + testID + "0.0", ""},
		{"set:" + testID[1:] + "+.0", ""},
		{"set:" + testID[1:] + "\xe9", ""},
		{"table:" + testID + "=", ""},
		{"table:" + testID + ":" + otherID, "table:" + testID},
		{"table:" + testID + ":name", ""},
		{"log:1+0x", ""},
		{"log:1+65", ""},
		{"log:01+1", ""},
		{"login:alice:limit:0:8wvu2z", ""},
		{"log:+1", ""},
	} {
		var owners []string
		for _, owner := range AppendOwners(nil, []byte(test.key)) {
			owners = append(owners, string(owner))
		}
		if expected := strings.Fields(test.owners); !slices.Equal(owners, expected) {
			t.Errorf("owners of %s: %q, expected %q", test.key, owners, expected)
		}
	}
}
