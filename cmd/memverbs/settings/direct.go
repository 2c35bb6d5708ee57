package settings

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/proxy/secure"
)

// Subcommands connect to the servers of a pool too, as the settings of the pool say.

// Direct returns a function for each server of the pool that connects to it, with TLS and a login if the
// settings, which were checked, have them. It looks up the names of hosts first, so that this does not
// count as time for connecting; if a lookup fails, connecting will fail too.
func (p *Pool) Direct() (list []dialer) {
	all := All{Lookup: hosts.System}
	var names sync.WaitGroup
	for _, s := range p.Servers {
		u := all.upstream(&Pool{Placement: Placement{finding: p.finding}}, s.ServerAddr)
		if u.Resolve != nil {
			names.Go(func() { _ = u.Resolve(context.Background()) })
		}
		list = append(list, p.Login.after(streaming(p.Secured, s.Host, u.Dial)))
	}
	names.Wait()
	return list
}

// after returns dial followed by the login.
func (l *Login) after(dial dialer) dialer {
	request := l.login().Request()
	if request == "" {
		return dial
	}
	return followed(dial, func(ctx context.Context, conn net.Conn) (net.Conn, error) {
		if err := show(ctx, conn, request); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	})
}

// show sends the request of a login and waits until it is accepted.
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

// streaming returns dial followed by a handshake; dial itself if secured is nil.
func streaming(secured *secure.Client, host string, dial dialer) dialer {
	if secured == nil {
		return dial
	}
	return followed(dial, func(ctx context.Context, conn net.Conn) (net.Conn, error) {
		return secured.ShakeStream(ctx, conn, host)
	})
}
