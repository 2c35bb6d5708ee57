// Package catalog lists all verbs, and registers the kinds of structures, so that any call can fold
// a structure of any kind. It also has the verbs that belong to no kind: help; inspect,
// which describes any structure; and nsflush, which flushes a namespace.
//
// # Files, from the top down
//
// One reference runs up: the list has help, which tells of the list.
//
//	owners.go   the structures that an item may be a part of, by its key
//	help.go     the verb help
//	catalog.go  the list
//	nsflush.go  flushing a namespace
//	inspect.go  the verb inspect
package catalog
