// Package manual formats the descriptions of commands: the text of --help, and pages for man(1).
//
// # Files, from the top down
//
//	roff.go    a page in the language of man(7)
//	help.go    a manual, and its text for --help
package manual
