// Command memverbs is a proxy in front of memcached. It forwards plain commands to the
// servers of a pool and carries out verbs that memcached lacks. See README.md for what
// it does and `memverbs --help` for its flags.
//
// This package has what is typed and what is printed: the command itself, and a file for each subcommand. What
// it is made of, each package only using those below it:
//
//	service         runs the proxy: signals, reloads, takeovers
//	twemproxy       converts twemproxy's configuration
//	settings        all settings, from flags or a file, and what becomes of them
//	verify          whether a layout fits a pool
//	hosts           servers that are given by a host name
//	embedded        the store that is used without servers
//	setting         what settings are made of
//	logging         the log
//	manual          --help, and pages for man(1)
//	yamlfile        files with their places
//
// # Files, from the top down
//
//	main.go                            the command
//	subcommands.go                     which subcommands there are,
//	check.go example.go import.go      and each of them
//	locate.go verification.go
//	completion.go man.go filepage.go
//	usage.go                           the manual of the command itself
//	arguments.go                       what subcommands have in common
//	exit.go                            how the program ends
//	version.go profile.go              what is built in
//
// completion.go, man.go and usage.go refer to subcommands.go above them: they are subcommands, or told of by the
// command, and tell of all subcommands.
package main
