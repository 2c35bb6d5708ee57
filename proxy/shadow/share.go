package shadow

import (
	"fmt"
	"strconv"
	"strings"
)

// Share is a share of all keys, in thousandths of a percent.
type Share uint32

// All is the share of all keys.
const All Share = 100 * 1000

// ParseShare reads a share such as 5% or 0.1%.
func ParseShare(text string) (Share, error) {
	number, found := strings.CutSuffix(text, "%")
	whole, fraction, pointed := strings.Cut(number, ".")
	const places = 3
	if digits := whole + fraction; found && whole != "" && len(fraction) <= places && pointed == (fraction != "") {
		n, err := strconv.ParseUint(digits+strings.Repeat("0", places-len(fraction)), 10, 32)
		if s := Share(n); err == nil && n > 0 && n <= uint64(All) {
			return s, nil
		}
	}
	return 0, fmt.Errorf("%q is no share of the keys: use a number from 0.001%% to 100%%, with at most %d decimal places, like 5%%", text, places)
}

// String returns a text that ParseShare reads.
func (s Share) String() string {
	return strconv.FormatFloat(float64(s)/(float64(All)/100), 'f', -1, 64) + "%"
}

// Has reports whether a key, as it is stored, is in the share.
func (s Share) Has(key []byte) bool { return Share(hash(key)%uint64(All)) < s }

// hash returns a hash of key: FNV-1a, whose bits are mixed afterwards. Some layouts place keys by FNV-1a, too, and without
// that the keys of a share would be those of some servers.
func hash(key []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range key {
		h = (h ^ uint64(b)) * 1099511628211
	}
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
