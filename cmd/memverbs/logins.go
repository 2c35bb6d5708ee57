package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/smallfile"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// login is the settings of how the proxy authenticates to the servers of a pool.
type login struct {
	user     string
	password secret
}

// secret is what is in a file and is not shown.
type secret struct{ path, text string }

func (l *login) define(f *pflag.FlagSet) {
	define(f, &l.user, "", optional(checkUser), "user", "`name` by which the proxy authenticates to servers that run with -Y; empty if they ask for none")
	define(f, &l.password, secret{}, secrets(), "password-file", "`file` whose first line is the password of that user")
	sample(f, "user", "memverbs")
	sample(f, "password-file", "/etc/memverbs/password")
}

// check refuses a user without a password and the other way round.
func (l *login) check() error {
	if (l.user == "") != (l.password.path == "") {
		return errors.New("user and password-file go together: set both or none")
	}
	return nil
}

func (l *login) login() upstream.Login {
	return upstream.Login{User: l.user, Password: l.password.text}
}

// dialer connects to a server.
type dialer = func(context.Context) (net.Conn, error)

// after returns dial followed by the login, for programs other than the proxy. Its connections have
// the deadline of the context.
func (l *login) after(dial dialer) dialer {
	request := l.login().Request()
	if request == "" {
		return dial
	}
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		if err = show(ctx, conn, request); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

// show sends the request of a login and awaits that it is accepted.
func show(ctx context.Context, conn net.Conn, request string) error {
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
		defer func() { _ = conn.SetDeadline(time.Time{}) }()
	}
	if _, err := io.WriteString(conn, request); err != nil {
		return err
	}
	const accepted = "STORED\r\n"
	answer := make([]byte, len(accepted))
	if _, err := io.ReadFull(conn, answer); err != nil {
		return err
	}
	if string(answer) != accepted {
		return errors.New("the server refuses the user and the password")
	}
	return nil
}

// digest stands for the login in a fingerprint.
func (l *login) digest() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(l.user+" "+l.password.text)))
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

// secrets is the kind of files with a password in the first line.
func secrets() kind[secret] {
	return kind[secret]{"string", readSecret, func(s secret) string { return s.path }}
}

func readSecret(path string) (secret, error) {
	if path == "" {
		return secret{}, nil
	}
	text, err := passwordIn(path)
	return secret{path, text}, outsideOr(err)
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

// authFile is a file with the users and passwords of clients.
type authFile struct {
	path  string
	users *passwords.List
}

// authFiles is the kind of such files.
func authFiles() kind[authFile] {
	return kind[authFile]{"string", func(path string) (authFile, error) {
		if path == "" {
			return authFile{}, nil
		}
		users, err := passwords.Read(path)
		return authFile{path, users}, outsideOr(unreadable(path, err))
	}, func(a authFile) string { return a.path }}
}
