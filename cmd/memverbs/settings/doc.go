// Package settings has all settings of memverbs, whether flags or a file have them, and makes the proxy's
// configuration of them.
//
// The settings are structs by what they are about, such as [Process], [Pool] and [Placement], each in a file of
// its own. A struct defines its settings (package setting) in the same place for flags and for files: a field,
// its definition, and in config.go what becomes of it are all that a setting needs. Help, manuals, the example
// of a file, and the comparisons of a reload follow from the definition.
//
//	flags ──▶ Flags ───────────────────┐
//	                                   ├──▶ All ──▶ config.Config ──▶ package proxy
//	file  ──▶ sections ──▶ checks ─────┘     └────▶ Summary, Compared
//	                          └──▶ errors and warnings, with their places
//
// What is wrong is told at once, all of it, each mistake on a line. In a file it begins with its place.
//
// # Files, from the top down
//
//	neighbours.go                       other pools on the servers of
//	choice.go                           a pool of a file, for a subcommand
//	flags.go                            settings from flags
//	reading.go                          settings from a file
//	filecheck.go                        what does not fit together there
//	warnings.go meetings.go             what is allowed, but hardly meant
//	sections.go                         what a file consists of
//	compare.go summary.go               what settings change, and what they mean
//	direct.go                           connections of subcommands to servers
//	config.go servers.go                the proxy's configuration
//	certificates.go addresses.go        what all settings have of these
//	all.go                              all settings:
//	process.go                          of the process,
//	listener.go listenertls.go          of listeners,
//	pool.go                             of a pool,
//	servertls.go placement.go           and as parts of it
//	outages.go guards.go login.go
//	secrets.go                          files with keys and passwords
package settings
