// Package house is counted by the tests.
//
// # Files, from the top down
//
//	roof.go    what is above
//	wall.go    what is between
//	cellar.go  what is below
package house
