package sharding

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"testing"
)

func md5WordByLibrary(key []byte) uint32 {
	digest := md5.Sum(key)
	return binary.LittleEndian.Uint32(digest[:])
}

func TestMD5OfEveryLength(t *testing.T) {
	for n := range 300 {
		for _, c := range []byte{0, 'x', 0x80, 0xff} {
			key := bytes.Repeat([]byte{c}, n)
			if got, want := md5Word(key), md5WordByLibrary(key); got != want {
				t.Errorf("%d bytes of %#x: %#x, expected %#x", n, c, got, want)
			}
		}
	}
}

func FuzzMD5(f *testing.F) {
	for _, key := range strangeKeys() {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key []byte) {
		if got, want := md5Word(key), md5WordByLibrary(key); got != want {
			t.Errorf("%q: %#x, expected %#x", key, got, want)
		}
	})
}

// The MD5 of the standard library, for comparison.
func BenchmarkMD5(b *testing.B) {
	key := []byte("user:profile:1234567")
	for _, hash := range []struct {
		name string
		word func([]byte) uint32
	}{{"own", md5Word}, {"library", md5WordByLibrary}} {
		b.Run(hash.name, func(b *testing.B) {
			for b.Loop() {
				hash.word(key)
			}
		})
	}
}
