package service

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// systemd notifies the service manager of what the process does, if the service asks for that
// (Type=notify or notify-reload, and WatchdogSec=).
type systemd struct {
	log    *slog.Logger
	status string // while clients are served
}

// serving reports that clients are served at addresses. For a successor, its predecessor reports
// that, because systemd accepts messages from the main process only.
func (m *systemd) serving(addresses []string, succeeds bool) {
	m.status = "serving clients at " + strings.Join(addresses, " ")
	if !succeeds {
		m.tell(daemon.SdNotifyReady, "STATUS="+m.status)
	}
}

// reload reports a reload while it runs. The function reload returns whether it has succeeded.
func (m *systemd) reload(reload func() bool) {
	m.tell(daemon.SdNotifyReloading, strings.TrimSpace(daemon.SdNotifyMonotonicUsec()), "STATUS=reading the file with the settings")
	status := m.status
	if !reload() {
		status += "; the file can't be used, see the log"
	}
	m.tell(daemon.SdNotifyReady, "STATUS="+status)
}

// succeeded reports that another process is the main one now.
func (m *systemd) succeeded(pid int) {
	m.tell(fmt.Sprintf("MAINPID=%d", pid), daemon.SdNotifyReady, "STATUS="+m.status)
}

// stopping reports that the process ends.
func (m *systemd) stopping() {
	m.tell(daemon.SdNotifyStopping, "STATUS=waiting for requests in flight")
}

// watch reports regularly that the process works, if systemd has asked for that. answers returns
// when all event loops have answered; while one does not, nothing is reported, and in the end
// systemd restarts the service.
func (m *systemd) watch(answers func()) {
	limit, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		m.log.Warn("systemd's watchdog can't be used", "error", err)
	}
	if limit == 0 || err != nil {
		return
	}
	go func() {
		for range time.Tick(limit / 2) {
			answers()
			m.tell(daemon.SdNotifyWatchdog)
		}
	}()
}

// tell sends a message. Without systemd it does nothing.
func (m *systemd) tell(lines ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(lines, "\n")); err != nil {
		m.log.Warn("systemd can't be told", "message", lines[0], "socket", os.Getenv("NOTIFY_SOCKET"), "error", err)
	}
}
