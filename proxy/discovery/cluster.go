package discovery

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// clusterAsker asks a cluster, as Amazon's ElastiCache has them, for its configuration:
//
//	config get cluster
//	CONFIG cluster 0 87
//	12
//	cache-1.example.com|10.0.0.1|11211 cache-2.example.com|10.0.0.2|11211
//
//	END
//
// The first line of the data is its version. The servers follow, each with its name, its address and its port. A server
// that is replaced keeps its name, so that is what identifies it; a server without a name is identified by its address.
type clusterAsker struct {
	address string
	dial    func(ctx context.Context) (net.Conn, error)
}

// longestConfiguration is the longest configuration that is read, in bytes.
const longestConfiguration = 64 << 10

// Ask implements [Asker].
func (a *clusterAsker) Ask(ctx context.Context) (Answer, error) {
	conn, err := a.dial(ctx)
	if err != nil {
		return Answer{}, fmt.Errorf("%s can't be reached: %w", a.address, err)
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := io.WriteString(conn, "config get cluster\r\n"); err != nil {
		return Answer{}, fmt.Errorf("%s can't be asked: %w", a.address, err)
	}
	text, err := readConfiguration(bufio.NewReader(io.LimitReader(conn, longestConfiguration)))
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", a.address, err)
	}
	return parseConfiguration(text)
}

// readConfiguration reads the answer to config get cluster, and returns its data.
func readConfiguration(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("no answer to config get cluster: %w", err)
	}
	var flags, size int
	if n, _ := fmt.Sscanf(line, "CONFIG cluster %d %d\r\n", &flags, &size); n < 2 {
		return "", fmt.Errorf("config get cluster is answered by %.60q; give the endpoint of a cluster that tells its servers", strings.TrimSpace(line))
	}
	if size < 0 || size > longestConfiguration {
		return "", fmt.Errorf("the configuration has %d bytes", size)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(in, data); err != nil {
		return "", fmt.Errorf("the configuration is cut off: %w", err)
	}
	return string(data), nil
}

// parseConfiguration returns the servers in a configuration.
func parseConfiguration(text string) (Answer, error) {
	first, rest, _ := strings.Cut(text, "\n")
	version, err := strconv.ParseUint(strings.TrimSpace(first), 10, 64)
	if err != nil {
		return Answer{}, errors.New("the configuration does not begin with a version")
	}
	var servers []string
	for _, word := range strings.Fields(rest) {
		parts := strings.Split(word, "|")
		if len(parts) != 3 {
			return Answer{}, fmt.Errorf("the configuration has %.60q, which is not name|address|port", word)
		}
		servers = append(servers, net.JoinHostPort(cmp.Or(strings.ToLower(strings.TrimSuffix(parts[0], ".")), parts[1]), parts[2]))
	}
	a, err := newAnswer(servers, 0)
	a.Version = version
	return a, err
}
