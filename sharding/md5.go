package sharding

import (
	"crypto/md5"
	"encoding/binary"
)

// md5Word returns the first word of the MD5 of a key.
func md5Word(key []byte) uint32 {
	digest := md5.Sum(key)
	return binary.LittleEndian.Uint32(digest[:])
}
