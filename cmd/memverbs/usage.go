package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/sharding"
)

// ownManual returns the manual of memverbs itself, with its flags and the names of the subcommands.
func ownManual(o *settings.Flags) manual.Manual {
	m := manual.Manual{
		Name:  "memverbs",
		About: "proxy in front of memcached that adds sets, lists, tables, rankings, queues of tasks, event logs, locks and limits to it",
		Usage: []string{"memverbs [flags]", "memverbs --config file"},
		Text: "It forwards plain commands to the servers of a pool, and carries out verbs that memcached lacks by\n" +
			"operations that it has. All data is in memcached. A client that sends help gets a list of the verbs.",
		Examples: []manual.Term{
			{Name: "memverbs", Meaning: "# nothing else needed"},
			{Name: "memverbs --upstream 10.0.0.1:11211,10.0.0.2:11211", Meaning: "# in front of a pool"},
			{Name: "telnet 127.0.0.1 11211", Meaning: "# then type: help"},
		},
		More: []manual.Group{signalTerms(), statusTerms(), fileTerms()},
	}
	others := manual.Group{Title: "Subcommands. Each has --help of its own"}
	for _, s := range subcommands() {
		m.Usage = append(m.Usage, s.Usage...)
		others.Terms = append(others.Terms, manual.Term{Name: s.name(), Meaning: s.About})
	}
	m.Groups = append(m.Groups, others)
	for _, part := range o.Parts {
		m.Groups = append(m.Groups, manual.Group{Title: part.Name(), Flags: part})
	}
	m.Groups = append(m.Groups, layouts())
	return m
}

// noSubcommand returns the error about an argument that is neither a flag nor a subcommand.
func noSubcommand(arg string, flags *pflag.FlagSet) error {
	if flags.Lookup(arg) != nil {
		return fmt.Errorf("unexpected argument %q: is --%s meant?", arg, arg)
	}
	var known []string
	for _, s := range subcommands() {
		known = append(known, s.name())
	}
	if best := setting.Nearest(arg, known); best != "" {
		return fmt.Errorf("unexpected argument %q: it is no subcommand; is %q meant?", arg, best)
	}
	return fmt.Errorf("unexpected argument %q: the subcommands are %s, and everything else is set by flags, as --config file; see --help", arg, strings.Join(known, ", "))
}

// signalTerms tells what signals do.
func signalTerms() manual.Group {
	return manual.Group{Title: "Signals", Terms: []manual.Term{
		{Name: "SIGTERM, SIGINT", Meaning: "stop gracefully: listen no more, answer what clients have asked for, for no longer than --drain, and end. A second one ends memverbs at once."},
		{Name: "SIGHUP", Meaning: "read the file of --config again, and use it. A file with a mistake changes nothing; the log tells what is wrong."},
		{Name: "SIGUSR2", Meaning: "start the program again as a successor that takes the listening sockets over, and stop when it serves clients. If it does not within half a minute, nothing has changed."},
	}}
}

// statusTerms tells what the exit statuses mean.
func statusTerms() manual.Group {
	return manual.Group{Title: "Exit status", Terms: []manual.Term{
		{Name: strconv.Itoa(exitOK), Meaning: "memverbs was stopped by a signal, or a subcommand has succeeded."},
		{Name: strconv.Itoa(exitMisfit), Meaning: "memverbs verify: the layout does not fit the pool."},
		{Name: strconv.Itoa(exitUsage), Meaning: "a flag or an argument is wrong, or verify could not ask all servers. Standard error tells what is wrong. A program in Go that crashes has this status too."},
		{Name: strconv.Itoa(exitUnavailable), Meaning: "what the settings name can't be used now: an address that this machine does not have yet or another program listens at, a file with a certificate, a key or passwords that is missing or not right, the file of --config if it can't be read, or a host name with several addresses. Another start may succeed without a change of the settings."},
		{Name: strconv.Itoa(exitWrongFile), Meaning: "the file of --config, or that of a subcommand, is wrong: every start with it fails."},
	}}
}

// fileTerms tells which files there are.
func fileTerms() manual.Group {
	return manual.Group{Title: "Files", Terms: []manual.Term{
		{Name: "/etc/memverbs/memverbs.yml", Meaning: "the file of --config for the service that packages install. memverbs itself reads no file unless --config names one. A relative name is looked up in the folder in which memverbs was started, also at SIGHUP and by a successor. memverbs.yml(5) describes it."},
	}}
}

// layouts returns the part of a manual on the values of --layout.
func layouts() manual.Group {
	g := manual.Group{Title: "Layouts. Each places every key on the same server as the program to its right does"}
	for _, d := range sharding.Descriptions() {
		g.Terms = append(g.Terms, manual.Term{Name: d.Name, Meaning: d.Of})
	}
	return g
}
