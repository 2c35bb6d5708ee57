package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// benchmarkFold reads a log, and writes its net or the shortest log.
func benchmarkFold(b *testing.B, log string) {
	text := []byte(log)
	var l List
	var dst []byte
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			l.Read(nil, text, 0)
		}
	})
	l.Read(nil, text, 0)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			dst = l.AppendLog(nil, dst[:0])
		}
	})
	b.Run("net", func(b *testing.B) {
		for b.Loop() {
			dst = l.AppendNet(nil, dst[:0])
		}
	})
}

func BenchmarkFoldOfWords(b *testing.B) {
	benchmarkFold(b, strings.Repeat("l>e000000001 l>e000000002 l>e000000003 l(e000000001 ", 250))
}

// benchmarkPush pushes what a request says.
func benchmarkPush(b *testing.B, request string) {
	l := verbtest.NewLoop(b, theVerbs, verbs.Reply{Status: verbs.Stored})
	req := l.Request(b, request)
	b.ReportAllocs()
	for b.Loop() {
		l.Call(req)
	}
}

func BenchmarkRpush(b *testing.B) { benchmarkPush(b, "rpush k e000000001") }

func BenchmarkFoldOfData(b *testing.B) {
	var log []byte
	for n := range 1000 {
		log = fmt.Appendf(log, "l+>%012d.0.%s ", n, appendEscaped(nil, []byte(text300)))
	}
	benchmarkFold(b, string(log))
}

// text300 is an element with data of 300 bytes.
var text300 = strings.Repeat("two words ", 30)

func BenchmarkRput(b *testing.B) { benchmarkPush(b, "rput k 7 300\r\n"+text300) }

func BenchmarkUnescape(b *testing.B) {
	text, dst := appendEscaped(nil, []byte(text300)), []byte(nil)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		dst = appendUnescaped(dst[:0], text)
	}
}
