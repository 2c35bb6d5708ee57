package plain

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// memcached shows a key that it does not know to have come in base64 as it is,
// line ends and all: the answer looks like several. Behind a proxy those would
// be taken for the answers to other clients.
func TestAKeyCanNotPassForAnswers(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		attacker, victim := harness.Dial(t, s.Addr), harness.Dial(t, s.Addr)
		victim.Ask("set k 0 0 4\r\ntrue\r\n", "STORED\r\n")
		key := base64.StdEncoding.EncodeToString([]byte("a\r\nVALUE k 0 5\r\nfalse\r\nEND\r\nHD"))
		for _, create := range []string{
			"mg " + key + " b N0\r\n", // memcached does not remember of any of these that the key was base64
			"ma " + key + " b N0\r\n",
			"ms " + key + " 1 b\r\n1\r\nms " + key + " 1 b MA\r\n1\r\n",
			"ms " + key + " 1 b\r\n9\r\nma " + key + " b\r\n",
			"ms " + key + " 1 b\r\n1\r\nmd " + key + " b x\r\n",
		} {
			attacker.Send("md " + key + " b q\r\nmn\r\n")
			attacker.Until("MN")
			attacker.Send(create + "mn\r\n")
			attacker.Until("MN")
			for range 20 {
				attacker.Send(fmt.Sprintf("mg %s b k\r\nmg %s b f k q O1\r\nme %s b\r\n", key, key, key))
				victim.Send("get k\r\nmg k v\r\n")
				victim.Expect("VALUE k 0 4\r\ntrue\r\nEND\r\nVA 4\r\ntrue\r\n")
				switch line := attacker.Line(); {
				case strings.HasPrefix(line, "HD k"+key+" b"): // Z may follow: somebody else is about to renew it
					if line = attacker.Line(); !strings.HasPrefix(line, "HD f0 k"+key+" b O1") {
						t.Fatalf("after %q: %q", create, line)
					}
				case line != "EN k"+key+" b": // where md does not know x, it has removed the item
					t.Fatalf("after %q: %q", create, line)
				}
				attacker.Expect("CLIENT_ERROR the key holds a line end, so memcached's answer could not be told from others\r\n")
			}
		}
		attacker.InStep()
		victim.InStep()
	}, "--loops", "1")
}
