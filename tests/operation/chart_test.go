package operation

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/nameserver"
)

// manifest is what this test reads of the objects that Kubernetes gets.
type manifest struct {
	Kind string
	Data map[string]string
	Spec struct{ Template struct{ Spec pod } }
}

type pod struct{ Containers []container }

type container struct {
	Args      []string
	Readiness probe `yaml:"readinessProbe"`
	Liveness  probe `yaml:"livenessProbe"`
}

type probe struct {
	HTTP struct{ Path string } `yaml:"httpGet"`
}

// chart returns what Helm makes of the chart: the settings, and how a proxy is started.
func chart(t *testing.T) (settings string, proxy container) {
	t.Helper()
	text, err := os.ReadFile("../../cmd/memverbs/packaging/helm/rendered.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var m manifest
		if err := yaml.Unmarshal(document, &m); err != nil {
			t.Fatal(err)
		}
		switch m.Kind {
		case "ConfigMap":
			settings = m.Data["memverbs.yml"]
		case "Deployment":
			proxy = m.Spec.Template.Spec.Containers[0]
		}
	}
	return settings, proxy
}

var source = regexp.MustCompile(`srv:(_memcache\._tcp\.(\S+))`)

// A proxy that Kubernetes starts by the chart finds the memcacheds of its stateful set by their names, and passes the
// probes. The cluster is a name server that has what Kubernetes lists of a service without an address of its own.
func TestChart(t *testing.T) {
	t.Parallel()
	settings, proxy := chart(t)
	found := source.FindStringSubmatch(settings)
	if found == nil {
		t.Fatalf("the settings have no source of servers:\n%s", settings)
	}
	names := nameserver.Start(t)
	var records []string
	for i := range 2 {
		_, port, _ := net.SplitHostPort(harness.StartMemcached(t, harness.Newest).Addr)
		host := fmt.Sprintf("cache-memverbs-memcached-%d.%s.", i, found[2])
		names.SetAddresses(t, host, "127.0.0.1")
		records = append(records, "5 SRV 0 50 "+port+" "+host)
	}
	names.Set(t, found[1]+".", "SRV", records...)

	clients, admin := harness.FreeAddr(t), harness.FreeAddr(t)
	here := strings.NewReplacer("- :11211\n", fmt.Sprintf("- %q\n", clients), "admin: :9151\n", fmt.Sprintf("admin: %q\n", admin),
		"log-format: json\n", "", // which the harness does not read
		"    layout:", fmt.Sprintf("    resolver: %q\n    layout:", names.Addr)).Replace(settings)
	file := filepath.Join(t.TempDir(), "memverbs.yml")
	writeText(t, file, here)
	if expected := []string{"--config", "/etc/memverbs/memverbs.yml"}; !slices.Equal(proxy.Args, expected) {
		t.Errorf("the arguments are %q", proxy.Args)
	}
	harness.StartMemverbsWith(t, file, clients)
	for _, path := range []string{proxy.Readiness.HTTP.Path, proxy.Liveness.HTTP.Path} {
		harness.Await(t, path+" to be answered with 200", func() bool {
			code, _ := fetch(t, "http://"+admin+path)
			return path != "" && code == 200
		})
	}
	c := harness.Dial(t, clients)
	c.Ask("sadd fruits apple\r\n", "STORED\r\n")
	for i := range 20 {
		c.Ask(fmt.Sprintf("set key%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
}
