package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a flag with a number of bytes, such as 1048576, 1024KB, 1MB or 1GB. As in
// memcached, units are powers of 1024.
type size int64

var units = []struct {
	suffix string
	bytes  size
}{{"GB", 1 << 30}, {"G", 1 << 30}, {"MB", 1 << 20}, {"M", 1 << 20}, {"KB", 1 << 10}, {"K", 1 << 10}, {"B", 1}}

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	number, factor := strings.ToUpper(text), size(1)
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(number, unit.suffix); ok {
			number, factor = rest, unit.bytes
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 40)
	if err != nil {
		return fmt.Errorf("invalid size %q: use a number with B, KB, MB or GB, like 64MB", text)
	}
	*s = size(n) * factor
	return nil
}

// String implements pflag.Value.
func (s *size) String() string {
	for _, unit := range units {
		if *s >= unit.bytes && *s%unit.bytes == 0 {
			return strconv.FormatInt(int64(*s/unit.bytes), 10) + unit.suffix
		}
	}
	return "0B"
}

// Type implements pflag.Value.
func (s *size) Type() string { return "size" }
