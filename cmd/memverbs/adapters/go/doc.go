// Package memverbs has queues with workers, leaderboards, limits, locks and sets in memcached, by gomemcache.
//
//	client := memcache.New("127.0.0.1:11211")
//	client.Timeout = 30 * time.Second // longer than a worker waits
//	verbs := memverbs.New(client)
//	err := verbs.Check()
//
// The server is a memverbs with --verb-keys verb/. All errors of a request are [*VerbError].
//
// # Files, from the top down
//
//	queue.go leaderboard.go limit.go lock.go set.go   one kind of structure each
//	verbs.go                                          requests, and what their errors say
//	words.go                                          words, and records in a value
package memverbs
