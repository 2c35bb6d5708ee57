package settings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/proxy/passwords"
)

// othersRead is the permission to read a file for those who are neither its owner nor of its group.
const othersRead fs.FileMode = 0o004

// exposedSecret returns a warning if a file with a key or passwords may be read by all users of the
// machine; empty if not, and if there is no file.
func exposedSecret(path string) string {
	if info, err := os.Stat(path); err != nil || info.Mode()&othersRead == 0 {
		return ""
	}
	name := smallfile.Name(path)
	return fmt.Sprintf("every user of this machine may read the secrets in %s: run chmod o-r %s", name, name)
}

// secretFile is a file with a key or passwords, and the setting that names it.
type secretFile struct{ setting, path string }

// unreadable returns the error of reading a file, with what to do about it. Errors of another kind,
// and nil, are returned as they are.
func unreadable(path string, err error) error {
	var wrong *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("cannot read %s: permission denied; let the user read it that memverbs runs as", smallfile.Name(path))
	case errors.As(err, &wrong):
		return fmt.Errorf("cannot read %s: %w", smallfile.Name(path), wrong.Err)
	}
	return err
}

// readUsers reads a file with the users and passwords of clients.
func readUsers(path string) (*passwords.List, error) {
	users, err := passwords.Read(path)
	return users, unreadable(path, err)
}

// secret is what is in a file, and is not shown; nothing if path is empty.
type secret[T any] struct {
	path    string
	content T
}

// secrets is the kind of files with secrets, which read reads.
func secrets[T any](read func(path string) (T, error)) setting.Kind[secret[T]] {
	return setting.Kind[secret[T]]{Name: "string", Read: func(path string) (s secret[T], err error) {
		if path != "" {
			s.path = path
			s.content, err = read(path)
		}
		return s, setting.OutsideOr(err)
	}, Show: func(s secret[T]) string { return s.path }, Exact: func(s secret[T]) string { return digest(fmt.Sprint(s.content)) }}
}

// digest stands for a text that is not shown.
func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
