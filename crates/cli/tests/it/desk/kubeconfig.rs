//! What `drover kubeconfig` prints, and that the desk is found by it: encrypted, on its own address.

use super::Desk;

fn open(name: &str) -> Desk {
    let mut desk = Desk::closed(name);
    desk.start_with("127.0.0.1:0", &["--kube-api"]);
    desk
}

/// The value behind a key, without quotes.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap();
    line.trim().trim_matches('"')
}

#[test]
fn whoever_has_a_token_is_told_how_to_reach_every_cluster() {
    let desk = open("kubeconfig");
    let text = desk.done("vera", &["kubeconfig"]);
    let place = desk.place();
    for cluster in ["member1", "member2"] {
        assert!(text.contains(&format!("server: \"https://{place}/kube/{cluster}\"")), "{text}");
    }
    assert!(value(&text, "tokenFile:").ends_with("vera.token"), "{text}");
    // The same certificate vouches for the whole desk.
    let decoded = std::process::Command::new("base64")
        .arg("-d")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut decoded = decoded.unwrap();
    let data = value(&text, "certificate-authority-data:").to_owned();
    std::io::Write::write_all(&mut decoded.stdin.take().unwrap(), data.as_bytes()).unwrap();
    desk.scratch.write("ca.pem", decoded.wait_with_output().unwrap().stdout);
    let server = format!("https://{place}");
    let said = desk.done("vera", &["status", "--server", &server, "--ca-file", "ca.pem"]);
    assert!(said.contains("three-waves"), "{said}");
    let said = desk.ask("vera", &["status", "--server", &server]);
    assert_ne!(said.code, Some(0), "nobody else vouches for it");
}

#[test]
fn a_desk_that_does_not_serve_it_says_how_it_would() {
    let desk = Desk::open("no-kubeconfig");
    let said = desk.ask("vera", &["kubeconfig"]);
    assert!(said.code != Some(0) && said.errors.contains("--kube-api"), "{}", said.errors);
}
