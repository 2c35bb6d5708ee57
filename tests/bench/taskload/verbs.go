//go:build linux

package taskload

import (
	"fmt"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Verbs connects to memverbs.
func Verbs(t load.Target) (Queue, error) {
	c, err := dial(t)
	return verbs{c}, err
}

type verbs struct{ conn }

func (q verbs) Clear() error { return q.expect("OK", []byte("flush_all\r\n")) }

func (q verbs) Put(id string, due time.Time) error {
	return q.expect("STORED", fmt.Appendf(nil, "taskput %s %s %d 0 %d\r\n%s\r\n", name, id, due.UnixMilli(), size, content))
}

func (q verbs) Take() (t Task, err error) {
	line, err := q.ask(fmt.Appendf(nil, "tasktake %s %d\r\n", name, hold))
	if err != nil || line == "END" {
		return "", err
	}
	if !strings.HasPrefix(line, "VALUE ") {
		return "", fmt.Errorf("tasktake was answered by %q", line)
	}
	t = Task(line[strings.LastIndexByte(line, ' ')+1:])
	if err := q.block(); err != nil {
		return "", err
	}
	_, err = q.line() // END
	return t, err
}

func (q verbs) Done(t Task) error {
	return q.expect("DELETED", fmt.Appendf(nil, "taskdone %s %s\r\n", name, t))
}

func (q verbs) Back(t Task) error {
	return q.expect("STORED", fmt.Appendf(nil, "taskretry %s %s 0\r\n", name, t))
}
