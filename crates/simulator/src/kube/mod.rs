//! The Kubernetes objects the simulator knows: pods, nodes, selectors, affinity, taints.
