{{/* What the services are: the settings that come from a Secret (optionalSecrets: may be missing there), and what each may reach. */}}
{{- define "registry.services" -}}
gateway:
  secrets: [NATS_URL, ADMIN_KEY, ADMIN_TOKEN, REGISTRY_SECRET, WEBHOOK_SECRET]
  optionalSecrets: [REGISTRY_SECRET_PREVIOUS, WEBHOOK_SECRET_PREVIOUS, SMTP_URL, OTEL_EXPORTER_OTLP_HEADERS]
  reaches: [nats, outside]
registry-write:
  secrets: [NATS_URL, EVENT_LOG_URL, PERSONAL_DATA_DATABASE_URL, PERSONAL_DATA_KEY]
  optionalSecrets: [PERSONAL_DATA_KEY_PREVIOUS, OTEL_EXPORTER_OTLP_HEADERS]
  reaches: [nats, eventLog, postgres]
trust-projection:
  secrets: [NATS_URL, EVENT_LOG_URL, DATABASE_URL, PERSONAL_DATA_KEY, LOG_SIGNING_KEY, WEBHOOK_SECRET]
  optionalSecrets: [PERSONAL_DATA_KEY_PREVIOUS, LOG_SIGNING_KEY_PREVIOUS, WEBHOOK_SECRET_PREVIOUS, EMBEDDINGS_API_KEY, OTEL_EXPORTER_OTLP_HEADERS]
  reaches: [nats, eventLog, postgres, outside]
call-proxy:
  secrets: [NATS_URL, EVENT_LOG_URL]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  reaches: [nats, eventLog, outside]
pay-proxy:
  secrets: [NATS_URL, EVENT_LOG_URL]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  reaches: [nats, eventLog, outside]
{{- end -}}

{{- define "registry.name" -}}
{{- if contains "registry" .Release.Name }}{{ .Release.Name | trunc 36 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name "registry" | trunc 36 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "registry.selector" -}}
app.kubernetes.io/name: agent-trust-registry
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "registry.labels" -}}
{{ include "registry.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "registry.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Environment of a service: (dict "root" $ "service" name "facts" dict). Settings of a service win over those of all. */}}
{{- define "registry.environment" -}}
{{- $own := (index .root.Values.services .service).settings -}}
{{- /* Of both families where there are two: Linux hands an IPv4 connection to a socket of IPv6. */}}
{{- $host := ternary "::" "0.0.0.0" (has "IPv6" .root.Values.ipFamilies) -}}
{{- $chart := dict "HEALTH_PORT" "9000" "HEALTH_HOST" $host "BASE_URL" .root.Values.baseUrl "STOP_TIMEOUT_MS" (printf "%ds" (int (index .root.Values.services .service).stopSeconds)) -}}
{{- if eq .service "gateway" }}{{ $_ := set $chart "HOST" $host }}{{ $_ := set $chart "PORT" "8080" }}{{ end -}}
{{- if eq .service "registry-write" }}{{ $_ := unset $chart "BASE_URL" }}{{ end -}}
{{- range $name, $value := merge (dict) $chart $own .root.Values.settings }}
- name: {{ $name }}
  {{- /* A number of a values file is a float64, which would be written as 6.7108864e+07. */}}
  {{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}
  value: {{ int64 $value | quote }}
  {{- else }}
  value: {{ $value | toString | quote }}
  {{- end }}
{{- end }}
- name: NODE_OPTIONS
  value: --disable-warning=ExperimentalWarning --max-old-space-size-percentage={{ (index .root.Values.services .service).heapPercent }}
{{- if or .root.Values.caCertificates.configMap .root.Values.caCertificates.secret }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/agent-trust/ca/ca.crt
{{- end }}
{{- $secret := index .root.Values.existingSecrets .service }}
{{- range .facts.secrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- range .facts.optionalSecrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end -}}

{{/* What every pod has in common, below "spec". */}}
{{- define "registry.podDefaults" -}}
automountServiceAccountToken: false
serviceAccountName: {{ include "registry.name" . }}
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
  {{- if or .Values.caCertificates.configMap .Values.caCertificates.secret }}
  - name: ca
    {{- if .Values.caCertificates.configMap }}
    configMap: { name: {{ .Values.caCertificates.configMap }} }
    {{- else }}
    secret: { secretName: {{ .Values.caCertificates.secret }} }
    {{- end }}
  {{- end }}
{{- end -}}

{{/* What every container has in common. */}}
{{- define "registry.containerDefaults" -}}
image: {{ include "registry.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if or .Values.caCertificates.configMap .Values.caCertificates.secret }}
  - { name: ca, mountPath: /etc/agent-trust/ca, readOnly: true }
  {{- end }}
{{- end -}}

{{/* Families of a Service. Of two, the first is that of its main address. */}}
{{- define "registry.ipFamilies" -}}
{{- with .Values.ipFamilies }}
ipFamilyPolicy: {{ ternary "RequireDualStack" "SingleStack" (gt (len .) 1) }}
ipFamilies: {{ toJson . }}
{{- end }}
{{- end -}}

{{/* What reaches name servers. */}}
{{- define "registry.dnsEgress" -}}
- ports:
  {{- range .ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
  {{- end }}
  {{- with .to }}
  to: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
