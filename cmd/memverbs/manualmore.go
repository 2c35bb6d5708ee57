package main

import "strconv"

// signalTerms tells what signals do.
func signalTerms() group {
	return group{title: "Signals", terms: []term{
		{"SIGTERM, SIGINT", "stop gracefully: listen no more, answer what clients have asked for, for no longer than --drain, and end. A second one ends memverbs at once."},
		{"SIGHUP", "read the file of --config again, and use it. A file with a mistake changes nothing; the log tells what is wrong."},
		{"SIGUSR2", "start the program again as a successor that takes the listening sockets over, and stop when it serves clients. If it does not within half a minute, nothing has changed."},
	}}
}

// statusTerms tells what the exit statuses mean.
func statusTerms() group {
	return group{title: "Exit status", terms: []term{
		{strconv.Itoa(exitOK), "memverbs was stopped by a signal, or a subcommand has succeeded."},
		{strconv.Itoa(exitMisfit), "memverbs verify: the layout does not fit the pool."},
		{strconv.Itoa(exitUsage), "a flag or an argument is wrong, or verify could not ask all servers. Standard error tells what is wrong. A program in Go that crashes has this status too."},
		{strconv.Itoa(exitUnavailable), "what the settings name can't be used now: an address that this machine does not have yet or another program listens at, a file with a certificate, a key or passwords that is missing or not right, the file of --config if it can't be read, or a host name with several addresses. Another start may succeed without a change of the settings."},
		{strconv.Itoa(exitWrongFile), "the file of --config, or that of a subcommand, is wrong: every start with it fails."},
	}}
}

// fileTerms tells which files there are.
func fileTerms() group {
	return group{title: "Files", terms: []term{
		{"/etc/memverbs/memverbs.yml", "the file of --config for the service that packages install. memverbs itself reads no file unless --config names one. A relative name is looked up in the folder in which memverbs was started, also at SIGHUP and by a successor. memverbs.yml(5) describes it."},
	}}
}
