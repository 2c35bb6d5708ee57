package execution

import (
	"bytes"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// A call that waits takes less than a kilobyte, also if its key is as long as can be.
func TestMemoryOfWaitingCall(t *testing.T) {
	t.Parallel()
	var req protocol.Request
	line := append(append([]byte("lpop "), bytes.Repeat([]byte("k"), protocol.MaxKey)...), " 1000 wait 60000\r\n"...)
	parser := protocol.Parser{MaxData: 1 << 20, Verbs: catalog.Known}
	if _, status := parser.Next(line, &req); status != protocol.Ready || req.Wait != 60000 {
		t.Fatalf("%v, waits for %d", status, req.Wait)
	}
	if n := newWaitingCall(&req, catalog.Of(&req), nil, &Caller{}, nil, 0).memory(); n >= 1<<10 {
		t.Errorf("it takes %d bytes", n)
	}
}
