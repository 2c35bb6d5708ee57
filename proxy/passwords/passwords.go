// Package passwords checks the names and passwords of clients. They come from a file as memcached
// takes it with -Y: each line is user:password.
package passwords

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// Longest is how many bytes a name or a password may have, which is how long a word of memcached's
// may be.
const Longest = 250

// most is how many lines a file may have, and so bounds the work of Accepts.
const most = 1000

// List is the users that are accepted. It keeps digests of the passwords only, and never changes.
type List struct{ users [][sha256.Size]byte }

// Read reads the list from a file.
func Read(path string) (*List, error) {
	content, err := smallfile.Read(path)
	if err != nil {
		return nil, err
	}
	l, err := Parse(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", smallfile.Name(path), err)
	}
	return l, nil
}

// Parse reads the list. It refuses lines that are not user:password, and a list without users.
// Its errors do not show what they are about, which may be a password.
func Parse(r io.Reader) (*List, error) {
	l := &List{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes() // without its line end
		if len(line) == 0 {
			continue
		}
		user, password, ok := bytes.Cut(line, []byte{':'})
		switch {
		case !ok || len(user) == 0 || len(password) == 0:
			return nil, fmt.Errorf("line %d is not user:password", n)
		case len(user) > Longest || len(password) > Longest:
			return nil, fmt.Errorf("line %d: a user or a password may have %d bytes", n, Longest)
		case len(l.users) == most:
			return nil, fmt.Errorf("line %d: no more than %d users are possible", n, most)
		}
		l.users = append(l.users, digest(user, password))
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, errors.New("a line is too long: each line is user:password")
	}
	if lines.Err() == nil && len(l.users) == 0 {
		return nil, errors.New("no line with user:password: nobody could connect")
	}
	return l, lines.Err()
}

// Accepts reports whether the password is that of the user. How long it takes tells nothing about
// which part of them is wrong: digests of all users are compared, and all their bytes.
func (l *List) Accepts(user, password []byte) bool {
	if len(user) > Longest || len(password) > Longest {
		return false
	}
	given, found := digest(user, password), 0
	for i := range l.users {
		found |= subtle.ConstantTimeCompare(given[:], l.users[i][:])
	}
	return found == 1
}

// digest returns a digest of both. The length keeps them apart.
func digest(user, password []byte) [sha256.Size]byte {
	var room [1 + 2*Longest]byte
	both := append(append(append(room[:0], byte(len(user))), user...), password...)
	return sha256.Sum256(both)
}
