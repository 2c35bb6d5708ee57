package catalog

import (
	"bytes"
	"strings"
	"testing"
)

const testID, otherID = "rRRpR-AG9TaYVV0h", "0123456789_bcdeA"

var (
	key32  = strings.Repeat("k", 32)
	key229 = strings.Repeat("k", 229)
)

func TestBases(t *testing.T) {
	for _, test := range []struct {
		key, bases string
		sure       bool
	}{
		{"set:" + testID + ".0", "set", false},
		{"set:" + testID + ".255", "set", false},
		{"a:set:7:" + testID + ".10", "a:set:7", false},
		{"table:" + testID, "table", false},
		{"session:0123456789abcdef", "session", false},
		{"table:" + testID + "=field", "table", false},
		{"table:" + testID + "=a:b=c", "table", false},
		{"table:" + testID + ":" + otherID + ".3", "table table:" + testID, false}, // or a part of a set
		{"table:" + testID + ":@merge", "table table:" + testID, true},
		{"table:" + testID + "=a:" + otherID, "table table:" + testID + "=a", false},
		{"set:@merge", "set", true},
		{"set:@clock", "set", true},
		{"log:179532718+1", "log", true},
		{"log:0+64", "log", true},
		{"a:log:179532718+1", "a:log", true},
		{"login:alice:limit:60:8wvu2z", "login:alice", true},
		{"pool:place:2", "pool", false},
		{"pool:place:100", "pool", false},

		// Keys that were cut.
		{key229 + ":" + testID, key229, true},
		{key229 + ":" + testID + ".17", key229, true},
		{key229 + ":" + testID + "=f", key229, true},
		{key32 + ":" + testID + "=" + strings.Repeat("f", 200), key32, true},
		{key32[1:] + ":" + testID + "=" + strings.Repeat("f", 200), key32[1:], false},

		{"user:7", "", false},
		{"log:3", "", false},
		{"@merge", "", false},
		{":@merge", "", false},
		{"set@clock", "", false},
		{testID, "", false},
		{":" + testID + ".0", "", false},
		{"set:" + testID + ".256", "", false},
		{"set:" + testID + ".01", "", false},
		{"set:" + testID + ".", "", false},
		{"set:" + testID + ".x", "", false},
		{"set:" + testID[1:] + ".0", "", false},
		{"set:" + testID + "0.0", "", false},
		{"set:" + testID[1:] + "+.0", "", false},
		{"set:" + testID[1:] + "\xe9", "", false},
		{"table:" + testID + "=", "", false},
		{"table:" + testID + "=" + strings.Repeat("f", 201), "", false},
		{"table:" + testID + ":" + otherID, "table:" + testID, false},
		{"table:" + testID + ":name", "", false},
		{"log:1+0x", "", false},
		{"log:1+0", "", false},
		{"log:1+65", "", false},
		{"log:01+1", "", false},
		{"log:-1+1", "", false},
		{"log:+1", "", false},
		{"login:alice:limit:0:8wvu2z", "", false},
		{"login:alice:limit:60:8WVU2Z", "", false},
		{"login:alice:limit:60:08wvu2z", "", false},
		{"login:alice:limit:60:-1", "", false},
		{"pool:place:1", "", false},
		{"pool:place:02", "", false},
		{"pool:place:101", "", false},
		{"pool:place:", "", false},
		{key229, "", false},
	} {
		bases, sure := Bases([]byte(test.key))
		if got := string(bytes.Join(bases, []byte{' '})); got != test.bases || sure != test.sure {
			t.Errorf("bases of %s: %q, %t, expected %q, %t", test.key, got, sure, test.bases, test.sure)
		}
	}
}
