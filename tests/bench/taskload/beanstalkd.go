//go:build linux

package taskload

import (
	"fmt"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Beanstalkd connects to beanstalkd. It names jobs by itself, and knows times to the second.
func Beanstalkd(t load.Target) (Queue, error) {
	c, err := dial(t)
	return beanstalkd{c}, err
}

type beanstalkd struct{ conn }

// Clear removes jobs that are due, held or to come.
func (q beanstalkd) Clear() error {
	for _, peek := range []string{"peek-ready\r\n", "peek-delayed\r\n"} {
		for {
			line, err := q.ask([]byte(peek))
			if err != nil {
				return err
			}
			words := strings.Fields(line)
			if words[0] == "NOT_FOUND" {
				break
			}
			if err := q.block(); err != nil {
				return err
			}
			if err := q.Done(Task(words[1])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q beanstalkd) Put(_ string, due time.Time) error {
	delay := max(0, time.Until(due)/time.Second)
	return q.expect("INSERTED", fmt.Appendf(nil, "put 0 %d %d %d\r\n%s\r\n", delay, hold, size, content))
}

func (q beanstalkd) Take() (Task, error) {
	line, err := q.ask([]byte("reserve-with-timeout 0\r\n"))
	if err != nil || line == "TIMED_OUT" {
		return "", err
	}
	words := strings.Fields(line)
	if words[0] != "RESERVED" {
		return "", fmt.Errorf("reserve-with-timeout was answered by %q", line)
	}
	return Task(words[1]), q.block()
}

func (q beanstalkd) Done(t Task) error {
	return q.expect("DELETED", fmt.Appendf(nil, "delete %s\r\n", t))
}

func (q beanstalkd) Back(t Task) error {
	return q.expect("RELEASED", fmt.Appendf(nil, "release %s 0 0\r\n", t))
}
