//go:build linux

// Package taskload makes a load of timed tasks: workers, each on its own connection,
// put tasks, take them and say that they are done, one request after another.
//
// A worker does not know beforehand which task it will get, and its next request depends on the
// answer. So the workers are goroutines that read answers, not a source of package load, which
// knows the answers beforehand. That costs the same for every server: [Queue] is implemented for
// memverbs ([Verbs]), beanstalkd ([Beanstalkd]), Valkey ([Valkey]), and clients that keep tasks in
// memcached without a proxy ([Simple]).
//
// Tasks are due at once and have 100 bytes, and whoever takes one holds it for a minute.
package taskload
