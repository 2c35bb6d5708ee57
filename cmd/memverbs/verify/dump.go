package verify

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	// longestLine is how long a line of a metadump may be, in bytes: more than a key of 250
	// bytes, each of them encoded, and all other fields.
	longestLine = 4 << 10
	// busyPause is how long to wait before asking a server again that is busy.
	busyPause = 200 * time.Millisecond
)

// dump asks a memcached for its keys.
type dump struct {
	conn net.Conn // with a deadline
	in   *bufio.Reader
}

// take passes items to f until there are as many as wanted, or the server has no more. Otherwise it
// returns an error that says what the server did. version is the server's.
//
// memcached 1.6.9 and later is asked to list the items as they are in its hash table, which is
// as good as at random, and the connection is closed when there are enough. Earlier versions can
// only list them by when they were used. That list is read to its end: closing the connection before
// may leave memcached in a deadlock, even 1.6.38 (the crawler unlocks what it has not locked).
// Asked for the other list, the earlier versions would unlock the crawler's own lock.
func (d *dump) take(version string, wanted int, f func(item)) error {
	list, whole := "hash", false
	if before(version, 1, 6, 9) {
		list, whole = "all", true
	}
	line, err := d.start(list)
	if err != nil {
		return err
	}
	return d.items(line, version, wanted, whole, f)
}

// before reports whether a version is known to be earlier than another.
func before(version string, than ...int) bool {
	var v [3]int
	n, _ := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2])
	return n == len(v) && slices.Compare(v[:], than) < 0
}

// start asks for a list of items until memcached is not busy with another one, and returns the first
// line of the answer.
func (d *dump) start(list string) ([]byte, error) {
	for busy := false; ; busy = true {
		line, err := d.ask("lru_crawler metadump " + list)
		if busy && errors.Is(err, errTooSlow) {
			return nil, errBusy
		}
		if err != nil || !bytes.HasPrefix(line, []byte("BUSY")) {
			return line, err
		}
		time.Sleep(busyPause) // until ask fails, at the connection's deadline
	}
}

// version asks for the version, which tells a memcached from other servers.
func (d *dump) version() (string, error) {
	line, err := d.ask("version")
	if err != nil {
		return "", err
	}
	if string(line) == "CLIENT_ERROR unauthenticated" {
		return "", errors.New("it asks for a user and a password: set --user and --password-file")
	}
	version, ok := strings.CutPrefix(string(line), "VERSION ")
	if !ok {
		return "", fmt.Errorf("it is no memcached: it answered %q to version", shorten(line))
	}
	return version, nil
}

// items passes items to f until there are as many as wanted. If whole is set, it reads the answer to its end all the
// same. line is the first line of the answer.
func (d *dump) items(line []byte, version string, wanted int, whole bool, f func(item)) (err error) {
	if string(line) == "OK" { // newer versions begin with it
		line, err = d.line()
	}
	for n := 0; err == nil; line, err = d.line() {
		it, ok := parseItem(line)
		switch {
		case ok:
			if n++; n <= wanted {
				f(it)
			}
			if n == wanted && !whole {
				return nil
			}
		case string(line) == "END" || n == 0 && bytes.HasPrefix(line, []byte("NOTSTARTED")): // no item at all
			return nil
		case n == 0 && bytes.HasPrefix(line, []byte("ERROR locked")): // as another crawl is just ending
			return errBusy
		case n == 0 && string(line) == "ERROR":
			return fmt.Errorf("it can't list its keys: its version is %s, and memcached 1.4.31 or later is needed", shorten([]byte(version)))
		default:
			return fmt.Errorf("it answered %q to lru_crawler metadump", shorten(line))
		}
	}
	return err
}

// ask sends a command and returns the first line of the answer.
func (d *dump) ask(command string) ([]byte, error) {
	if _, err := io.WriteString(d.conn, command+"\r\n"); err != nil {
		return nil, explain(err)
	}
	return d.line()
}

// line reads a line and returns it without its end. It is valid until the next call.
func (d *dump) line() ([]byte, error) {
	line, err := d.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("it is no memcached: it sent a line that begins with %q and does not end", shorten(line))
	}
	if err != nil {
		return nil, explain(err)
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'}), nil
}

// errBusy is the error of a server that crawls its items for somebody else.
var errBusy = errors.New("it is busy with another crawl of its items; try again later, or give it more time by --timeout")

// errTooSlow is the error at the deadline.
var errTooSlow = errors.New("it took too long; --timeout gives it more time")

// explain turns an error of a connection into what the server did.
func explain(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errTooSlow
	}
	return cause(err)
}

// shorten returns the beginning of text, to be shown.
func shorten(text []byte) []byte { return text[:min(len(text), 100)] }
