package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// epolls are epoll descriptors of this process, in the order in which they are searched. They are
// listed once, so that the time of a start is proportional to the number of loops.
type epolls []int

// listEpolls returns all epoll descriptors of this process.
func listEpolls() (list epolls, err error) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if target, _ := os.Readlink("/proc/self/fd/" + entry.Name()); target == "anon_inode:[eventpoll]" {
			list = append(list, fd)
		}
	}
	return list, nil
}

// take returns the one that polls fd and one other descriptor, with that one, and removes it. Those before it are moved to
// the end: gnet has opened the descriptors of its loops one after another, so that the next one to be found is usually
// the first.
func (e *epolls) take(fd int) (poll, other int, err error) {
	for i, poll := range *e {
		all, err := polled(poll)
		if err != nil {
			return 0, 0, err
		}
		if at := slices.Index(all, fd); at >= 0 && len(all) == 2 {
			*e = slices.Concat((*e)[i+1:], (*e)[:i])
			return poll, all[1-at], nil
		}
	}
	return 0, 0, fmt.Errorf("no epoll descriptor of this process polls descriptor %d and one other", fd)
}

// polled returns what an epoll descriptor polls; nothing if it has been closed meanwhile.
func polled(poll int) (all []int, err error) {
	info, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", poll))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(info)) {
		var fd int
		if n, _ := fmt.Sscanf(line, "tfd: %d", &fd); n == 1 {
			all = append(all, fd)
		}
	}
	return all, nil
}
