package service

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The ballast takes no memory, even if Go allocates it where something was before.
func TestBallastTakesNoMemory(t *testing.T) {
	used := make([]byte, 2*ballastSize)
	for i := range used {
		used[i] = 1
	}
	used = nil
	runtime.GC()
	b := newBallast()
	pages := make([]byte, ballastSize/unix.Getpagesize())
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(b)), ballastSize, uintptr(unsafe.Pointer(unsafe.SliceData(pages)))); errno != 0 {
		t.Fatal(errno)
	}
	if slices.ContainsFunc(pages, func(page byte) bool { return page&1 != 0 }) {
		t.Error("the system provides pages for it")
	}
	runtime.KeepAlive(b)
}
