package structures

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// sizesOfFloods are sizes, in bytes, about like those of small structures' items.
var sizesOfFloods = []int{4, 32, 64, 128, 256, 512, 1024, 2048, 4096}

// drown floods one memcached after another until all is done.
func (n *nemesis) drown(random *rand.Rand) {
	for {
		size := oneOf(random, sizesOfFloods...)
		flood(oneOf(random, n.memcacheds...).Addr, random, size+random.IntN(size))
		select {
		case <-n.done:
			return
		case <-time.After(time.Duration(random.IntN(100)) * time.Millisecond):
		}
	}
}

// flood fills a memcached with items of a size, so that it evicts others of about that size, and
// keeps those of another. It gives up on a memcached that goes down.
func flood(addr string, random *rand.Rand, size int) {
	const bytes = 1 << 20
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		return
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	in, data := bufio.NewReader(conn), strings.Repeat("x", size)
	for left := bytes; left > 0; {
		var requests strings.Builder
		sets := 0
		for ; sets < 100 && left > 0; sets++ {
			fmt.Fprintf(&requests, "set flood%x 0 0 %d\r\n%s\r\n", random.Uint64(), size, data)
			left -= size + 60 // what memcached adds
		}
		if _, err := conn.Write([]byte(requests.String())); err != nil {
			return
		}
		for range sets {
			if _, err := readLine(in); err != nil {
				return
			}
		}
	}
}
