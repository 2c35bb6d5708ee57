{{/* What everything of a release is named after. */}}
{{- define "memverbs.name" -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) | trunc 42 | trimSuffix "-" }}
{{- end }}

{{- define "memverbs.memcached" -}}
{{ include "memverbs.name" . }}-memcached
{{- end }}

{{/* Labels by which pods are found: of the proxies, of the memcacheds. They must never change. */}}
{{- define "memverbs.proxies" -}}
app.kubernetes.io/name: memverbs
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: proxy
{{- end }}

{{- define "memverbs.memcacheds" -}}
app.kubernetes.io/name: memverbs
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: memcached
{{- end }}

{{/* Labels that tell where an object comes from. They cannot have the plus of a version between releases. */}}
{{- define "memverbs.origin" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}
