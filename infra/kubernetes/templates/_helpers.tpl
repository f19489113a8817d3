{{- define "gantry.labels" -}}
app.kubernetes.io/name: gantry
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "gantry.selector" -}}
app.kubernetes.io/name: gantry
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gantry.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What all processes share. */}}
{{- define "gantry.environment" -}}
- name: GANTRY_PEPPER
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: pepper}}
- name: GANTRY_SECRET_KEY
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: secret-key}}
- name: DATASOURCES_DEFAULT_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .Values.secret }}, key: database-password}}
- name: GANTRY_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: GANTRY_AWS_REGION
  value: {{ .Values.s3.region | quote }}
- name: GANTRY_AWS_BUCKET
  value: {{ .Values.s3.bucket | quote }}
{{- with .Values.s3.endpoint }}
- name: AWS_ENDPOINT_URL_S3
  value: {{ . | quote }}
{{- end }}
{{- with .Values.s3.existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: {secretKeyRef: {name: {{ . }}, key: access-key-id}}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: {secretKeyRef: {name: {{ . }}, key: secret-access-key}}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "gantry.podSecurity" -}}
runAsNonRoot: true
runAsUser: 980
runAsGroup: 980
fsGroup: 980
{{- end }}

{{- define "gantry.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: {drop: [ALL]}
{{- end }}

{{- define "gantry.mounts" -}}
- {name: data, mountPath: /var/lib/gantry}
- {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "gantry.volumes" -}}
- {name: data, emptyDir: {}}
- {name: tmp, emptyDir: {}}
{{- end }}
