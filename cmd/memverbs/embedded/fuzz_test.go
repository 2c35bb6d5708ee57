package embedded

import (
	"net"
	"path/filepath"
	"testing"
)

// Whatever a client sends is answered until it closes the connection.
func FuzzClient(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		for _, e := range readTranscript(f, file) {
			f.Add([]byte(e.request))
		}
	}
	s, _ := openStore(f, 1<<20, 1<<12)
	f.Fuzz(func(t *testing.T, sent []byte) {
		c := connect(t, s.Dial)
		go func() {
			c.conn.Write(sent)
			c.conn.(*net.UnixConn).CloseWrite()
		}()
		c.readAll()
		c.conn.Close()
		again := connect(t, s.Dial)
		defer again.conn.Close()
		again.ask("get a\r\n")
	})
}
