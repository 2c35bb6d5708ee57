package check

import (
	"fmt"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/kubernetes/scheme"
	security "k8s.io/pod-security-admission/api"
	standards "k8s.io/pod-security-admission/policy"
)

// variants are values with which each line of the templates is used.
var variants = map[string]map[string]any{
	"default": nil,
	"all": {
		"secret":           "secrets",
		"imagePullSecrets": []any{map[string]any{"name": "registry"}},
		"service":          map[string]any{"type": "LoadBalancer", "annotations": map[string]any{"internal": "yes"}},
		"serviceMonitor":   map[string]any{"enabled": true, "labels": map[string]any{"release": "prometheus"}},
		"scheduling":       map[string]any{"priorityClassName": "high", "nodeSelector": map[string]any{"disk": "none"}},
		"memcached":        map[string]any{"flags": []any{"-I", "4m"}, "scheduling": map[string]any{"priorityClassName": "high"}},
	},
	"elsewhere": {"servers": []any{"10.0.0.1:11211"}, "shutdown": map[string]any{"pause": 0}},
}

// objects are what Kubernetes gets, by kind and name.
type objects map[string]runtime.Object

// read decodes as an API server does that refuses unknown fields.
func read(t *testing.T, text string) objects {
	t.Helper()
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, monitoring.AddToScheme} {
		if err := add(known); err != nil {
			t.Fatal(err)
		}
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, known, known, json.SerializerOptions{Yaml: true, Strict: true})
	all := objects{}
	for document := range strings.SplitSeq(strings.TrimPrefix(text, "---\n"), "\n---\n") {
		object, kind, err := decoder.Decode([]byte(document), nil, nil)
		if err != nil {
			t.Fatalf("%v:\n%s", err, document)
		}
		name := fmt.Sprintf("%s %s", kind.Kind, object.(interface{ GetName() string }).GetName())
		if all[name] != nil {
			t.Errorf("there are two of %s", name)
		}
		all[name] = object
	}
	return all
}

// pods returns the templates of pods.
func (all objects) pods() (list []core.PodTemplateSpec) {
	for _, object := range all {
		switch o := object.(type) {
		case *apps.Deployment:
			list = append(list, o.Spec.Template)
		case *apps.StatefulSet:
			list = append(list, o.Spec.Template)
		}
	}
	return list
}

// each runs a test with the objects of each variant.
func each(t *testing.T, test func(t *testing.T, all objects)) {
	t.Helper()
	for name, values := range variants {
		t.Run(name, func(t *testing.T) {
			text, err := render(values, load(t))
			if err != nil {
				t.Fatal(err)
			}
			test(t, read(t, text))
		})
	}
}

func TestObjects(t *testing.T) {
	proxies := []string{"ConfigMap cache-memverbs", "Deployment cache-memverbs", "PodDisruptionBudget cache-memverbs", "Service cache-memverbs"}
	memcacheds := []string{"StatefulSet cache-memverbs-memcached", "PodDisruptionBudget cache-memverbs-memcached", "Service cache-memverbs-memcached"}
	monitor := []string{"ServiceMonitor cache-memverbs", "Service cache-memverbs-metrics"}
	each(t, func(t *testing.T, all objects) {
		expected := proxies
		if !strings.HasSuffix(t.Name(), "/elsewhere") {
			expected = append(expected[:len(expected):len(expected)], memcacheds...)
		}
		if strings.HasSuffix(t.Name(), "/all") {
			expected = append(expected, monitor...)
		}
		for _, name := range expected {
			if all[name] == nil {
				t.Errorf("there is no %s", name)
			}
		}
		if len(all) != len(expected) {
			t.Errorf("there are %d objects, expected %d", len(all), len(expected))
		}
	})
}

// Namespaces that enforce the strictest of Kubernetes' standards take the pods.
func TestPodsAreRestricted(t *testing.T) {
	evaluator, err := standards.NewEvaluator(standards.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, all objects) {
		for _, pod := range all.pods() {
			level := security.LevelVersion{Level: security.LevelRestricted, Version: security.LatestVersion()}
			for _, result := range evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec) {
				if !result.Allowed {
					t.Error(result.ForbiddenReason, result.ForbiddenDetail)
				}
			}
			for _, container := range pod.Spec.Containers {
				if read := container.SecurityContext.ReadOnlyRootFilesystem; read == nil || !*read {
					t.Errorf("%s may write to its files", container.Name)
				}
			}
		}
	})
}

// Each selector is for the pods of one template, and names of ports are those of their containers.
func TestSelectors(t *testing.T) {
	each(t, func(t *testing.T, all objects) {
		for name, object := range all {
			switch o := object.(type) {
			case *core.Service:
				pod := all.selected(t, name, o.Spec.Selector)
				for _, port := range o.Spec.Ports {
					if !opens(pod, port.TargetPort.StrVal) {
						t.Errorf("%s leads to a port %s that there is not", name, port.TargetPort.StrVal)
					}
				}
			case *policy.PodDisruptionBudget:
				all.selected(t, name, o.Spec.Selector.MatchLabels)
			case *apps.Deployment:
				all.selected(t, name, o.Spec.Selector.MatchLabels)
				all.selected(t, name, o.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels)
			case *apps.StatefulSet:
				all.selected(t, name, o.Spec.Selector.MatchLabels)
				all.selected(t, name, o.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels)
			}
		}
	})
}

// selected returns the one template whose pods are selected.
func (all objects) selected(t *testing.T, name string, selector map[string]string) core.PodTemplateSpec {
	t.Helper()
	var found []core.PodTemplateSpec
	for _, pod := range all.pods() {
		if labels.SelectorFromSet(selector).Matches(labels.Set(pod.Labels)) {
			found = append(found, pod)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s selects the pods of %d templates", name, len(found))
	}
	return found[0]
}

func opens(pod core.PodTemplateSpec, name string) bool {
	for _, container := range pod.Spec.Containers {
		for _, port := range container.Ports {
			if port.Name == name {
				return true
			}
		}
	}
	return false
}

// A version may have a plus, and the value of a label may not.
func TestLabels(t *testing.T) {
	each(t, func(t *testing.T, all objects) {
		for name, object := range all {
			for label, value := range object.(interface{ GetLabels() map[string]string }).GetLabels() {
				for _, wrong := range validation.IsValidLabelValue(value) {
					t.Errorf("%s: label %s is %q: %s", name, label, value, wrong)
				}
			}
		}
	})
}

// The monitor finds the service of the metrics, and no other.
func TestMonitor(t *testing.T) {
	text, err := render(variants["all"], load(t))
	if err != nil {
		t.Fatal(err)
	}
	all := read(t, text)
	monitor := all["ServiceMonitor cache-memverbs"].(*monitoring.ServiceMonitor)
	var found []string
	for _, object := range all {
		if service, ok := object.(*core.Service); ok && labels.SelectorFromSet(monitor.Spec.Selector.MatchLabels).Matches(labels.Set(service.Labels)) {
			found = append(found, service.Name+" "+service.Spec.Ports[0].Name)
		}
	}
	if len(found) != 1 || found[0] != "cache-memverbs-metrics "+monitor.Spec.Endpoints[0].Port {
		t.Errorf("the monitor finds %v", found)
	}
}

// A proxy has the time to end as it should, whatever it is told.
func TestGrace(t *testing.T) {
	text, err := render(map[string]any{"shutdown": map[string]any{"pause": 20, "drain": 40}}, load(t))
	if err != nil {
		t.Fatal(err)
	}
	all := read(t, text)
	pod := all["Deployment cache-memverbs"].(*apps.Deployment).Spec.Template.Spec
	if grace := *pod.TerminationGracePeriodSeconds; grace != 65 || pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds != 20 {
		t.Errorf("a proxy has %d seconds to end", grace)
	}
	if settings := all["ConfigMap cache-memverbs"].(*core.ConfigMap).Data["memverbs.yml"]; !strings.Contains(settings, "\ndrain: 40s\n") {
		t.Errorf("the settings are %s", settings)
	}
}
