// Package settings has all settings of memverbs, whether flags or a file have them, and makes the proxy's
// configuration of them.
//
// The settings are grouped in structs, such as [Process], [Pool] and [Placement], each in its own file. A
// struct defines its settings (package setting) once, for flags and for files. So a new setting needs a field,
// its definition, and its use in config.go; help, manuals, the example of a file, and the comparisons of a
// reload follow from the definition.
//
//	flags ──▶ Flags ───────────────────┐
//	                                   ├──▶ All ──▶ config.Config ──▶ package proxy
//	file  ──▶ sections ──▶ checks ─────┘     └────▶ Summary, Compared
//	                          └──▶ errors and warnings, with their places
//
// All mistakes are reported at once, each on a line. Those in a file begin with their place.
//
// # Files, from the top down
//
//	neighbours.go                 other pools on the servers of
//	choice.go                     a pool of a file, for a subcommand
//	flags.go                      settings from flags
//	reading.go                    settings from a file
//	filecheck.go                  settings of a file that do not fit together
//	shadows.go copies.go          pools that are sent a share of another's requests, and those with copies of the same keys
//	warnings.go meetings.go       warnings of settings that are allowed, but probably mistakes
//	stripped.go                   such as prefixes that no stored key has
//	sections.go                   the sections of a file
//	compare.go summary.go         the effect of changed settings, and a summary of settings
//	found.go                      servers that are found
//	direct.go                     connections of subcommands to servers
//	config.go servers.go          the proxy's configuration
//	certificates.go addresses.go  all certificates and addresses in the settings
//	all.go                        all settings:
//	processwide.go                of the process,
//	listener.go listenertls.go    of listeners,
//	pool.go                       of a pool,
//	servertls.go placement.go     and as parts of it
//	finding.go
//	outages.go guards.go login.go
//	near.go namespaces.go
//	secrets.go                    files with keys and passwords
package settings
