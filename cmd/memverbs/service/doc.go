// Package service runs the proxy as a service: from the settings to the signal that stops it.
//
//	           settings.All
//	                │
//	start: ─▶ inherit ─▶ tune, limit ─▶ proxy.Server ─▶ reach ─▶ admin, systemd ─▶ ready
//	                                         ▲
//	then:  ─▶ SIGHUP, admin ─▶ reloader ─────┤
//	       ─▶ SIGUSR2 ─▶ succession ─▶ another process, which inherits
//	       ─▶ SIGTERM ─▶ stop
//
// SIGUSR2 makes the process start its program again, as its successor; see takeover.go for how the successor
// takes over.
//
// # Files, from the top down
//
//	run.go                        from the start to the end
//	signals.go                    what signals do meanwhile
//	takeover.go                   starting a successor,
//	reach.go inherit.go           being one,
//	handover.go                   and what one hands on to the other
//	admin.go                      the HTTP server
//	reload.go                     using the file again
//	reminder.go                   certificates that are about to expire
//	systemd.go                    messages to the service manager
//	exposure.go                   warnings about addresses that everybody can reach
//	gomemory.go openfiles.go      limits of the system and of Go's runtime
package service
