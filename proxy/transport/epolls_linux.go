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

// take returns the one that polls fd, and removes it. Those before it are moved to the end: gnet
// has opened the descriptors of its loops one after another, so that the next one to be found is
// usually the first.
func (e *epolls) take(fd int) (int, error) {
	for i, poll := range *e {
		switch there, err := polls(poll, fd); {
		case err != nil:
			return 0, err
		case there:
			*e = slices.Concat((*e)[i+1:], (*e)[:i])
			return poll, nil
		}
	}
	return 0, fmt.Errorf("no epoll descriptor of this process polls descriptor %d", fd)
}

// polls reports whether an epoll descriptor polls fd; not if it has been closed meanwhile.
func polls(poll, fd int) (bool, error) {
	info, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", poll))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(info)) {
		var polled int
		if n, _ := fmt.Sscanf(line, "tfd: %d", &polled); n == 1 && polled == fd {
			return true, nil
		}
	}
	return false, nil
}
