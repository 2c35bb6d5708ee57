package protocol

import (
	"slices"
	"testing"
)

// The verbs of the tests: one with a list, one with a data block, and one with neither.
var testVerbs = NewVerbs([]*Verb{
	{Name: "push", Read: readPush, List: true},
	{Name: "blob", Read: readBlob, Block: true},
	{Name: "peek", Read: readPush},
})

// readPush reads <key> <word>+ [noreply].
func readPush(rest []byte, req *Request) int {
	CutNoreply(&rest, req)
	req.Key, rest = NextWord(rest)
	if req.Words, req.NumWords = rest, CountWords(rest); req.NumWords == 0 {
		req.Refusal = errFormat
	}
	return 0
}

// readBlob reads <key> <when> <bytes> [noreply].
func readBlob(rest []byte, req *Request) int {
	CutNoreply(&rest, req)
	var words [3][]byte
	given := fields(rest, words[:])
	size, okSize := ParseLength(words[2])
	var okWhen bool
	req.When, okWhen = ParseInt(words[1])
	if req.Key = words[0]; given != 3 || !okSize || !okWhen {
		req.Refusal = errFormat
	}
	if given != 3 {
		return -1
	}
	return size
}

// Verbs are found by their names, and only by a parser that knows them.
func TestVerbsAreKnownByName(t *testing.T) {
	var req Request
	for i, name := range []string{"push", "blob", "peek"} {
		verb := testVerbs[name]
		if verb == nil || verb.Number != i || verb.Name != name {
			t.Errorf("%s is %+v", name, verb)
		}
		line := []byte(name + " k 0 1\r\nx\r\n")
		p := Parser{MaxData: maxData, Verbs: testVerbs}
		if _, status := p.Next(line, &req); status != Ready || req.Command != Extra || req.Verb != verb || req.Name() != name {
			t.Errorf("%q is read as %+v", line, req)
		}
		p = Parser{MaxData: maxData}
		if _, status := p.Next(line, &req); status != Ready || req.Command != Unknown || req.Refusal != errUnknown {
			t.Errorf("%q is read as %+v by one who knows no verbs", line, req)
		}
	}
	for _, name := range []string{"", "pus", "pushx", "PUSH"} {
		if verb := testVerbs[name]; verb != nil {
			t.Errorf("%q is taken for %s", name, verb.Name)
		}
	}
	parse(t, "get a\r\n")
	if got := verdicts(t, " push k a\r\n"); !slices.Equal(got, []string{"refuse ERROR"}) {
		t.Errorf("behind a space: %q", got)
	}
}
