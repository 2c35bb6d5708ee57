package setting

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is a number of bytes. As in memcached, units are powers of 1024.
type Size int64

var units = []struct {
	suffix string
	bytes  Size
}{{"GB", 1 << 30}, {"G", 1 << 30}, {"MB", 1 << 20}, {"M", 1 << 20}, {"KB", 1 << 10}, {"K", 1 << 10}, {"B", 1}}

// Unlimited is the most that sizes of no other limit may be.
const Unlimited = Size(1 << 60)

// Sizes is the kind of sizes from least to most, written like 1048576, 1024KB, 1MB or 1GB.
func Sizes(least, most Size) Kind[Size] {
	expected := fmt.Sprintf("from %v to %v", least, most)
	if most == Unlimited {
		expected = fmt.Sprintf("of at least %v", least)
	}
	return Kind[Size]{Name: "size", Read: func(text string) (Size, error) {
		n, err := parseSize(text)
		if err == nil && (n < least || n > most) {
			err = fmt.Errorf("%q is not a size %s; a number without a unit is one of bytes", text, expected)
		}
		return n, err
	}, Show: Size.String}
}

func parseSize(text string) (Size, error) {
	number, factor := strings.ToUpper(text), Size(1)
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(number, unit.suffix); ok {
			number, factor = rest, unit.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 40)
	if err != nil || Size(n) > Unlimited/factor {
		return 0, fmt.Errorf("%q is not a size: use a number with B, KB, MB or GB, like 64MB", text)
	}
	return Size(n) * factor, nil
}

func (s Size) String() string {
	for _, unit := range units {
		if s >= unit.bytes && s%unit.bytes == 0 {
			return strconv.FormatInt(int64(s/unit.bytes), 10) + unit.suffix
		}
	}
	return "0B"
}
