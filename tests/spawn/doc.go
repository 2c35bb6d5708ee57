// Package spawn starts the programs that the tests and the benchmark talk to,
// on free ports of the loopback interface. A program that was started here is
// killed when the one that started it ends, however it ends.
package spawn
