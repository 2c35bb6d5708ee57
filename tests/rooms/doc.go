// Rooms counts, in each package, the references from a file to what is declared in one above it, in the order that
// the package's documentation has for its files:
//
//	go run ./tests/rooms ./cmd/...
//
// A package whose references run one way can be read from its first file to its last, or the other way round, without
// going back. Imports can't run in circles, and within a package only this count sees to it. The order is in the
// documentation under the heading
//
//	# Files, from the top down
//
// in indented lines that begin with the names of one or several files. Where there is none, references are
// counted that lie in circles: from a file to one that leads back to it.
//
// # Files, from the top down
//
//	main.go        what is printed
//	count.go       the references of a package
//	order.go       the order of its files
package main
