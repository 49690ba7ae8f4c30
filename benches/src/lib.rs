//! Workloads the benches share.
