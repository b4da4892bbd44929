//! The products a bed is made of: which versions, how they are built, and what they bring besides programs.

use model::hash::ContentHash;

/// One product, with a small Go module of ours that pins it and everything it needs.
pub struct Product {
    pub name: &'static str,
    pub version: &'static str,
    /// The Go module that the product is.
    pub(crate) module: &'static str,
    pub(crate) go_mod: &'static str,
    pub(crate) go_sum: &'static str,
    /// Variables of the program that hold its version.
    stamps: &'static [&'static str],
    tools: &'static [Tool],
    /// Files of the module that are needed beside the programs; a folder means the YAML files in it and below.
    pub(crate) assets: &'static [&'static str],
}

/// One program of a product.
pub struct Tool {
    pub name: &'static str,
    pub(crate) package: &'static str,
    /// How it is asked for its version.
    pub(crate) version_argument: &'static str,
}

impl Product {
    pub fn tools(&self) -> &'static [Tool] {
        self.tools
    }

    /// Changes whenever a program would turn out differently.
    pub(crate) fn key(&self) -> String {
        let parts = (self.go_mod, self.go_sum, self.link_flags(), self.assets);
        format!("{}-{}-{}", self.name, self.version, ContentHash::of(&parts).short())
    }

    /// Without symbols, which halves the size; with the version, which servers tell their clients.
    pub(crate) fn link_flags(&self) -> String {
        let stamps = self.stamps.iter().map(|variable| format!(" -X {variable}=v{}", self.version));
        format!("-s -w{}", stamps.collect::<String>())
    }

    /// Major and minor version: programs of one line are interchangeable here.
    pub(crate) fn line(&self) -> &str {
        self.version.rsplit_once('.').map_or(self.version, |(line, _)| line)
    }
}

/// A program and the product it belongs to.
pub(crate) fn find(program: &str) -> Option<(&'static Product, &'static Tool)> {
    let all = PRODUCTS.iter().flat_map(|product| product.tools.iter().map(move |tool| (product, tool)));
    all.into_iter().find(|(_, tool)| tool.name == program)
}

macro_rules! pinned {
    ($name:literal) => {
        (
            include_str!(concat!("../modules/", $name, "/go.mod")),
            include_str!(concat!("../modules/", $name, "/go.sum")),
        )
    };
}

const KUBERNETES: (&str, &str) = pinned!("kubernetes");
const ETCD: (&str, &str) = pinned!("etcd");
const KWOK: (&str, &str) = pinned!("kwok");
const KARMADA: (&str, &str) = pinned!("karmada");
const KUBE_STATE_METRICS: (&str, &str) = pinned!("kube-state-metrics");
const METRICS_SERVER: (&str, &str) = pinned!("metrics-server");
const HELM: (&str, &str) = pinned!("helm");

const fn tool(name: &'static str, package: &'static str, version_argument: &'static str) -> Tool {
    Tool { name, package, version_argument }
}

pub const PRODUCTS: &[Product] = &[
    Product {
        name: "etcd",
        version: "3.6.16",
        module: "go.etcd.io/etcd/server/v3",
        go_mod: ETCD.0,
        go_sum: ETCD.1,
        stamps: &[],
        tools: &[tool("etcd", "go.etcd.io/etcd/server/v3", "--version")],
        assets: &[],
    },
    Product {
        name: "kubernetes",
        version: "1.35.8",
        module: "k8s.io/kubernetes",
        go_mod: KUBERNETES.0,
        go_sum: KUBERNETES.1,
        stamps: &["k8s.io/component-base/version.gitVersion", "k8s.io/client-go/pkg/version.gitVersion"],
        tools: &[
            tool("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "--version"),
            tool("kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", "--version"),
            tool("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler", "--version"),
            tool("kubectl", "k8s.io/kubernetes/cmd/kubectl", "version"),
        ],
        assets: &[],
    },
    Product {
        name: "kwok",
        version: "0.8.0",
        module: "sigs.k8s.io/kwok",
        go_mod: KWOK.0,
        go_sum: KWOK.1,
        stamps: &["sigs.k8s.io/kwok/pkg/consts.Version"],
        tools: &[tool("kwok", "sigs.k8s.io/kwok/cmd/kwok", "--version")],
        assets: &[
            "kustomize/stage/node/fast/node-initialize.yaml",
            "kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
            "kustomize/stage/pod/fast/pod-complete.yaml",
            "kustomize/stage/pod/fast/pod-delete.yaml",
            "kustomize/metrics/usage/usage-from-annotation.yaml",
            "kustomize/metrics/resource/metrics-resource.yaml",
        ],
    },
    Product {
        name: "karmada",
        version: "1.18.2",
        module: "github.com/karmada-io/karmada",
        go_mod: KARMADA.0,
        go_sum: KARMADA.1,
        stamps: &["github.com/karmada-io/karmada/pkg/version.gitVersion"],
        tools: &[
            tool(
                "karmada-aggregated-apiserver",
                "github.com/karmada-io/karmada/cmd/aggregated-apiserver",
                "version",
            ),
            tool(
                "karmada-controller-manager",
                "github.com/karmada-io/karmada/cmd/controller-manager",
                "version",
            ),
            tool("karmada-scheduler", "github.com/karmada-io/karmada/cmd/scheduler", "version"),
            tool("karmada-webhook", "github.com/karmada-io/karmada/cmd/webhook", "version"),
            tool("karmadactl", "github.com/karmada-io/karmada/cmd/karmadactl", "version"),
        ],
        assets: &[
            "charts/karmada/_crds/bases",
            "artifacts/deploy/webhook-configuration.yaml",
            "artifacts/deploy/admin-clusterrole-aggregation.yaml",
            "artifacts/deploy/cluster-proxy-admin-rbac.yaml",
        ],
    },
    Product {
        name: "kube-state-metrics",
        version: "2.18.0",
        module: "k8s.io/kube-state-metrics/v2",
        go_mod: KUBE_STATE_METRICS.0,
        go_sum: KUBE_STATE_METRICS.1,
        stamps: &["github.com/prometheus/common/version.Version"],
        tools: &[tool("kube-state-metrics", "k8s.io/kube-state-metrics/v2", "version")],
        assets: &[],
    },
    Product {
        name: "metrics-server",
        version: "0.9.0",
        module: "sigs.k8s.io/metrics-server",
        go_mod: METRICS_SERVER.0,
        go_sum: METRICS_SERVER.1,
        stamps: &["k8s.io/client-go/pkg/version.gitVersion"],
        tools: &[tool("metrics-server", "sigs.k8s.io/metrics-server/cmd/metrics-server", "--version")],
        assets: &[],
    },
    Product {
        name: "helm",
        version: "3.21.4",
        module: "helm.sh/helm/v3",
        go_mod: HELM.0,
        go_sum: HELM.1,
        stamps: &["helm.sh/helm/v3/internal/version.version"],
        tools: &[tool("helm", "helm.sh/helm/v3/cmd/helm", "version")],
        assets: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_requires_the_version_that_is_promised() {
        for product in PRODUCTS {
            let required = format!("{} v{}", product.module, product.version);
            assert!(product.go_mod.contains(&required), "{required}");
            let sum = format!("{required} h1:");
            assert!(product.go_sum.contains(&sum), "{sum}");
            for tool in product.tools {
                assert!(product.go_mod.contains(tool.package), "{}", tool.package);
            }
        }
    }

    #[test]
    fn keys_tell_versions_apart() {
        let kwok = find("kwok").unwrap().0;
        assert!(kwok.key().starts_with("kwok-0.8.0-"));
        assert_eq!(kwok.line(), "0.8");
        assert_eq!(kwok.link_flags(), "-s -w -X sigs.k8s.io/kwok/pkg/consts.Version=v0.8.0");
    }
}
