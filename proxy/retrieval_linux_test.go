package proxy

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// tableOf is an upstream that has the table k. Each row that is asked for holds its own key.
type tableOf struct {
	mu      sync.Mutex
	size    int               // of what large rows hold besides
	asked   []string          // request lines
	instead map[string]string // answers to some
}

func (u *tableOf) play(conn net.Conn, words []string) {
	line := strings.Join(words, " ")
	u.mu.Lock()
	u.asked = append(u.asked, line)
	answer, known := u.instead[words[0]]
	more := u.size
	u.mu.Unlock()
	switch {
	case known:
	case words[0] == "mg":
		value := rowValue(words[1], more)
		answer = fmt.Sprintf("VA %d c7 f0 t-1 s%d k%s\r\n%s\r\n", len(value), len(value), words[1], value)
	default:
		for _, key := range words[1:] {
			value := rowValue(key, more)
			answer += fmt.Sprintf("VALUE %s 0 %d 7\r\n%s\r\n", key, len(value), value)
		}
		answer += "END\r\n"
	}
	_, _ = io.WriteString(conn, answer)
}

// rowValue is what the item under key holds.
func rowValue(key string, more int) string {
	if key == "k" {
		return "h:0123456789abcdeA "
	}
	if !strings.HasPrefix(key, row(largeField)) {
		return key
	}
	return key + strings.Repeat("x", more)
}

// change changes the upstream.
func (u *tableOf) change(do func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	do()
}

// lines returns what was asked since the last call, but not that the index was read so that it is not
// evicted, which follows an answer now and then. While it is read, no read is shared: so it returns once
// what was asked twice in a row.
func (u *tableOf) lines() (asked []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	asked, u.asked = u.asked, nil
	return slices.Compact(slices.DeleteFunc(asked, func(line string) bool { return strings.HasPrefix(line, "mg "+index+" ") }))
}

// largeField begins the names of fields whose rows may be large.
const largeField = "large"

// index is the key of the index.
const index = "k:0123456789abcdeA"

// row is the key of a row, and its value.
func row(field string) string { return index + "=" + field }

// rowAnswer is the answer to a request for rows. The large ones hold so many bytes besides.
func rowAnswer(more int, fields ...string) string {
	var answer strings.Builder
	for _, f := range fields {
		held := rowValue(row(f), more)
		fmt.Fprintf(&answer, "VALUE %s 0 %d\r\n%s\r\n", f, len(held), held)
	}
	return answer.String() + "END\r\n"
}

// start starts a proxy in front of u, which knows its table.
func (u *tableOf) start(t *testing.T) *Server {
	s := newServer(1, playedUpstream(t, "unix", u.play))
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s)
	conn := dialServer(t, s)
	exchange(t, conn, "hget k f\r\n", rowAnswer(0, "f")) // so that the generation is known
	u.lines()
	return s
}

func expectLines(t *testing.T, u *tableOf, want ...string) {
	t.Helper()
	if got := u.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the upstream was asked %.300q, expected %.300q", got, want)
	}
}

// A row and the anchor are one retrieval, unless the client needs to know what only a meta
// command tells.
func TestRowIsReadByOneRetrieval(t *testing.T) {
	u := &tableOf{}
	conn := dialServer(t, u.start(t))
	exchange(t, conn, "hget k a\r\n", rowAnswer(0, "a"))
	expectLines(t, u, "gets "+row("a")+" k")
	exchange(t, conn, "hget k a a\r\n", rowAnswer(0, "a", "a"))
	expectLines(t, u, "mg "+row("a")+" v c f t s k", "mg k v c f t s k") // rows of unknown size
	exchange(t, conn, "get verb/hget/k/a\r\n", fmt.Sprintf("VALUE verb/hget/k/a 0 %d\r\n%s\r\nEND\r\n", len(row("a")), row("a")))
	expectLines(t, u, "gets "+row("a")+" k")
	exchange(t, conn, "mg verb/hget/k/a t v\r\n", fmt.Sprintf("VA %d t-1\r\n%s\r\n", len(row("a")), row("a")))
	if asked := u.lines(); len(asked) != 2 || !strings.HasPrefix(asked[0], "mg "+row("a")) {
		t.Errorf("the upstream was asked %q", asked)
	}
}

// An error, of the upstream or of the connection, is not taken for rows that are missing.
func TestFailedRetrieval(t *testing.T) {
	for answer, want := range map[string]string{
		"SERVER_ERROR out of memory writing get response\r\n":                                   "SERVER_ERROR out of memory writing get response\r\n",
		"VALUE " + row("a") + " 0 1 7\r\nx\r\nSERVER_ERROR out of memory\r\n":                   "SERVER_ERROR out of memory\r\n",
		"VALUE " + row("b") + " 0 1 7\r\nx\r\nVALUE k 0 1 7\r\nx\r\nEND\r\n":                    "SERVER_ERROR ",
		"VALUE k 0 19 7\r\nh:0123456789abcdeA \r\nVALUE " + row("a") + " 0 1 7\r\nx\r\nEND\r\n": "SERVER_ERROR ",
		"VALUE k 0 19 7\r\nh:0123456789abcdeA \r\nEND\r\n":                                      "END\r\n",
	} {
		u := &tableOf{}
		conn := dialServer(t, u.start(t))
		u.change(func() { u.instead = map[string]string{"gets": answer} })
		exchange(t, conn, "hget k a\r\n", want)
	}
}

// Clients that ask for one row in the same turn of the loop share one retrieval.
func TestClientsShareRetrievals(t *testing.T) {
	const clients = 10
	u := &tableOf{}
	s := u.start(t)
	askAtOnce(t, s, clients, "hget k a\r\n", rowAnswer(0, "a"))
	if n := len(u.lines()); n > clients/2 {
		t.Errorf("%d retrievals for %d clients", n, clients)
	}
}

// A client's read of the anchor comes after its reads of rows, also if these take a retrieval
// of their own: a read that others asked for before them would not do.
func TestAnchorIsReadAfterItsRows(t *testing.T) {
	const clients, fields, line = 10, 40, 8 << 10
	var names []string
	left := line
	for n := range fields - 1 {
		names = append(names, fmt.Sprintf("%02d%s", n, strings.Repeat("x", 185)))
		left -= len(row(names[n])) + 1
	}
	names = append(names, strings.Repeat("y", left-len(row(""))-1))
	u := &tableOf{}
	s, request := u.start(t), "hget k "+strings.Join(names, " ")+"\r\n"
	exchange(t, dialServer(t, s), request, rowAnswer(0, names...)) // so that the size of rows is known
	u.lines()
	askAtOnce(t, s, clients, request, rowAnswer(0, names...))
	rows, anchors := 0, 0
	for _, asked := range u.lines() {
		if strings.TrimSpace(asked) == "gets k" {
			anchors++
		} else {
			rows++
		}
		if rows < anchors {
			t.Errorf("%d reads of the anchor and %d of rows", anchors, rows)
		}
	}
	if rows != clients || anchors != clients {
		t.Errorf("%d clients read %d times rows and %d times the anchor", clients, rows, anchors)
	}
}

// Rows that are much longer than the first, or than they were, are not all taken at once, but
// fewer at a time, and not many times.
func TestRowsOfAllSizes(t *testing.T) {
	const few, many, large = 25, 300, 500_000
	u := &tableOf{}
	conn := dialServer(t, u.start(t))
	names := func(letter string, n int) (list []string) {
		for i := range n {
			list = append(list, letter+strconv.Itoa(i))
		}
		return list
	}
	small, mixed := names("s", many), append(names("s", many), names(largeField, few)...)
	for _, test := range []struct {
		fields []string
		size   int // of fields that are large
		least  int // rows that are asked for, more than there are if a retrieval was given up
		most   int
	}{
		{small, 0, many, many},
		{small, 0, many, many},
		{mixed, large, many + 2*few, 5 * many},
		{mixed, large, many + few, 5 * many},
		{names(largeField, few), large, few, 5 * few},
		{mixed, 0, many + few, 5 * many},
		{names(largeField, 3), 5_000_000, 3, 5 * few}, // the first alone is too long
	} {
		u.change(func() { u.size = test.size })
		exchange(t, conn, "hget k "+strings.Join(test.fields, " ")+"\r\n", rowAnswer(test.size, test.fields...))
		asked := 0
		for _, line := range u.lines() {
			asked += strings.Count(line, row(""))
		}
		if asked < test.least || asked > test.most {
			t.Errorf("%d rows are asked for to answer with %d", asked, len(test.fields))
		}
	}
}
