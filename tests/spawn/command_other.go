//go:build !linux

package spawn

import "os/exec"

// Command starts cmd. No other system than Linux can be told to kill it when this program ends.
func Command(cmd *exec.Cmd) error { return cmd.Start() }
