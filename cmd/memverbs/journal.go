package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
	"time"
)

// journal is a stream to systemd's journal, which reads the priority of a line at its beginning, as
// <4>, and notes when the line came.
type journal struct{ io.Writer }

// journalOr returns f, as a journal if it is the stream that systemd has opened for the service: a
// shell may have led it elsewhere since. The variable has the device and the number of that.
func journalOr(f *os.File) io.Writer {
	info, err := f.Stat()
	if err != nil {
		return f
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", stat.Dev, stat.Ino) {
		return journal{f}
	}
	return f
}

// toward returns w, as a journal if what is written to it ends there: if stderr is one.
func toward(stderr, w io.Writer) io.Writer {
	if _, is := stderr.(journal); is {
		return journal{w}
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

// printLine writes a line that is not of the log, with a priority if stderr is a journal.
func printLine(stderr io.Writer, level slog.Level, line string) {
	if _, is := stderr.(journal); is {
		line = priority(level) + line
	}
	fmt.Fprintln(stderr, line)
}

// journalHandler is a handler of a log whose lines go to the journal. It has one handler for each
// priority, by what these begin their lines with.
type journalHandler map[string]slog.Handler

// newJournalHandler returns the handler. of returns one that writes to w, a line at a time.
func newJournalHandler(j journal, of func(w io.Writer) slog.Handler) journalHandler {
	h := make(journalHandler)
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		begin := priority(level)
		h[begin] = of(&beginner{to: j.Writer, begin: begin})
	}
	return h
}

// Enabled implements slog.Handler.
func (h journalHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h[priority(level)].Enabled(ctx, level)
}

// Handle implements slog.Handler. Without a time the line has none.
func (h journalHandler) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{}
	return h[priority(r.Level)].Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h journalHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.each(func(one slog.Handler) slog.Handler { return one.WithAttrs(attrs) })
}

// WithGroup implements slog.Handler.
func (h journalHandler) WithGroup(name string) slog.Handler {
	return h.each(func(one slog.Handler) slog.Handler { return one.WithGroup(name) })
}

func (h journalHandler) each(do func(slog.Handler) slog.Handler) journalHandler {
	next := make(journalHandler)
	for begin, one := range h {
		next[begin] = do(one)
	}
	return next
}

// beginner writes each line with a beginning. Its user writes one line at a time.
type beginner struct {
	to    io.Writer
	begin string
	line  []byte
}

// Write implements io.Writer.
func (b *beginner) Write(line []byte) (int, error) {
	b.line = append(append(b.line[:0], b.begin...), line...)
	if _, err := b.to.Write(b.line); err != nil {
		return 0, err
	}
	return len(line), nil
}
