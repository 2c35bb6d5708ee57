package main

import "io"

// subcommand is a command that ends by itself, rather than serve. run returns the exit status;
// manual describes it to --help, the man page and shells.
type subcommand struct {
	name   string
	run    func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
	manual func() manual
}

// subcommands returns all of them, in the order in which they are described.
func subcommands() []subcommand {
	return []subcommand{
		{"check", check, checkManual},
		{"example", printExample, exampleManual},
		{"import", convert, func() manual { return importManual(new(string)) }},
		{"locate", locate, func() manual { return newLocation().manual() }},
		{"verify", verifyPool, func() manual { return newVerification().manual() }},
		{"completion", completion, completionManual},
		{"man", man, manManual},
	}
}

// subcommandOf returns the subcommand that the arguments begin with, nil if there is none.
func subcommandOf(args []string) *subcommand {
	for _, s := range subcommands() {
		if len(args) > 0 && args[0] == s.name {
			return &s
		}
	}
	return nil
}
