fn main() {
    let done = lab::workload_w::run(lab::workload_w::Size { nodes: 3_000, pods: 300_000 }, &mut |_| ());
    println!("{done:?}");
}
