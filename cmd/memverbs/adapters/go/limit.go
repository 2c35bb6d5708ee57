package memverbs

import (
	"fmt"
	"strconv"
	"time"
)

// Limit allows so many in any interval of so long.
type Limit struct {
	structure
	count, seconds string
}

// Limit returns the limit with a name, which allows so many in any interval of so long.
func (v *Verbs) Limit(name string, count int, window time.Duration) Limit {
	return Limit{v.structure(name), strconv.Itoa(count), strconv.Itoa(seconds(window))}
}

// Allow counts n more if all of them are allowed, and returns whether they are.
func (l Limit) Allow(n int) (bool, error) {
	left, err := l.verbs.count(int64(n), "limit", l.name, l.count, l.seconds)
	return left > 0, err
}

// Left returns how many more are allowed now, and after how long it is worth asking again. It counts nothing.
func (l Limit) Left() (left int, wait time.Duration, err error) {
	value, err := l.verbs.get("limit", l.name, l.count, l.seconds)
	if err != nil {
		return 0, 0, err
	}
	var allowed, ms int
	_, err = fmt.Sscan(string(value), &allowed, &left, &ms)
	return left, time.Duration(ms) * time.Millisecond, err
}
