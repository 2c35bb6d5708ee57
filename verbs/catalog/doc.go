// Package catalog lists all verbs, and registers the kinds of structures, so that any call can fold
// a structure of any kind. It also has the two verbs that belong to no kind: help, and inspect,
// which describes any structure.
//
// # Files, from the top down
//
// One reference runs up: the list has help, which tells of the list.
//
//	owners.go   the structures that an item may be a part of, by its key
//	help.go     the verb help
//	catalog.go  the list
//	nsflush.go   flushing a namespace
//	inspect.go  the verb inspect
package catalog
