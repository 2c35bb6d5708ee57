// Package logging writes the log in the form that the settings ask for, with priorities if systemd's journal
// reads it, and without ever blocking the code that logs.
//
// If an event loop waited for a log line to be written, all its clients would wait for
// whoever reads the pipe at the other end. So lines are queued in memory, and one
// goroutine writes them. A line is lost if the queue is full or the write fails. Lost
// lines are counted, and when the log accepts lines again, one of them reports how many
// were lost.
//
//	slog.Logger ──▶ text or JSON ──▶ Queue ──▶ standard error
//	                 with <4> before each line if that is a journal
//
// # Files, from the top down
//
//	logger.go     the form of lines
//	handler.go    a log whose lines have priorities
//	journal.go    whether standard error is the journal, and lines that are not of the log
//	linequeue.go  writing without blocking
package logging
