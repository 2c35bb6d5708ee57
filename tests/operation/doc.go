// Package operation shows what an operator meets: starting and stopping, settings and reloads, takeovers, outages
// of servers, passwords, logs, statistics and monitors, and the subcommands.
package operation
