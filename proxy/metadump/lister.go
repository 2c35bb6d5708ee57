package metadump

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// busyPause is how long to wait before asking a server again that is busy.
const busyPause = 200 * time.Millisecond

// Lister lists the items of a memcached.
type Lister struct {
	lines   lines
	version string // of the server
}

// Open asks the server at the other end of a connection for its version, which tells a memcached from other servers. A server may be
// silent for some time, and send until some moment, which bounds whatever is done by the Lister.
func Open(conn net.Conn, silence time.Duration, until time.Time) (*Lister, error) {
	l := &Lister{lines: newLines(conn, silence, until)}
	line, err := l.lines.ask("version")
	if err != nil {
		return nil, err
	}
	if string(line) == "CLIENT_ERROR unauthenticated" {
		return nil, ErrPassword
	}
	version, ok := strings.CutPrefix(string(line), "VERSION ")
	if !ok {
		return nil, fmt.Errorf("it is no memcached: it answered %q to version", shorten(line))
	}
	l.version = version
	return l, nil
}

// Each passes items to f until f returns false, or the server has no more. Otherwise it returns an error that says what the server
// did. The connection is of no use afterwards, as the rest of the list may yet arrive; it is to be closed.
func (l *Lister) Each(f func(Item) bool) error {
	list, whole := "hash", false
	if before(l.version, 1, 6, 9) {
		list, whole = "all", true
	}
	line, err := l.start(list)
	if err != nil {
		return err
	}
	return l.items(line, whole, f)
}

// before reports whether a version is known to be earlier than another.
func before(version string, than ...int) bool {
	var v [3]int
	n, _ := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2])
	return n == len(v) && slices.Compare(v[:], than) < 0
}

// start asks for a list of items until memcached is not busy with another one, and returns the first
// line of the answer.
func (l *Lister) start(list string) ([]byte, error) {
	for busy := false; ; busy = true {
		line, err := l.lines.ask("lru_crawler metadump " + list)
		if busy && errors.Is(err, ErrTooSlow) {
			return nil, ErrBusy
		}
		if err != nil || !bytes.HasPrefix(line, []byte("BUSY")) {
			return line, err
		}
		time.Sleep(busyPause) // until ask fails, as the time is over
	}
}

// items passes items to f until that returns false. If whole is set, it reads the answer to its end all the
// same. line is the first line of the answer.
func (l *Lister) items(line []byte, whole bool, f func(Item) bool) (err error) {
	if string(line) == "OK" { // newer versions begin with it
		line, err = l.lines.next()
	}
	more := true
	for first := true; err == nil; line, err = l.lines.next() {
		it, ok := parseItem(line)
		if !ok {
			return l.end(line, first)
		}
		first = false
		if more = more && f(it); !more && !whole {
			return nil
		}
	}
	return err
}

// end returns the error of a list that ends in a line that is no item, nil if it is whole.
func (l *Lister) end(line []byte, first bool) error {
	switch {
	case string(line) == "END" || first && bytes.HasPrefix(line, []byte("NOTSTARTED")): // no item at all
		return nil
	case first && bytes.HasPrefix(line, []byte("ERROR locked")): // as another crawl is just ending
		return ErrBusy
	case first && string(line) == "ERROR":
		return fmt.Errorf("it can't list its keys: its version is %s, and memcached 1.4.31 or later is needed", shorten([]byte(l.version)))
	}
	return fmt.Errorf("it answered %q to lru_crawler metadump", shorten(line))
}
