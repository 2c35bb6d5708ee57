package structures

import (
	"fmt"
	"sync"
)

// diary is what is known of a set that one writer adds numbered batches of
// members to. It may vanish at any time, and begins again with the next batch.
//
// If a set begins with a batch, there was no set just before that batch. So if one
// reader sees the set begin with a batch, and another one sees that batch together
// with an earlier one, then one of the two has seen half a set.
type diary struct {
	key string

	mu           sync.Mutex
	next         int
	acknowledged int          // the last batch that was acknowledged, -1 for none
	doubtful     map[int]bool // batches that were not acknowledged, and may be there or not
	begins       map[int]bool
	follows      map[int]bool
}

func newDiary(key string) *diary {
	return &diary{key: key, acknowledged: -1, doubtful: map[int]bool{}, begins: map[int]bool{}, follows: map[int]bool{}}
}

// begin returns the number of the next batch.
func (d *diary) begin() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.doubtful[d.next] = true
	d.next++
	return d.next - 1
}

// end enters whether batch n was acknowledged.
func (d *diary) end(n int, stored bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if stored {
		delete(d.doubtful, n)
		d.acknowledged = n
	}
}

// last returns the last batch that was acknowledged, -1 for none.
func (d *diary) last() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.acknowledged
}

// check checks the members of a set that was there after a batch had been
// acknowledged.
func (d *diary) check(acknowledged int, members []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := -1
	for len(members) > 0 {
		var batch, i, size int
		fmt.Sscanf(members[0], "%d.%d.%d.", &batch, &i, &size)
		if size == 0 || size > len(members) {
			return fmt.Errorf("batch %d has not all of its %d members", batch, size)
		}
		for i, member := range members[:size] {
			var b, n, s int
			if fmt.Sscanf(member, "%d.%d.%d.", &b, &n, &s); b != batch || n != i || s != size {
				return fmt.Errorf("member %d of batch %d is %s", i, batch, member)
			}
		}
		members = members[size:]
		if err := d.place(batch, last); err != nil {
			return err
		}
		last = batch
	}
	if last < acknowledged {
		return fmt.Errorf("it ends with batch %d", last)
	}
	return nil
}

// place notes that a set has been seen in which batch follows before, or with which it begins if before is -1.
func (d *diary) place(batch, before int) error {
	if before < 0 {
		d.begins[batch] = true
	} else {
		d.follows[batch] = true
		for missing := before + 1; missing < batch; missing++ {
			if !d.doubtful[missing] {
				return fmt.Errorf("batch %d comes behind %d", batch, before)
			}
		}
	}
	if d.begins[batch] && d.follows[batch] {
		return fmt.Errorf("a set that begins with batch %d is half of one that was seen", batch)
	}
	return nil
}
