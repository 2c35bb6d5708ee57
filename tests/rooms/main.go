package main

import (
	"fmt"
	"os"
)

func main() {
	rooms, err := load(".", os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, r := range rooms {
		if len(r.files) < 2 {
			continue
		}
		what := "run up"
		if r.order == nil {
			what = "lie in circles, as no order is documented"
		}
		links := r.rising()
		fmt.Printf("%s: %d files, %d references among them, of which %d %s\n", r.path, len(r.files), len(r.links), len(links), what)
		if r.order == nil {
			continue
		}
		for _, l := range links {
			fmt.Println("  " + l.String())
		}
	}
}
