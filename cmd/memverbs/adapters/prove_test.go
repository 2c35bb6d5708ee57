package adapters

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	memverbs "github.com/memverbs/memverbs/cmd/memverbs/adapters/go"
)

const (
	odd  = "Ä b/c%2F+&é\n日😀" // a text that is neither a word nor ASCII
	long = time.Hour         // longer than any test
)

// proveGo is the program that proves the adapter for Go, with the addresses of a memverbs and a memcached. It says each scenario
// that holds.
func proveGo(proxy, server string) {
	log.SetFlags(log.Lshortfile)
	client := connect(proxy)
	verbs := memverbs.New(client)
	must(verbs.Check())
	proveWords(verbs)
	proveErrors(verbs, memverbs.New(connect(server)))
	proveQueue(verbs.Queue("mails"), memverbs.New(connect(proxy)).Queue("mails"))
	proveLeaderboard(verbs.Leaderboard("points"))
	proveLimit(verbs.Limit("login:ann", 3, long))
	proveLocks(verbs)
	proveSet(verbs.Set("fruits"))
	proveNamespaces(verbs, client)
	proveOutages(verbs.Set("fruits"))
	proveClient(client)
}

func connect(addr string) *memcache.Client {
	client := memcache.New(addr)
	client.Timeout = time.Minute
	return client
}

func must(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

// get ends the program if there was an error.
func get[T any](value T, err error) T {
	must(err)
	return value
}

// equal ends the program if two values differ.
func equal[T any](got, want T) {
	if !reflect.DeepEqual(got, want) {
		log.Output(2, fmt.Sprintf("got %#v, expected %#v", got, want))
		os.Exit(1)
	}
}

// refused ends the program unless an error says all this.
func refused(err error, parts ...string) {
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			log.Output(2, fmt.Sprintf("the error %v does not say %q", err, part))
			os.Exit(1)
		}
	}
}

func proveWords(verbs *memverbs.Verbs) {
	names := verbs.Set("words")
	must(names.Add(odd, "noreply"))
	equal(get(names.Members()), []string{odd, "noreply"})
	equal([]bool{get(names.Has(odd)), get(names.Has("b"))}, []bool{true, false})
	queue := verbs.Queue("words-tasks")
	must(queue.Put(odd, "x", 0))
	equal(get(queue.Take(long)).ID, odd)
	fmt.Println("words: any text comes back as it was, of a member and of an id")

	for _, name := range []string{"", "a b", "a/b"} {
		refused(panicOf(func() { verbs.Set(name) }), "can't be a name")
	}
	fmt.Println("words: what can't be a name is refused before it is sent")

	every := "\n\r\n"
	for i := range 256 {
		every += string([]byte{byte(i)})
	}
	queue = verbs.Queue("records")
	must(queue.Put("a", every, 0))
	must(queue.Put("b", "", 0))
	equal([]string{string(get(queue.Take(long)).Data), string(get(queue.Take(long)).Data)}, []string{every, ""})
	equal(get(memverbs.Records([]byte("a 0 3\nx\ny\nb 7 0 s.1\n\n"))), []memverbs.Record{
		{Words: []string{"a", "0", "3"}, Data: []byte("x\ny")}, {Words: []string{"b", "7", "0", "s.1"}, Data: []byte{}}})
	for _, cut := range []string{"a", "a 0 x\n", "a 0 4\nx\ny\n", "a 0 -1\nx\n"} {
		_, err := memverbs.Records([]byte(cut))
		refused(err, "record")
	}
	fmt.Println("records: data of any bytes is read as it was put")
}

// panicOf returns what a call panics with.
func panicOf(call func()) (err error) {
	defer func() { err = fmt.Errorf("%v", recover()) }()
	call()
	return nil
}

func proveErrors(verbs, plain *memverbs.Verbs) {
	_, err := verbs.Limit("errors", 5, 0).Allow(1)
	refused(err, "verb/limit/errors/5/0: ", "seconds")
	fmt.Println("errors: a refusal tells the key, and the reason or where it is")

	refused(plain.Check(), "--verb-keys verb/")
	fmt.Println("errors: a server that takes verbs for keys is found out")
}

func proveQueue(queue, other memverbs.Queue) {
	must(queue.Put("welcome:7", "Alice", 0))
	task := get(queue.Take(long))
	equal([]any{task.ID, string(task.Data), task.Attempt()}, []any{"welcome:7", "Alice", 1})
	equal(get(queue.Take(long)), nil)
	equal(get(queue.Len()), 1)
	equal([]bool{get(task.Keep(long)), get(task.Done()), get(task.Done())}, []bool{true, true, false})
	equal(get(queue.Len()), 0)
	fmt.Println("queue: a task is given to one worker until it is done")

	equal([]bool{get(queue.Add("report", "first", 0)), get(queue.Add("report", "second", 0))}, []bool{true, false})
	equal(string(get(queue.Take(long)).Data), "first")
	equal([]bool{get(queue.Drop("report")), get(queue.Drop("report"))}, []bool{true, false})
	fmt.Println("queue: a task that is there is not added again")

	must(queue.Put("later", "x", long))
	equal(get(queue.Take(long)), nil)
	equal(get(queue.Drop("later")), true)
	fmt.Println("queue: a task for later is not given now")

	must(queue.Put("bad", "x", 0))
	var attempts []int
	for task := get(queue.TakeOf(long, 3, 0)); task != nil; task = get(queue.TakeOf(long, 3, 0)) {
		attempts = append(attempts, task.Attempt())
		equal(get(task.Retry(0)), true)
	}
	equal(attempts, []int{1, 2, 3})
	equal(get(queue.Drop("bad")), true)
	fmt.Println("queue: a worker tries again what fails, and leaves alone what fails too often")

	put := make(chan error)
	go func() { put <- other.Put("new", "x", 0) }()
	equal(get(queue.TakeOf(long, 3, 30*time.Second)).ID, "new")
	must(<-put)
	fmt.Println("queue: a worker that waits gets a task that is put meanwhile")
}

func proveLeaderboard(board memverbs.Leaderboard) {
	must(board.Put("ann", 120))
	equal([]uint64{get(board.Add("bob", 90)), get(board.Add("bob", 5)), get(board.Add(odd, 1)), get(board.Add("ann", -20))}, []uint64{90, 95, 1, 100})
	equal(get(board.Top(2, 0)), []memverbs.Score{{Member: "ann", Score: 100}, {Member: "bob", Score: 95}})
	equal(get(board.Top(5, 2)), []memverbs.Score{{Member: odd, Score: 1}})
	fmt.Println("leaderboard: points add up, and the highest scores come first")

	equal(get(board.Around("bob", 1)), []memverbs.Score{{Member: "ann", Score: 100}, {Member: "bob", Score: 95}, {Member: odd, Score: 1}})
	equal(get(board.Around("cid", 1)), []memverbs.Score{})
	_, found, err := board.Score("cid")
	must(err)
	equal(found, false)
	equal([]any{get(board.Place("bob")), get(board.Place("cid"))}, []any{1, -1})
	must(board.Remove("bob"))
	equal(get(board.Top(-1, 0)), []memverbs.Score{{Member: "ann", Score: 100}, {Member: odd, Score: 1}})
	fmt.Println("leaderboard: a member's score, place and neighbours")

	_, err = board.Add("dan", -7)
	refused(err, "verb/zincrby/points/dan", "counted")
	score, _, err := board.Score("dan")
	must(err)
	equal(score, -7)
	fmt.Println("leaderboard: a score below zero is an error, and counted all the same")
}

func proveLimit(limit memverbs.Limit) {
	left, _, err := limit.Left()
	must(err)
	equal(left, 3)
	equal([]bool{get(limit.Allow(2)), get(limit.Allow(2)), get(limit.Allow(1)), get(limit.Allow(1))}, []bool{true, false, true, false})
	fmt.Println("limit: so many are allowed, and no more")

	left, wait, err := limit.Left()
	must(err)
	equal([]any{left, wait > 0 && wait <= 2*long}, []any{0, true})
	fmt.Println("limit: who is refused is told when to ask again")
}

func proveLocks(verbs *memverbs.Verbs) {
	mine, other := verbs.Lock("report", long), verbs.Lock("report", long)
	equal([]bool{get(mine.Acquire()), get(mine.Acquire()), get(other.Acquire())}, []bool{true, true, false})
	equal(other.Do(func() error { return nil }), memverbs.ErrHeld)
	equal([]bool{get(mine.Extend(long)), get(other.Release()), get(mine.Release())}, []bool{true, false, true})
	must(other.Do(func() error { return nil }))
	fmt.Println("lock: one has it at a time")

	page := verbs.Lock("page", long)
	equal(page.Do(func() error { _, err := page.Release(); return err }), memverbs.ErrLost)
	fmt.Println("lock: who has lost it is told so")
}

func proveSet(fruits memverbs.Set) {
	equal(len(get(fruits.Members())), 0)
	equal(get(fruits.Has("apple")), false)
	must(fruits.Add("apple", "pear", "apple"))
	must(fruits.AddFor(long, "plum"))
	must(fruits.Remove("pear", "fig"))
	equal(get(fruits.Members()), []string{"apple", "plum"})
	equal([]bool{get(fruits.Has("apple")), get(fruits.Has("pear"))}, []bool{true, false})
	fmt.Println("set: members are added and removed")

	equal([]bool{get(fruits.AddNew("fig")), get(fruits.AddNew("fig"))}, []bool{true, false})
	fmt.Println("set: a member that is new is told from one that was there")
}

func proveNamespaces(verbs *memverbs.Verbs, client *memcache.Client) {
	for _, key := range []string{"pages:1", "other:1"} {
		must(client.Set(&memcache.Item{Key: key, Value: []byte("x")}))
	}
	must(verbs.Flush("pages:"))
	_, err := client.Get("pages:1")
	equal(err, memcache.ErrCacheMiss)
	equal(string(get(client.Get("other:1")).Value), "x")
	refused(verbs.Flush("other:"), "nsflush/other:")
	fmt.Println("namespaces: a flush hides the keys of the namespace, and no others")
}

func proveOutages(fruits memverbs.Set) {
	ask("stop the memcacheds")
	refused(fruits.Add("kiwi"), "verb/sadd/fruits")
	ask("start the memcacheds")
	again(func() error { return fruits.Add("kiwi") })
	fmt.Println("outage: a verb is an error while its server is down, and works again")

	ask("stop memverbs")
	refused(fruits.Add("lime"), "verb/sadd/fruits")
	ask("start memverbs")
	again(func() error { return fruits.Add("lime") })
	fmt.Println("outage: a verb is an error while memverbs is down, and works again")
}

func proveClient(client *memcache.Client) {
	for _, name := range []string{"the memcacheds", "memverbs"} {
		must(client.Set(&memcache.Item{Key: "kept", Value: []byte("1")}))
		ask("stop " + name)
		for range 3 {
			if _, err := client.Get("kept"); err == nil || err == memcache.ErrCacheMiss {
				log.Fatalf("during an outage, a get is answered by %v", err)
			}
		}
		ask("start " + name)
		if _, err := client.Get("kept"); err != memcache.ErrCacheMiss {
			must(err)
		}
	}
	fmt.Println("outage: what a plain get is, and when the client tries again")
}

var done = bufio.NewReader(os.Stdin)

// ask has whoever runs this program take a step of an outage.
func ask(step string) {
	fmt.Println("!", step)
	get(done.ReadString('\n'))
}

// again does something until it succeeds, for a minute at most.
func again(do func() error) {
	err := do()
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = do() {
		time.Sleep(100 * time.Millisecond)
	}
	must(err)
}
