package main

import "github.com/memverbs/memverbs/cmd/memverbs/manual"

// subcommands returns all of them, in the order in which they are described.
func subcommands() []subcommand {
	return []subcommand{
		{"check", check, checkManual},
		{"example", printExample, exampleManual},
		{"import", convert, func() manual.Manual { return importManual(new(string)) }},
		{"locate", locate, func() manual.Manual { return newLocation().manual() }},
		{"verify", verifyPool, func() manual.Manual { return newVerification().manual() }},
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
