// A worker pool with retries: mails are put into a queue, and three workers send them. What fails is
// tried again a little later, and given up after the third attempt. If a worker dies, another gets
// its task when 30 seconds are over.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

func main() {
	addr := "127.0.0.1:11211"
	if len(os.Args) > 1 {
		addr = os.Args[1]
	}
	client := memcache.New(addr)
	client.Timeout = 5 * time.Second // longer than a worker waits for a task
	for _, to := range []string{"ann", "bob", "cid", "nobody"} {
		// at once, which is the 0; a mail that is there already is replaced
		if err := client.Set(&memcache.Item{Key: "verb/taskput/mails/" + to + "/0", Value: []byte("Welcome, " + to)}); err != nil {
			log.Fatal(err)
		}
	}
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for more := true; more; {
				var err error
				if more, err = work(client); err != nil {
					log.Print(err) // such as that memverbs can't be reached: the queue is still there
					time.Sleep(time.Second)
				}
			}
		})
	}
	workers.Wait()
}

// work takes one mail and sends it. It returns false if there are no more.
func work(client *memcache.Client) (more bool, err error) {
	task, err := client.Get("verb/tasktake/mails/30/wait/1000")
	if err == memcache.ErrCacheMiss { // none has become due within a second
		left, err := client.Get("verb/tasklen/mails")
		return err != nil || string(left.Value) != "0", err
	}
	if err != nil {
		return true, err
	}
	// <id> <flags> <bytes> <stamp>, and the mail in the next line
	line, mail, _ := strings.Cut(string(task.Value), "\n")
	words := strings.Fields(line)
	to, stamp := words[0], words[3]
	_, attempt, _ := strings.Cut(stamp, ".")
	if err := send(to, attempt, mail); err == nil {
		fmt.Printf("sent to %s\n", to)
	} else if attempt != "3" {
		fmt.Printf("attempt %s: %v\n", attempt, err)
		return true, client.Set(&memcache.Item{Key: "verb/taskretry/mails/" + stamp, Value: []byte("+50")})
	} else {
		fmt.Printf("given up: %v\n", err)
	}
	return true, client.Delete("verb/taskdone/mails/" + stamp)
}

// send stands for whatever may fail.
func send(to, attempt, mail string) error {
	if to == "nobody" || to == "bob" && attempt == "1" {
		return errors.New("no connection to " + to)
	}
	return nil
}
