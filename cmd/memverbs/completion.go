package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/sharding"
)

// Shells complete the words of a memverbs command by a script that "memverbs completion" prints. The
// script runs "memverbs __complete" with the words typed so far. The scripts and their protocol are
// cobra's; cobra is used for nothing else.

// shells print the scripts.
var shells = map[string]func(*cobra.Command, io.Writer) error{
	"bash": func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
	"fish": func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
	"zsh":  func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) },
}

func completionCommand() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs completion",
		About: "print what a shell needs to complete subcommands, flags and their values",
		Usage: []string{"memverbs completion bash|fish|zsh"},
		Text: "The package for Debian installs it. Elsewhere, for the running shell:\n" +
			"source <(memverbs completion bash), the same with zsh, or memverbs completion fish | source.",
	}, nil, completion)
}

// completion prints the script of a shell.
func completion(args []string, to streams) error {
	if len(args) != 1 || shells[args[0]] == nil {
		return errors.New("completion: name one shell: bash, fish or zsh")
	}
	if err := shells[args[0]](completed(), to.out); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// completing reports whether the arguments are a completion script's.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// complete answers a completion script. It returns the exit status.
func complete(args []string, to streams) int {
	c := completed()
	c.SetArgs(args)
	c.SetOut(to.out)
	c.SetErr(to.err)
	if err := c.Execute(); err != nil {
		return exitUsage
	}
	return exitOK
}

// completed returns all commands as cobra's commands.
func completed() *cobra.Command {
	root := completedCommand("memverbs", ownManual(settings.NewFlags()))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	for _, s := range subcommands() {
		root.AddCommand(completedCommand(s.name(), s.Manual))
	}
	return root
}

func completedCommand(name string, m manual.Manual) *cobra.Command {
	c := &cobra.Command{Use: name, Short: m.About, Run: func(*cobra.Command, []string) {}, ValidArgsFunction: cobra.NoFileCompletions}
	switch name {
	case "check", "import":
		c.ValidArgsFunction = fileNames
	case "man":
		c.ValidArgsFunction = cobra.FixedCompletions([]string{"memverbs.yml"}, cobra.ShellCompDirectiveNoFileComp)
	case "completion":
		c.ValidArgsFunction = cobra.FixedCompletions([]string{"bash", "fish", "zsh"}, cobra.ShellCompDirectiveNoFileComp)
	}
	c.Flags().AddFlagSet(m.Flags())
	c.Flags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = strings.ReplaceAll(usage, "\n", " ")
		_ = c.RegisterFlagCompletionFunc(f.Name, completedValue(f.Name)) // fails only if the flag has one
	})
	return c
}

// completedValue returns the completion for the values of a flag: a list of values, names of files, or
// none.
func completedValue(flag string) cobra.CompletionFunc {
	switch flag {
	case "layout":
		return cobra.FixedCompletions(sharding.Names(), cobra.ShellCompDirectiveNoFileComp)
	case "log-level":
		return cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp)
	case "log-format":
		return cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp)
	case "flush", "stats-reset":
		return cobra.FixedCompletions([]string{"allow", "deny"}, cobra.ShellCompDirectiveNoFileComp)
	case "config", "output":
		return fileNames
	}
	return cobra.NoFileCompletions
}

// fileNames makes the shell complete names of files.
func fileNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
