package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a number of bytes. As in memcached, units are powers of 1024.
type size int64

var units = []struct {
	suffix string
	bytes  size
}{{"GB", 1 << 30}, {"G", 1 << 30}, {"MB", 1 << 20}, {"M", 1 << 20}, {"KB", 1 << 10}, {"K", 1 << 10}, {"B", 1}}

// unlimited is the most that sizes of no other limit may be.
const unlimited = size(1 << 60)

// sizes is the kind of sizes from least to most, written like 1048576, 1024KB, 1MB or 1GB.
func sizes(least, most size) kind[size] {
	expected := fmt.Sprintf("from %v to %v", least, most)
	if most == unlimited {
		expected = fmt.Sprintf("of at least %v", least)
	}
	return kind[size]{"size", func(text string) (size, error) {
		n, err := parseSize(text)
		if err == nil && (n < least || n > most) {
			err = fmt.Errorf("%q is not a size %s; a number without a unit is one of bytes", text, expected)
		}
		return n, err
	}, size.String}
}

func parseSize(text string) (size, error) {
	number, factor := strings.ToUpper(text), size(1)
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(number, unit.suffix); ok {
			number, factor = rest, unit.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 40)
	if err != nil || size(n) > unlimited/factor {
		return 0, fmt.Errorf("%q is not a size: use a number with B, KB, MB or GB, like 64MB", text)
	}
	return size(n) * factor, nil
}

func (s size) String() string {
	for _, unit := range units {
		if s >= unit.bytes && s%unit.bytes == 0 {
			return strconv.FormatInt(int64(s/unit.bytes), 10) + unit.suffix
		}
	}
	return "0B"
}
