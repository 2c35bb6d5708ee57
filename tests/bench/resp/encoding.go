package resp

import "strconv"

// AppendCommand appends a request, the command and its arguments, to dst:
//
//	AppendCommand(nil, "SADD", "fruits", "apple")
func AppendCommand(dst []byte, words ...string) []byte {
	dst = appendHeader(dst, '*', len(words))
	for _, word := range words {
		dst = appendHeader(dst, '$', len(word))
		dst = append(append(dst, word...), "\r\n"...)
	}
	return dst
}

func appendHeader(dst []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(dst, kind), int64(n), 10), "\r\n"...)
}
