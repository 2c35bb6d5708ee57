package transport

import (
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// The descriptor after the one that was found is looked at first, so that each loop is found at
// once although there are others.
func TestEpollsAreLookedAtInTurn(t *testing.T) {
	t.Parallel()
	var list epolls
	var polled, others []int
	for range 4 {
		poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Close(poll) }()
		for _, fds := range []*[]int{&polled, &others} {
			fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
			if err == nil {
				defer func() { _ = unix.Close(fd) }()
				err = unix.EpollCtl(poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
			}
			if err != nil {
				t.Fatal(err)
			}
			*fds = append(*fds, fd)
		}
		list = append(list, poll)
	}
	all, err := listEpolls()
	if err != nil {
		t.Fatal(err)
	}
	for _, poll := range list {
		if !slices.Contains(all, poll) {
			t.Errorf("the epoll descriptor %d is not among %v", poll, all)
		}
	}
	first := slices.Clone(list)
	for _, c := range []struct {
		take int
		left epolls
	}{{1, epolls{first[2], first[3], first[0]}}, {2, epolls{first[3], first[0]}}, {0, epolls{first[3]}}} {
		if poll, other, err := list.take(polled[c.take]); err != nil || poll != first[c.take] || other != others[c.take] || !slices.Equal(list, c.left) {
			t.Errorf("of descriptor %d: %d, %d, %v, and left are %v, expected %d, %d and %v", polled[c.take], poll, other, err, list, first[c.take], others[c.take], c.left)
		}
	}
	if _, _, err := list.take(polled[0]); err == nil {
		t.Error("one was found that had been taken")
	}
}
