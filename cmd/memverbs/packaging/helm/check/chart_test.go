package check

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
)

var (
	update = flag.Bool("update", false, "write rendered.yaml anew")
	folder = flag.String("chart", source, "folder of the chart")
)

// Where the chart is in this repository, and what Kubernetes gets of it with the default values.
const (
	source   = "../memverbs"
	rendered = "../rendered.yaml"
)

func load(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.Load(*folder)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// render returns what Kubernetes gets of the chart with some values, as the release "cache".
func render(values map[string]any, c *chart.Chart) (string, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = chartutil.KubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"}
	release := chartutil.ReleaseOptions{Name: "cache", Namespace: "default", IsInstall: true}
	all, err := chartutil.ToRenderValues(c, values, release, capabilities)
	if err != nil {
		return "", err
	}
	files, err := engine.Render(c, all)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(files[name]) != "" {
			text.WriteString("---\n# " + strings.TrimPrefix(name, c.Name()+"/templates/") + "\n" + strings.TrimSpace(files[name]) + "\n")
		}
	}
	return text.String(), nil
}

func TestHelmLint(t *testing.T) {
	result := lint.AllWithKubeVersion(*folder, nil, "default", &chartutil.KubeVersion{Version: "v1.30.0", Major: "1", Minor: "30"})
	for _, message := range result.Messages {
		if message.Severity > support.InfoSev {
			t.Error(message)
		}
	}
}

// Tests that need no Helm read what it makes of the chart.
func TestRendered(t *testing.T) {
	if *folder != source {
		t.Skip("a chart of a release has other versions")
	}
	got, err := render(nil, load(t))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(rendered, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(rendered); err != nil || !bytes.Equal(kept, []byte(got)) {
		t.Errorf("%s is not what the chart makes: run go test -update (%v)", rendered, err)
	}
}

// A value that has no meaning is refused, rather than left out of account.
func TestWrongValues(t *testing.T) {
	c := load(t)
	for _, values := range []map[string]any{
		{"replica": 3},
		{"memcached": map[string]any{"memory": "1g"}},
		{"settings": map[string]any{"pools": map[string]any{}}},
		{"settings": map[string]any{"drain": "1m"}},
		{"pool": map[string]any{"servers": []any{"10.0.0.1:11211"}}},
		{"scheduling": map[string]any{"containers": []any{}}},
	} {
		if _, err := render(values, c); err == nil {
			t.Errorf("the chart takes %v", values)
		}
	}
}
