//! The columns that `kubectl get` shows, as upstream has them.

use super::kinds::Resource;
use serde_json::{Value, json};

/// Names of columns. `#` stands before those that hold numbers, `+` before those that only `-o wide` shows.
const fn of(resource: Resource) -> &'static str {
    match resource {
        Resource::Namespaces => "Name|Status|Age",
        Resource::Nodes => {
            "Name|Status|Roles|Age|Version|+Internal-IP|+External-IP|+OS-Image|+Kernel-Version|+Container-Runtime"
        }
        Resource::Pods => "Name|Ready|Status|Restarts|Age|+IP|+Node|+Nominated Node|+Readiness Gates",
        Resource::Events => {
            "Last Seen|Type|Reason|Object|+Subobject|+Source|Message|+First Seen|+Count|+Name"
        }
        Resource::Deployments => "Name|Ready|#Up-to-date|#Available|Age|+Containers|+Images|+Selector",
        Resource::ReplicaSets => "Name|#Desired|#Current|#Ready|Age|+Containers|+Images|+Selector",
        Resource::StatefulSets => "Name|Ready|Age|+Containers|+Images",
        Resource::DaemonSets => {
            "Name|#Desired|#Current|#Ready|#Up-to-date|#Available|Node Selector|Age|+Containers|+Images|+Selector"
        }
        Resource::Jobs => "Name|Status|Completions|Duration|Age|+Containers|+Images|+Selector",
        Resource::CronJobs => {
            "Name|Schedule|Timezone|Suspend|#Active|Last Schedule|Age|+Containers|+Images|+Selector"
        }
        Resource::HorizontalPodAutoscalers => "Name|Reference|Targets|MinPods|MaxPods|#Replicas|Age",
        Resource::PodDisruptionBudgets => "Name|Min Available|Max Unavailable|#Allowed Disruptions|Age",
        Resource::NodeMetrics | Resource::PodMetrics => "Name|CPU|Memory|Window",
    }
}

/// As a table declares them.
pub(super) fn definitions(resource: Resource) -> Vec<Value> {
    of(resource).split('|').map(definition).collect()
}

fn definition(column: &str) -> Value {
    json!({
        "name": column.trim_start_matches(['#', '+']),
        "type": if column.starts_with('#') { "integer" } else { "string" },
        "format": if column == "Name" { "name" } else { "" },
        "description": "",
        "priority": i32::from(column.starts_with('+')),
    })
}
