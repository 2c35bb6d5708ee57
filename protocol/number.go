package protocol

import "math"

// memcached reads numbers with C's strtoul and strtol and takes what they take:
// white space in front (which is no space here, as that ends a word), a sign,
// digits, and behind white space anything. Where the number says how much
// follows, what is more than a sign and digits is written anew before it is
// forwarded: no other version of memcached is to read another number.

// cNumber reads the digits of word.
func cNumber(word []byte) (n uint64, negative, ok bool) {
	i := 0
	for i < len(word) && isSpace(word[i]) {
		i++
	}
	if i < len(word) && (word[i] == '-' || word[i] == '+') {
		negative = word[i] == '-'
		i++
	}
	first := i
	for ; i < len(word) && word[i] >= '0' && word[i] <= '9'; i++ {
		d := uint64(word[i] - '0')
		if n > (math.MaxUint64-d)/10 {
			return 0, false, false
		}
		n = n*10 + d
	}
	return n, negative, i > first && (i == len(word) || isSpace(word[i]))
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// ReadUint reads a number of 64 bits as memcached does. A minus sign counts from
// the end, as in C, but what then has the highest bit set is refused.
func ReadUint(word []byte) (uint64, bool) {
	n, negative, ok := cNumber(word)
	if negative {
		n = -n
		ok = ok && n <= math.MaxInt64
	}
	return n, ok
}

// ReadInt reads a number of 63 bits and a sign as memcached does.
func ReadInt(word []byte) (int64, bool) {
	n, negative, ok := cNumber(word)
	if negative {
		return -int64(n), ok && n <= -math.MinInt64
	}
	return int64(n), ok && n <= math.MaxInt64
}
