//! Upstream tables for the scheduling queue, its hints and preemption.

use crate::table::{self, Case};
use serde_json::Value;
use simulator::kube::Timestamp;
use simulator::scheduler::queue::AttemptOrder;

#[test]
fn order_of_attempts() {
    table::run("queuesort", |_| None, check_order);
}

fn check_order(case: &Case) -> Result<(), String> {
    let order = |which: &str| -> Result<AttemptOrder, String> {
        let entry = &case.input[which];
        let priority = i32::try_from(entry["pod"]["spec"]["priority"].as_i64().unwrap_or_default());
        let since = entry["timestamp"].as_str().map(str::parse::<Timestamp>).transpose();
        let since = since.map_err(|error| error.to_string())?.unwrap_or_default().0;
        Ok(AttemptOrder::new(priority.map_err(|error| error.to_string())?, since as u64, 0))
    };
    let less = order("p1")? < order("p2")?;
    same("less", &Value::Bool(less), &case.want["less"])
}

fn same(what: &str, got: &Value, want: &Value) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: got {got}, want {want}")) }
}
