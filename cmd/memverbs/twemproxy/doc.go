// Package twemproxy converts the configuration of twemproxy (nutcracker) to a file with settings of memverbs,
// with which every key stays on its server.
//
// The meaning of twemproxy's settings is that of nutcracker 0.5.0 (nc_conf.c and notes/recommendation.md). What
// nutcracker refuses is refused, and whatever will be different with memverbs becomes a warning, and a comment in
// the file.
//
// # Files, from the top down
//
//	convert.go      a whole configuration
//	write.go        the file that it becomes
//	directives.go   reading twemproxy's settings of a pool
//	pool.go         a pool, and the warnings about it
package twemproxy
