// Followers of a topic: who follows it is a set, and each of them has a list of the newest posts.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

type app struct{ *memcache.Client }

func main() {
	addr := "127.0.0.1:11211"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	client := memcache.New(addr)
	client.Timeout = 5 * time.Second // a machine may be busy
	if err := run(app{client}); err != nil {
		log.Fatal(err)
	}
}

func run(a app) error {
	for _, do := range []error{
		a.set("verb/sadd/followers:go", "ann bob cid"),
		a.set("verb/srem/followers:go", "bob"),
		a.publish("go", "post:1"),
		a.set("verb/sadd/followers:go", "dan"),
		a.publish("go", "post:2"),
	} {
		if do != nil {
			return do
		}
	}
	for _, user := range []string{"ann", "bob", "cid", "dan"} {
		posts, err := a.words("verb/lrange/inbox:" + user + "/0/9")
		if err != nil {
			return err
		}
		fmt.Printf("%s reads %v\n", user, posts)
	}
	return nil
}

// publish puts a post into the inbox of each follower, and keeps the newest hundred there.
func (a app) publish(topic, post string) error {
	followers, err := a.words("verb/smembers/followers:" + topic)
	if err != nil {
		return err
	}
	for _, user := range followers {
		if err := a.set("verb/lpush/inbox:"+user, post); err != nil {
			return err
		}
		if err := a.set("verb/ltrim/inbox:"+user, "0 99"); err != nil {
			return err
		}
	}
	return nil
}

func (a app) set(key, value string) error {
	return a.Set(&memcache.Item{Key: key, Value: []byte(value)})
}

// words returns the words in the value of key, none if there is no such set or list.
func (a app) words(key string) ([]string, error) {
	item, err := a.Get(key)
	if err == memcache.ErrCacheMiss {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(item.Value)), nil
}
