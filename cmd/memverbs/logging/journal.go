package logging

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
)

// Journal is a stream to systemd's journal, which reads the priority of a line at its beginning, as
// <4>, and notes when the line came.
type Journal struct{ io.Writer }

// Stream returns f, as a Journal if f is the stream that systemd has opened for the service; a shell may have
// redirected it since. JOURNAL_STREAM has the device and the inode of the stream that systemd has opened.
func Stream(f *os.File) io.Writer {
	info, err := f.Stat()
	if err != nil {
		return f
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", stat.Dev, stat.Ino) {
		return Journal{f}
	}
	return f
}

// Toward returns w, as a Journal if stderr is one, because what is written to w is written to
// stderr in the end.
func Toward(stderr, w io.Writer) io.Writer {
	if _, is := stderr.(Journal); is {
		return Journal{w}
	}
	return w
}

// priority is how a line for the journal begins.
func priority(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "<3>"
	case level >= slog.LevelWarn:
		return "<4>"
	case level >= slog.LevelInfo:
		return "<6>"
	}
	return "<7>"
}

// Print writes a line that is not part of the log, with a priority if stderr is a Journal.
func Print(stderr io.Writer, level slog.Level, line string) {
	if _, is := stderr.(Journal); is {
		line = priority(level) + line
	}
	fmt.Fprintln(stderr, line)
}
