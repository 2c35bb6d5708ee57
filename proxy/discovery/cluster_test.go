package discovery

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// configuration returns an answer to config get cluster with this data.
func configuration(data string) string {
	return fmt.Sprintf("CONFIG cluster 0 %d\r\n%s\r\nEND\r\n", len(data), data)
}

// What a cluster answers becomes a list of servers with a version, or an error.
func TestConfigurations(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		configuration("12\ncache-2.test|10.0.0.2|11211 Cache-1.test|10.0.0.1|11211\n"): "12 cache-1.test:11211 cache-2.test:11211",
		configuration("1\r\n|10.0.0.2|11211 |fd00::1|11212\r\n"):                       "1 10.0.0.2:11211 [fd00::1]:11212",
		configuration("3\n\n"):            "the answer has no servers",
		configuration("a|b|1\n"):          "does not begin with a version",
		configuration("3\na|b\n"):         `"a|b", which is not name|address|port`,
		configuration("3\na|b|x\n"):       "what is no server",
		configuration("3\na|b|99999\n"):   "what is no server",
		"ERROR\r\n":                       `is answered by "ERROR"`,
		"END\r\n":                         `is answered by "END"`,
		"CONFIG cluster 0 9999999\r\n":    "the configuration has 9999999 bytes",
		"CONFIG cluster 0 -1\r\n":         "the configuration has -1 bytes",
		"CONFIG cluster 0 100\r\n1\n":     "the configuration is cut off",
		"":                                "no answer to config get cluster",
		strings.Repeat("x", 1<<20):        "no answer to config get cluster",
		configuration("3\n" + crowd(600)): "the answer has 600 servers",
	} {
		a := clusterAsker{"endpoint:1", func(context.Context) (net.Conn, error) {
			near, far := net.Pipe()
			go func() {
				_, _ = bufio.NewReader(far).ReadString('\n')
				_, _ = io.WriteString(far, answer)
				_ = far.Close()
			}()
			return near, nil
		}}
		got, err := a.Ask(t.Context())
		if text := fmt.Sprint(got.Version, " ", strings.Join(got.Servers, " ")); err == nil && text != want {
			t.Errorf("%.60q: %s, expected %s", answer, text, want)
		} else if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, expected %s", answer, err, want)
		}
	}
}

func crowd(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "cache-%d.test|10.0.0.1|11211 ", i)
	}
	return b.String()
}

// A cluster that does not answer is given up when the time is over.
func TestSilentCluster(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	a := clusterAsker{"endpoint:1", func(context.Context) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			_, _ = bufio.NewReader(far).ReadString('\n')
			cancel()
		}()
		return near, nil
	}}
	if _, err := a.Ask(ctx); err == nil {
		t.Error("there is an answer")
	}
}
