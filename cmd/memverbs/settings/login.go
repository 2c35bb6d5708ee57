package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Login is the settings of how the proxy authenticates to the servers of a pool.
type Login struct {
	user     string
	password secret[string]
}

// Define defines the settings.
func (l *Login) Define(f *pflag.FlagSet) {
	setting.Define(f, &l.user, "", setting.Optional(checkUser).Sample("memverbs"), "user", "`name` by which the proxy authenticates to servers that run with -Y; empty if they ask for none")
	setting.Define(f, &l.password, secret[string]{}, secrets(passwordIn).Sample("/etc/memverbs/password"), "password-file", "`file` whose first line is the password of that user")
}

// Check refuses a user without a password and the other way round.
func (l *Login) Check() error {
	if (l.user == "") != (l.password.path == "") {
		return errors.New("user and password-file go together: set both or none")
	}
	return nil
}

func (l *Login) login() upstream.Login {
	return upstream.Login{User: l.user, Password: l.password.content}
}

// checkUser refuses a user that can't be sent to memcached, for which a space ends it.
func checkUser(text string) error {
	if len(text) > passwords.Longest || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return fmt.Errorf("no more than %d bytes, spaces or control characters can be sent to memcached", passwords.Longest)
	}
	return nil
}

// checkPassword refuses a password that can't be sent to memcached. Its errors don't show it. One with a
// space is taken by memcached 1.6.45, and refused by versions such as 1.6.38, for which the space ends it.
func checkPassword(text string) error {
	if len(text) > passwords.Longest || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("no more than %d bytes, and no control characters, can be sent to memcached", passwords.Longest)
	}
	return nil
}

// passwordIn returns the first line of a file.
func passwordIn(path string) (string, error) {
	text, err := smallfile.Read(path)
	if err != nil {
		return "", unreadable(path, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	line = strings.TrimSuffix(line, "\r")
	if line == "" {
		return "", fmt.Errorf("%s has no password in its first line", smallfile.Name(path))
	}
	if err := checkPassword(line); err != nil {
		return "", fmt.Errorf("the password in %s: %w", smallfile.Name(path), err)
	}
	return line, nil
}
