package carried

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

func useQueue(t *testing.T, client *memcache.Client) {
	takeAgain(t, client)
	addOnce(t, client)
	takeSeveral(t, client)
}

// addOnce adds a task twice, and moves it.
func addOnce(t *testing.T, client *memcache.Client) {
	const added = "verb/taskadd/go-once/a/1906400000000"
	item := memcache.Item{Key: added, Value: []byte(binary), Flags: 7}
	if err := client.Add(&item); err != nil {
		t.Fatalf("add %s: %v", added, err)
	}
	if err := client.Add(&item); err != memcache.ErrNotStored {
		t.Errorf("add %s again: %v", added, err)
	}
	peeked, err := client.Get("verb/taskpeek/go-once/a")
	if err != nil {
		t.Fatalf("get verb/taskpeek/go-once/a: %v", err)
	}
	if found := tasks(t, peeked.Value); len(found) != 1 || found[0].flags != 7 || found[0].data != binary || !strings.HasSuffix(found[0].stamp, ".0") {
		t.Errorf("get verb/taskpeek/go-once/a: %+v", found)
	}
	if err := set(client, "verb/taskmove/go-once/a", "0", 0); err != nil {
		t.Errorf("set verb/taskmove/go-once/a: %v", err)
	}
	if taken, err := client.Get("verb/tasktake/go-once/30/most/1"); err != nil || len(tasks(t, taken.Value)) != 1 {
		t.Errorf("get verb/tasktake/go-once/30/most/1: %v", err)
	}
	if err := set(client, "verb/taskmove/go-once/a", "0", 0); err != memcache.ErrNotStored {
		t.Errorf("set verb/taskmove/go-once/a, held: %v", err)
	}
	expectGet(t, client, "verb/tasktake/go-once/30/5/most/1", "miss")
}

// takeAgain takes a task, gives it back, and takes it again.
func takeAgain(t *testing.T, client *memcache.Client) {
	for _, key := range []string{"verb/taskput/go-tasks/a/0", "verb/taskput/go-tasks/later/1906400000000"} {
		if err := client.Set(&memcache.Item{Key: key, Value: []byte(binary), Flags: 7, Expiration: 600}); err != nil {
			t.Fatalf("set %s: %v", key, err)
		}
	}
	old := takeOne(t, client, task{id: "a", flags: 7, data: binary}).stamp
	expectGet(t, client, "verb/tasktake/go-tasks/30", "miss")
	if err := set(client, "verb/taskretry/go-tasks/"+old, "0", 0); err != nil {
		t.Errorf("set verb/taskretry/go-tasks/…: %v", err)
	}
	stamp := takeOne(t, client, task{id: "a", flags: 7, data: binary}).stamp
	for _, step := range []struct {
		what      string
		got, want error
	}{
		{"touch verb/taskkeep/go-tasks/…, of the first", client.Touch("verb/taskkeep/go-tasks/"+old, 60), memcache.ErrCacheMiss},
		{"set verb/taskretry/go-tasks/…, of the first", set(client, "verb/taskretry/go-tasks/"+old, "0", 0), memcache.ErrNotStored},
		{"delete verb/taskdone/go-tasks/…, of the first", client.Delete("verb/taskdone/go-tasks/" + old), memcache.ErrCacheMiss},
		{"touch verb/taskkeep/go-tasks/…", client.Touch("verb/taskkeep/go-tasks/"+stamp, 60), nil},
		{"delete verb/taskdone/go-tasks/…", client.Delete("verb/taskdone/go-tasks/" + stamp), nil},
		{"delete verb/taskdrop/go-tasks/later", client.Delete("verb/taskdrop/go-tasks/later"), nil},
		{"delete verb/taskdrop/go-tasks/later", client.Delete("verb/taskdrop/go-tasks/later"), memcache.ErrCacheMiss},
	} {
		if step.got != step.want {
			t.Errorf("%s: %v, expected %v", step.what, step.got, step.want)
		}
	}
	expectGet(t, client, "verb/tasklen/go-tasks", "0")
}

// takeSeveral takes tasks together with other reads.
func takeSeveral(t *testing.T, client *memcache.Client) {
	for _, key := range []string{"one/1600000000001", "two/1600000000002", "later/1906400000000"} {
		if err := set(client, "verb/taskput/go-several/"+key, key, 0); err != nil {
			t.Fatalf("set verb/taskput/go-several/%s: %v", key, err)
		}
	}
	items, err := client.GetMulti([]string{"verb/tasktake/go-several/30/10", "verb/tasklen/go-several", "verb/tasktake/none/30"})
	if err != nil || len(items) != 2 || string(items["verb/tasklen/go-several"].Value) != "3" {
		t.Fatalf("get of tasks and their number: %v, %v", items, err)
	}
	both := tasks(t, items["verb/tasktake/go-several/30/10"].Value)
	if len(both) != 2 || both[0].data != "one/1600000000001" || both[1].data != "two/1600000000002" {
		t.Errorf("tasks taken: %+v", both)
	}
	for _, of := range both {
		if err := client.Delete("verb/taskdone/go-several/" + of.stamp); err != nil {
			t.Errorf("delete verb/taskdone/go-several/%s: %v", of.stamp, err)
		}
	}
	expectGet(t, client, "verb/tasklist/go-several", "later 0 17\n1906400000000 0 0\n")
}

// takeOne takes a task, which has to be as want is apart from its stamp.
func takeOne(t *testing.T, client *memcache.Client, want task) task {
	t.Helper()
	item, err := client.Get("verb/tasktake/go-tasks/30")
	if err != nil {
		t.Fatalf("get verb/tasktake/go-tasks/30: %v", err)
	}
	got := tasks(t, item.Value)
	if want.stamp = got[0].stamp; !reflect.DeepEqual(got, []task{want}) {
		t.Fatalf("taken: %+v, expected %+v", got, want)
	}
	return want
}

type task struct {
	id    string
	flags uint32
	data  string
	stamp string
}

// tasks takes the value of a tasktake apart: <id> <flags> <bytes> <stamp>, line feed, data, line feed.
func tasks(t *testing.T, value []byte) (found []task) {
	t.Helper()
	for len(value) > 0 {
		var of task
		var size int
		line, rest, _ := bytes.Cut(value, []byte{'\n'})
		if _, err := fmt.Sscan(string(line), &of.id, &of.flags, &size, &of.stamp); err != nil || size >= len(rest) {
			t.Fatalf("%q begins no task: %v", value, err)
		}
		of.data, value = string(rest[:size]), rest[size+1:]
		found = append(found, of)
	}
	return found
}
