package protocol

import "encoding/base64"

// decodeKey replaces a key in base64 by the decoded key, so that both forms are placed
// on the same upstream, and sets Encoded to its canonical base64. If the key can't be
// decoded, Key is unchanged and Encoded empty.
func (p *Parser) decodeKey(req *Request) {
	b := p.buffers()
	b.decoded = appendDecoded(b.decoded[:0], req.Key)
	if len(b.decoded) > 0 {
		b.encoded = base64.StdEncoding.AppendEncode(b.encoded[:0], b.decoded)
		req.Encoded, req.Key = b.encoded, b.decoded
	}
}

// appendDecoded appends the decoded base64 of text as memcached decodes it: it skips
// characters outside the alphabet and stops after the first group of four that has
// padding. It appends nothing if memcached would refuse text.
func appendDecoded(dst, text []byte) []byte {
	count := 0
	for _, c := range text {
		if base64Values[c] != notBase64 {
			count++
		}
	}
	if count == 0 || count%4 != 0 {
		return dst
	}
	start := len(dst)
	var bits uint32
	count, padding := 0, 0
	for _, c := range text {
		value := base64Values[c]
		if value == notBase64 {
			continue
		}
		if c == '=' {
			padding++
		}
		bits = bits<<6 | uint32(value)
		if count++; count%4 != 0 {
			continue
		}
		if padding > 2 {
			return dst[:start]
		}
		dst = append(dst, byte(bits>>16), byte(bits>>8), byte(bits))
		if padding > 0 {
			return dst[:len(dst)-padding]
		}
	}
	return dst
}

const notBase64 = 0xff

// base64Values maps each character to its value; padding counts as zero.
var base64Values = func() (values [256]byte) {
	for i := range values {
		values[i] = notBase64
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i, c := range []byte(alphabet) {
		values[c] = byte(i)
	}
	values['='] = 0
	return values
}()
