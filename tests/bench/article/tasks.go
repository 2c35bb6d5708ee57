package article

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

// Tasks is timed tasks by a client of [Connect]'s. An item lists them, "<due>/<id> …", with times
// in milliseconds since 1970. The content of each is an item, and there is another one while
// somebody does it.
type Tasks struct{ Client *memcache.Client }

func contentKey(queue, id string) string { return queue + ":" + id }
func lockKey(queue, id string) string    { return queue + ":lock:" + id }

// Put puts a task that is due at a time.
func (t Tasks) Put(queue, id string, due time.Time, content []byte) error {
	if err := t.Client.Set(&memcache.Item{Key: contentKey(queue, id), Value: content}); err != nil {
		return fmt.Errorf("storing task %q: %w", id, err)
	}
	return Lists(t).Push(queue, strconv.FormatInt(due.UnixMilli(), 10)+"/"+id)
}

// Take asks for the tasks that are due and tries to lock one after another, for so many seconds.
// It returns the first that nobody else has locked, or gomemcache's ErrCacheMiss.
func (t Tasks) Take(queue string, seconds int32) (id string, content []byte, err error) {
	item, err := t.Client.Get(queue)
	if err != nil {
		return "", nil, fmt.Errorf("getting %q: %w", queue, err)
	}
	now := time.Now().UnixMilli()
	for task := range bytes.FieldsSeq(item.Value) {
		due, id, _ := strings.Cut(string(task), "/")
		if when, err := strconv.ParseInt(due, 10, 64); err != nil || when > now {
			continue
		}
		locked, err := Locks(t).Lock(lockKey(queue, id), "1", seconds)
		if err != nil {
			return "", nil, err
		}
		if !locked {
			continue
		}
		content, err := t.Client.Get(contentKey(queue, id))
		if err == nil {
			return id, content.Value, nil
		}
		if !errors.Is(err, memcache.ErrCacheMiss) {
			return "", nil, fmt.Errorf("getting task %q: %w", id, err)
		}
		t.Client.Delete(lockKey(queue, id)) // it was done meanwhile
	}
	return "", nil, memcache.ErrCacheMiss
}

// Done removes a task that was taken.
func (t Tasks) Done(queue, id string) error {
	if err := t.Client.Delete(contentKey(queue, id)); err != nil && !errors.Is(err, memcache.ErrCacheMiss) {
		return fmt.Errorf("removing task %q: %w", id, err)
	}
	if err := t.unlist(queue, id); err != nil {
		return err
	}
	return t.Client.Delete(lockKey(queue, id))
}

// unlist removes a task from the list. It begins again whenever somebody else has changed that
// meanwhile.
func (t Tasks) unlist(queue, id string) error {
	for {
		item, err := t.Client.Get(queue)
		if err != nil {
			return fmt.Errorf("getting %q: %w", queue, err)
		}
		end := bytes.Index(item.Value, []byte("/"+id+" "))
		if end < 0 {
			return nil
		}
		start := bytes.LastIndexByte(item.Value[:end], ' ') + 1
		item.Value = append(bytes.Clone(item.Value[:start]), item.Value[end+len("/"+id+" "):]...)
		switch err := t.Client.CompareAndSwap(item); {
		case err == nil:
			return nil
		case !errors.Is(err, memcache.ErrCASConflict):
			return fmt.Errorf("removing task %q from %q: %w", id, queue, err)
		}
	}
}
