//go:build linux

// Package taskload makes a load of timed tasks: so many workers, each with a connection of its
// own, put tasks, take them and say that they are done, one request after another.
//
// Whoever takes a task does not know which one that will be, and what it says later depends on
// the answer. So the workers are goroutines that read answers, rather than a source of package
// load, which knows them beforehand. What that costs is the same whoever is asked: [Queue] is
// implemented for memverbs ([Verbs]), beanstalkd ([Beanstalkd]), Valkey ([Valkey]), and clients
// that keep tasks in memcached by themselves ([Simple]).
//
// Tasks are due at once and have 100 bytes, and whoever takes one holds it for a minute.
package taskload
