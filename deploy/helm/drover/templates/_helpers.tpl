{{- define "drover.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "drover.account" -}}
{{- if .Values.serviceAccount.name -}}
{{- .Values.serviceAccount.name -}}
{{- else if .Values.serviceAccount.create -}}
{{- include "drover.name" . -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{- define "drover.selector" -}}
app.kubernetes.io/name: drover
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "drover.labels" -}}
{{ include "drover.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "drover.leads" -}}
{{- if or .Values.leaderElection.enabled (gt (int .Values.replicas) 1) -}}true{{- end -}}
{{- end -}}

{{- /* Whether this cluster is one of those that are watched. */ -}}
{{- define "drover.local" -}}
{{- range .Values.members -}}{{- if .inCluster -}}true{{- end -}}{{- end -}}
{{- end -}}

{{- /* What rights are for: one file of files/rights for each of them. */ -}}
{{- define "drover.purposes" -}}
{{- $purposes := list "observing" "measuring" "freezing" -}}
{{- if not .Values.freezes.enabled -}}{{- $purposes = without $purposes "freezing" -}}{{- end -}}
{{- if .Values.objects.enabled -}}{{- $purposes = append $purposes "defining" -}}{{- end -}}
{{- if .Values.act -}}
{{- $purposes = concat $purposes (list "looking" "scaling" "relocating") -}}
{{- if .Values.karmada.secret -}}{{- $purposes = append $purposes "moving" -}}{{- else -}}{{- $purposes = append $purposes "copying" -}}{{- end -}}
{{- if .Values.rights.nodeObjects -}}{{- $purposes = append $purposes "node-objects" -}}{{- end -}}
{{- if .Values.rights.machines -}}{{- $purposes = append $purposes "machines" -}}{{- end -}}
{{- if .Values.rights.nodePools -}}{{- $purposes = append $purposes "node-pools" -}}{{- end -}}
{{- if .Values.events -}}{{- $purposes = append $purposes "telling" -}}{{- end -}}
{{- if .Values.freezes.enabled -}}{{- $purposes = append $purposes "answering" -}}{{- end -}}
{{- if .Values.objects.enabled -}}{{- $purposes = append $purposes "confirming" -}}{{- end -}}
{{- end -}}
{{- if include "drover.leads" . -}}{{- $purposes = append $purposes "leading" -}}{{- end -}}
{{- join " " $purposes -}}
{{- end -}}

{{- /* The rules of a place, from the files that the program itself writes. */ -}}
{{- define "drover.rules" -}}
{{- $files := .context.Files -}}{{- $site := .site -}}
{{- range splitList " " (include "drover.purposes" .context) -}}
{{- $files.Get (printf "files/rights/%s-%s.yaml" $site .) -}}
{{- end -}}
{{- end -}}

{{- define "drover.check" -}}
{{- if and (gt (int .Values.replicas) 1) (not .Values.storage.postgres.secret) -}}
{{- fail "replicas: a file cannot be shared by several replicas; name a database under storage.postgres.secret, or write replicas: 1" -}}
{{- end -}}
{{- if not .Values.members -}}
{{- fail "members: there is nothing to watch; name at least one cluster" -}}
{{- end -}}
{{- range .Values.members -}}
{{- if and (not .inCluster) (not .secret) -}}
{{- fail (printf "members: say how %s is reached: inCluster: true, or secret: <a Secret with a kubeconfig>" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The desk's file: what this chart knows, and what the values add. */ -}}
{{- define "drover.desk" -}}
{{- $members := list -}}
{{- range .Values.members -}}
{{- if .inCluster -}}
{{- $members = append $members (dict "name" .name "in_cluster" true) -}}
{{- else -}}
{{- $member := dict "name" .name "kubeconfig" (printf "clusters/%s/kubeconfig" .name) -}}
{{- if .context -}}{{- $_ := set $member "context" .context -}}{{- end -}}
{{- $members = append $members $member -}}
{{- end -}}
{{- end -}}
{{- $kubernetes := dict "act" .Values.act "events" .Values.events "members" $members -}}
{{- if .Values.karmada.secret -}}
{{- $karmada := dict "kubeconfig" "clusters/karmada/kubeconfig" -}}
{{- if .Values.karmada.context -}}{{- $_ := set $karmada "context" .Values.karmada.context -}}{{- end -}}
{{- $_ := set $kubernetes "karmada" $karmada -}}
{{- end -}}
{{- if .Values.prometheus -}}{{- $_ := set $kubernetes "prometheus" .Values.prometheus -}}{{- end -}}
{{- if .Values.rights.nodeObjects -}}{{- $_ := set $kubernetes "pretended_nodes" true -}}{{- end -}}
{{- if include "drover.leads" . -}}
{{- $_ := set $kubernetes "leader_election" (dict "namespace" .Release.Namespace "name" (include "drover.name" .)) -}}
{{- end -}}
{{- if .Values.freezes.enabled -}}{{- $_ := set $kubernetes "freezes" (dict "namespace" .Release.Namespace) -}}{{- end -}}
{{- if .Values.objects.enabled -}}{{- $_ := set $kubernetes "objects" (dict "namespace" .Release.Namespace) -}}{{- end -}}
{{- $storage := ternary "env:DROVER_STORAGE" "sqlite:/var/lib/drover/drover.db" (ne .Values.storage.postgres.secret "") -}}
{{- $desk := dict "drover" "desk/v1" "listen" "0.0.0.0:8080" "storage" $storage "world" (dict "scenario" "scenario.yaml" "kubernetes" $kubernetes) -}}
{{- if .Values.serviceMonitor.enabled -}}{{- $_ := set $desk "access" (dict "open_metrics" true) -}}{{- end -}}
{{- toYaml (mergeOverwrite $desk (deepCopy .Values.desk)) -}}
{{- end -}}
