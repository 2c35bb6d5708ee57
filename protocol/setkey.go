package protocol

import "encoding/base64"

// SetKey replaces the key of a request that has one. encoded is a buffer, which r refers to if
// the client sent its key in base64; SetKey returns it, so that it can be used again after r.
func (r *Request) SetKey(key, encoded []byte) []byte {
	r.Key = key
	if len(r.Encoded) > 0 {
		encoded = base64.StdEncoding.AppendEncode(encoded[:0], key)
		r.Encoded = encoded
	}
	if r.Command.Retrieval() {
		r.Words, r.single = key, true
	}
	return encoded
}

// SetKeys replaces the keys of a retrieval, or of a verb whose words are keys, by the same number
// of words, separated by single spaces.
func (r *Request) SetKeys(words []byte) {
	r.Words, r.single = words, true
	r.Key, _ = NextWord(words)
}

// SetRetrieval resets r to a retrieval of n keys, the words of keys with one space between, for
// front ends other than [Parser]. held says that keys is in a buffer of the front end rather than
// in the one that was parsed.
func (r *Request) SetRetrieval(c Command, keys []byte, n int, held bool) {
	r.Reset(c)
	r.SetKeys(keys)
	r.NumWords, r.held = n, held
}

// SetDelete resets r to a deletion of the item under key. encoded is the key in base64 if it is to be sent like that, and empty
// otherwise.
func (r *Request) SetDelete(key, encoded []byte) {
	if r.Reset(Delete); len(encoded) > 0 {
		r.SetMeta(MetaDelete, key, encoded, []byte(" b"))
	}
	r.Key = key
}

// DeletionOf returns a deletion of the item under key, which may have any bytes.
func DeletionOf(key []byte) (r Request) {
	var encoded []byte
	if !PlainWord(key) {
		encoded = base64.StdEncoding.AppendEncode(nil, key)
	}
	r.SetDelete(key, encoded)
	return r
}
