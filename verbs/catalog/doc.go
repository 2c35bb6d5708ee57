// Package catalog lists all verbs, and registers the kinds of structures, so that any call can fold
// a structure of any kind. It also has the verbs that belong to no kind: help; inspect,
// which describes any structure; and nsflush, which flushes a namespace. And it tells the items that verbs of
// any kind have stored from plain ones.
//
// # Files, from the top down
//
// One reference runs up: the list has help, which tells of the list.
//
//	bases.go    the structures that an item may be a part of, by its key
//	heads.go    whether an item may be the head of a structure, by its value
//	help.go     the verb help
//	catalog.go  the list
//	nsflush.go  flushing a namespace
//	inspect.go  the verb inspect
package catalog
