package main

import "slices"

// subcommands returns all of them, in the order in which they are described.
func subcommands() []subcommand {
	return []subcommand{
		checkCommand(), exampleCommand(), importCommand(), new(location).command(), new(verification).command(),
		completionCommand(), manCommand(),
	}
}

// subcommandOf returns the subcommand that the arguments begin with, nil if there is none.
func subcommandOf(args []string) *subcommand {
	all := subcommands()
	i := slices.IndexFunc(all, func(s subcommand) bool { return len(args) > 0 && args[0] == s.name() })
	if i < 0 {
		return nil
	}
	return &all[i]
}
