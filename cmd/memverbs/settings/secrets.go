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

// authFile is a file with the users and passwords of clients.
type authFile struct {
	path  string
	users *passwords.List
}

// authFiles is the kind of such files.
func authFiles() setting.Kind[authFile] {
	return setting.Kind[authFile]{Name: "string", Read: func(path string) (authFile, error) {
		if path == "" {
			return authFile{}, nil
		}
		users, err := passwords.Read(path)
		return authFile{path, users}, setting.OutsideOr(unreadable(path, err))
	}, Show: func(a authFile) string { return a.path }, Exact: func(a authFile) string { return digest(fmt.Sprint(a.users)) }}
}

// digest stands for a text that is not shown.
func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
