{{- define "labels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "name" -}}
{{ .root.Release.Name }}-{{ .name }}
{{- end }}
