// Most viewed today: each view of a page counts for a day, then it undoes itself. Nobody keeps
// a timer, and any number of web servers may count.
package main

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

const day = "86400"

func main() {
	addr := "127.0.0.1:11211"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	client := memcache.New(addr)
	client.Timeout = 5 * time.Second // a machine may be busy
	if err := run(client); err != nil {
		log.Fatal(err)
	}
}

func run(client *memcache.Client) error {
	for _, page := range []string{"home", "news", "home", "about", "news", "home", "imprint"} {
		views, err := client.Increment("verb/zincrbyp/views/"+page+"/"+day, 1)
		if err != nil {
			return err
		}
		fmt.Printf("%s was viewed, %d times today\n", page, views)
	}
	best, err := client.Get("verb/zrevrange/views/0/2/withscores")
	if err != nil {
		return err
	}
	fmt.Printf("most viewed: %s\n", best.Value)
	return nil
}
