//go:build profile

package main

// Only the benchmark builds a program with this tag; the shipped one takes no profiles.
import _ "github.com/memverbs/memverbs/tests/bench/profiled"
