//go:build linux

package connload

import (
	"crypto/tls"
	"fmt"
	"io"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// patience is how long a visit may take.
const patience = 10 * time.Second

// visitor makes one visit after another.
type visitor struct {
	Visit
	target load.Target
	came   []byte // room for the reply
}

func newVisitor(t load.Target, visit Visit) *visitor {
	config := t.TLS.Clone()
	config.ClientSessionCache = nil
	if visit.Resume {
		config.ClientSessionCache = tls.NewLRUClientSessionCache(1) // the last one
	}
	t.TLS = config
	return &visitor{Visit: visit, target: t, came: make([]byte, len(visit.Reply))}
}

// visit makes a visit, whose session must be resumed or must not.
func (v *visitor) visit(resumed bool) error {
	conn, err := v.target.Dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	if got := conn.(*tls.Conn).ConnectionState().DidResume; got != resumed {
		return fmt.Errorf("that the session was resumed is %v instead of %v", got, resumed)
	}
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, v.Request); err != nil {
		return err
	}
	if _, err := io.ReadFull(conn, v.came); err != nil {
		return err
	}
	if string(v.came) != v.Reply {
		return fmt.Errorf("%q instead of %q", v.came, v.Reply)
	}
	return nil
}
