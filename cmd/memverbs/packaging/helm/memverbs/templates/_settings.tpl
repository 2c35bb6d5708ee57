{{/* The file memverbs.yml. */}}
{{- define "memverbs.settings" -}}
{{- $own := printf "srv:_memcache._tcp.%s.%s.svc.%s" (include "memverbs.memcached" .) .Release.Namespace .Values.clusterDomain }}
{{- $servers := .Values.servers | default (list $own) }}
{{- $pool := merge (dict "listen" (list ":11211") "servers" $servers) .Values.pool }}
{{- $top := dict "admin" ":9151" "drain" (printf "%ds" (int .Values.shutdown.drain)) "pools" (dict "main" $pool) }}
{{- merge $top .Values.settings | toYaml }}
{{- end }}
