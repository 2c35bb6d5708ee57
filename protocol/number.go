package protocol

import "math"

// Numbers are read as the newest memcached reads them: digits, and a minus sign where
// the number may be negative. Older versions accept more, such as a plus sign or white
// space; those forms are refused here.

// The longest numbers that memcached reads, in bytes including leading zeros.
const (
	maxDigits   = 22
	maxDigits32 = 11
)

// ParseUint reads a number of 64 bits.
func ParseUint(word []byte) (uint64, bool) {
	if len(word) == 0 || len(word) > maxDigits {
		return 0, false
	}
	var n uint64
	for _, c := range word {
		d := uint64(c - '0')
		if c < '0' || c > '9' || n > (math.MaxUint64-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

// ParseInt reads a number of 63 bits that may have a minus sign.
func ParseInt(word []byte) (int64, bool) {
	if len(word) > 0 && word[0] == '-' {
		n, ok := ParseUint(word[1:])
		return -int64(n), ok && n <= -math.MinInt64
	}
	n, ok := ParseUint(word)
	return int64(n), ok && n <= math.MaxInt64
}

// parseUint32 reads a number of 32 bits.
func parseUint32(word []byte) (uint32, bool) {
	n, ok := ParseUint(word)
	return uint32(n), ok && n <= math.MaxUint32 && len(word) <= maxDigits32
}

// parseInt32 reads a signed number of 32 bits: the exptimes of all commands except the
// classic storage commands.
func parseInt32(word []byte) (int64, bool) {
	n, ok := ParseInt(word)
	return n, ok && n >= math.MinInt32 && n <= math.MaxInt32 && len(word) <= maxDigits32
}

// The flags and the exptime of a classic storage command are read by every memcached
// with C's strtoul and strtol, into 32 bits of 64: leading white space (never a space
// here, as that ends a word), a sign, digits, and anything after white space.

// ParseC reads a number of 64 bits as C's strtoull does. A minus sign negates modulo 2⁶⁴, but a result with
// the highest bit set is refused.
func ParseC(word []byte) (uint64, bool) {
	n, negative, ok := cNumber(word)
	if negative {
		n = -n
		ok = ok && n <= math.MaxInt64
	}
	return n, ok
}

// readFlags reads flags.
func readFlags(word []byte) (uint32, bool) {
	n, ok := ParseC(word)
	return uint32(n), ok
}

// readExptime reads an exptime.
func readExptime(word []byte) (int64, bool) {
	n, negative, ok := cNumber(word)
	if negative {
		return int64(int32(-int64(n))), ok && n <= -math.MinInt64
	}
	return int64(int32(n)), ok && n <= math.MaxInt64
}

// cNumber reads word as strtol does. It returns the absolute value and the sign.
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

// maxBlock is the longest data block, in bytes, that memcached handles. It computes
// with 32 bits and would mistake a longer one for a short one.
const maxBlock = math.MaxInt32 - 2

// ParseLength reads the length of a data block. It returns false for a length that memcached
// refuses; then the length is -1 unless it is known all the same.
func ParseLength(word []byte) (int, bool) {
	if n := len(word); n > 0 && n < 9 && word[0] != '-' { // the usual case
		size := 0
		for _, c := range word {
			if c < '0' || c > '9' {
				return -1, false
			}
			size = 10*size + int(c-'0')
		}
		return size, true
	}
	n, ok := ParseInt(word)
	if !ok || n < 0 || n > math.MaxInt-2 {
		return -1, false
	}
	return int(n), n <= maxBlock && len(word) <= maxDigits32
}
