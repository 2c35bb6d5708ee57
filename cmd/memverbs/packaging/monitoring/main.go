package main

import (
	"fmt"
	"os"
)

//go:generate go run .

// Where the files are, in the folder of this package.
const (
	rulesFile     = "memverbs.rules.yml"
	dashboardFile = "memverbs.dashboard.json"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write() error {
	made, err := files()
	if err != nil {
		return err
	}
	for name, text := range made {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files returns the texts of the files by their names.
func files() (map[string]string, error) {
	known := declared()
	rules, err := rulesText(alerts, known)
	if err != nil {
		return nil, err
	}
	dashboard, err := dashboardText(rows, known)
	if err != nil {
		return nil, err
	}
	return map[string]string{rulesFile: rules, dashboardFile: dashboard}, nil
}
