package proxy

import (
	"os"
	"testing"
)

// A second Shutdown closes nothing: the descriptors of the server may be others' by then.
func TestShutdownTwice(t *testing.T) {
	s := startServer(t, 2, cannedUpstream(t, []byte("END\r\n")))
	s.Shutdown()
	var files []*os.File
	for range 64 {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = in.Close(), out.Close() }()
		files = append(files, out)
	}
	s.Shutdown()
	for _, f := range files {
		if _, err := f.WriteString("x"); err != nil {
			t.Errorf("a file that was opened after the first Shutdown: %v", err)
		}
	}
}
