//go:build linux

package taskload

import (
	"fmt"
	"strconv"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Valkey connects to Valkey, where tasks are in a sorted set, by the time at which they can be
// taken next, and their contents in a hash. Scripts put, take and end them, as is usually done.
func Valkey(t load.Target) (Queue, error) {
	c, err := dial(t)
	if err != nil {
		return nil, err
	}
	q := &valkey{conn: c}
	for script, digest := range map[string]*string{putScript: &q.put, takeScript: &q.take, doneScript: &q.done} {
		if *digest, err = q.load(script); err != nil {
			c.Close()
			return nil, err
		}
	}
	return q, nil
}

type valkey struct {
	conn
	put, take, done string // the digests of scripts
}

const (
	putScript = `redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1]) redis.call('HSET', KEYS[2], ARGV[1], ARGV[3]) return 1`

	takeScript = `local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
if #due == 0 then return {} end
redis.call('ZADD', KEYS[1], ARGV[2], due[1])
return {due[1], redis.call('HGET', KEYS[2], due[1])}`

	doneScript = `redis.call('HDEL', KEYS[2], ARGV[1]) return redis.call('ZREM', KEYS[1], ARGV[1])`
)

// load loads a script and returns its digest.
func (q *valkey) load(script string) (digest string, err error) {
	line, err := q.ask(resp.AppendCommand(nil, "SCRIPT", "LOAD", script))
	if err == nil && line[:1] != "$" {
		err = fmt.Errorf("SCRIPT LOAD was answered by %q", line)
	}
	if err != nil {
		return "", err
	}
	return q.line()
}

// call returns a call of a script.
func call(digest string, arguments ...string) []byte {
	return resp.AppendCommand(nil, append([]string{"EVALSHA", digest, "2", name, name + ":contents"}, arguments...)...)
}

func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

func (q *valkey) Clear() error { return q.expect("+OK", resp.AppendCommand(nil, "FLUSHALL")) }

func (q *valkey) Put(id string, due time.Time) error {
	return q.expect(":1", call(q.put, id, milliseconds(due), content))
}

func (q *valkey) Take() (t Task, err error) {
	now := time.Now()
	line, err := q.ask(call(q.take, milliseconds(now), milliseconds(now.Add(hold*time.Second))))
	if err != nil || line == "*0" {
		return "", err
	}
	if line != "*2" {
		return "", fmt.Errorf("the script to take a task was answered by %q", line)
	}
	var lines [3]string // length and id, and the length of the content
	for i := range lines {
		if lines[i], err = q.line(); err != nil {
			return "", err
		}
	}
	return Task(lines[1]), q.block()
}

func (q *valkey) Done(t Task) error { return q.expect(":1", call(q.done, string(t))) }

func (q *valkey) Back(t Task) error { return q.Put(string(t), time.Now()) }
