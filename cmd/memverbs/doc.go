// Command memverbs is a proxy in front of memcached. It forwards plain commands to the
// servers of a pool and carries out verbs that memcached lacks. See README.md for what
// it does and `memverbs --help` for its flags.
//
// This package has the command line and the output: the command itself, and a file for each subcommand. It
// uses these packages, of which each uses only those below it:
//
//	service         runs the proxy: signals, reloads, takeovers
//	twemproxy       converts twemproxy's configuration,
//	mcrouter        and mcrouter's;
//	converted       what the files made of them have in common
//	settings        all settings, from flags or a file, and the configuration made of them
//	verify          whether a layout fits a pool
//	hosts           servers that are given by a host name
//	embedded        the store that is used if no servers are given
//	setting         what settings are made of
//	logging         the log
//	manual          --help, and pages for man(1)
//	yamlfile        YAML files, with the places of values for errors
//
// # Files, from the top down
//
//	main.go                            the command
//	subcommands.go                     the list of subcommands,
//	check.go example.go import.go      and the subcommands
//	locate.go verification.go
//	completion.go man.go filepage.go
//	usage.go                           the manual of the command itself
//	arguments.go                       what subcommands have in common
//	exit.go                            how the program ends
//	version.go profile.go              what is built in
//
// completion.go, man.go and usage.go refer to subcommands.go above them, because they describe all subcommands.
package main
