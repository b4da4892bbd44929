//! Files of desks: those that are shipped are sound, broken ones are refused with everything that is wrong with them.

use crate::broken::complete;
use crate::support::{Scratch, names, repository};
use expect_test::expect_file;
use std::fmt::Write as _;

const SOUND: &str = "\
drover: desk/v1
listen: 127.0.0.1:8080
storage: sqlite:desk.db
world: { simulate: small.yaml, speed: 60 }
review:
  mode: human
  modes:
    - { mode: auto, agent: keeper, limits: { highest_risk: low, per_hour: 4 } }
access: { longest_token: 30d }
";

const SMALL: &str = "\
drover: scenario/v1
name: small
duration: 1m
clusters:
  - { name: only, pools: [{ nodes: 1, cpu: 4, memory: 8Gi }] }
";

/// What is wrong, what replaces what in [`SOUND`], and how many problems there are.
type Edit = (&'static str, &'static [(&'static str, &'static str)], usize);

const EDITS: &[Edit] = &[
    ("a key that does not exist", &[("listen:", "lisen:")], 1),
    ("no federation", &[("world: { simulate: small.yaml, speed: 60 }\n", "")], 1),
    ("an address without a port", &[("127.0.0.1:8080", "127.0.0.1")], 1),
    ("a database of another kind", &[("sqlite:desk.db", "mysql:desk.db")], 1),
    ("a speed that nobody can follow", &[("speed: 60", "speed: 1000000")], 1),
    ("a mode that does not exist", &[("mode: human", "mode: robot")], 1),
    ("limits that nothing uses", &[("mode: auto, agent", "mode: human, agent")], 1),
    ("a grant without limits", &[(", limits: { highest_risk: low, per_hour: 4 }", "")], 1),
    ("a grant without a pace", &[(", per_hour: 4", "")], 1),
    ("a grant whose pace is none", &[("per_hour: 4", "per_hour: 1001")], 1),
    ("a grant of everything", &[("mode: human", "mode: auto")], 1),
    ("a grant for every risk", &[("mode: human", "mode: auto\n  limits: { per_hour: 4, replicas: 2 }")], 1),
    ("limits of people", &[("mode: human", "mode: human\n  limits: { highest_risk: low, per_hour: 4 }")], 1),
    ("two places at once", &[("agent: keeper", "cluster: a, namespace: b")], 1),
    ("a name that nobody can have", &[("agent: keeper", "agent: \"Keeper!\"")], 1),
    (
        "proxies by name",
        &[("longest_token: 30d", "trusted_proxies: [proxy.example, 10.0.0.0/8, 10.0.0.0/40]")],
        2,
    ),
    ("everybody as a proxy", &[("longest_token: 30d", "trusted_proxies: [0.0.0.0/0, \"::/0\"]")], 2),
    ("a period without a unit", &[("longest_token: 30d", "longest_token: 30")], 1),
    (
        "a secret in the file",
        &[("access:", "webhooks: [{ name: a, url: \"https://a.example\", secret: hush }]\naccess:")],
        1,
    ),
    (
        "a message that everybody can read",
        &[("access:", "webhooks: [{ name: a, url: \"http://a.example\", secret: \"env:A\" }]\naccess:")],
        1,
    ),
    (
        "a webhook of which nothing is right",
        &[(
            "access:",
            "webhooks: [{ name: p, url: \"http://example.org/x\", secret: hush, events: [recommendation.wating] }]\naccess:",
        )],
        3,
    ),
    (
        "addresses that nobody goes to",
        &[(
            "access: { longest_token: 30d }",
            "webhooks:\n  - { name: a, url: \"https://169.254.169.254/x\", secret: \"env:A\" }\n  \
            - { name: b, url: \"https://10.0.0.1/x\", secret: \"env:B\" }\n  \
            - { name: c, url: \"https://[fd12::1]/x\", secret: \"env:C\" }\n\
            access: { oidc: { issuer: \"https://169.254.169.254\", client_id: desk, roles: {} } }\n\
            models: { endpoint: \"https://192.168.1.2/v1\" }",
        )],
        5,
    ),
    ("a scenario that is nowhere", &[("small.yaml", "nowhere.yaml")], 1),
    (
        "data kept nobody knows where, and a secret that is nowhere",
        &[
            ("sqlite:desk.db", "env:DROVER_NEVER_SET"),
            (
                "access:",
                "webhooks: [{ name: a, url: \"https://a.example\", secret: \"env:DROVER_NEVER_SET\" }]\naccess:",
            ),
        ],
        2,
    ),
    (
        "secrets that are nowhere, and a cluster that is not there either",
        &[
            ("agent: keeper", "cluster: ony"),
            (
                "access:",
                "webhooks:\n  - { name: a, url: \"https://a.example\", secret: \"env:DROVER_NEVER_SET\" }\n  \
                - { name: b, url: \"https://b.example\", secret: \"file:b.key\" }\naccess:",
            ),
        ],
        3,
    ),
    (
        "a door of somebody else",
        &[("access:", "wasp: { listen: \"127.0.0.1:8084\", agent: people }\naccess:")],
        1,
    ),
    ("a door without a lock", &[("access:", "wasp: { listen: \"0.0.0.0:8084\" }\naccess:")], 1),
    (
        "a rule that cannot be read",
        &[("  mode: human", "  mode: rules\n  pass: [{ name: small, when: \"risk = low\" }]")],
        2,
    ),
    (
        "two rules of one name",
        &[(
            "  mode: human",
            "  mode: rules\n  pass:\n    - { name: small, when: \"action.replicas <= 1\" }\n    \
            - { name: other, when: \"action.replicas <= 2\" }\n    - { name: small, when: \"action.replicas <= 4\" }",
        )],
        1,
    ),
    (
        "several things at once",
        &[("127.0.0.1:8080", "here"), ("speed: 60", "speed: 0"), ("sqlite:desk.db", "desk.db")],
        3,
    ),
    ("another format", &[("desk/v1", "desk/v9")], 1),
    ("a cluster that nobody has", &[("agent: keeper", "cluster: ony")], 1),
    ("what lasts no time", &[("longest_token: 30d", "longest_token: 0d, session: 0s")], 2),
];

fn scratch(name: &str, edits: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new(name);
    let text = edits.iter().fold(SOUND.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is not in the file");
        text.replace(from, to)
    });
    scratch.write("desk.yaml", text);
    scratch.write("small.yaml", SMALL);
    scratch
}

#[test]
fn shipped_desks_are_sound() {
    let folder = repository().join("desks");
    let files = names(&folder);
    assert!(files.len() >= 2, "{files:?}");
    for name in files {
        let said =
            Scratch::new("desk-shipped").succeed(&["check", &folder.join(&name).display().to_string()]);
        assert!(
            said.text.contains(": a desk for ") && said.errors.is_empty(),
            "{name}: {}{}",
            said.text,
            said.errors
        );
    }
}

#[test]
fn broken_desks_are_refused_with_everything_that_is_wrong() {
    let sound = scratch("desk-sound", &[]);
    let said = sound.succeed(&["check", "desk.yaml"]);
    assert!(
        said.text.contains("note: review.modes[0].agent: the scenario has no agent keeper"),
        "{}",
        said.text
    );
    let mut all =
        "What the program says about broken files of desks; written by the test beside this file.\n"
            .to_owned();
    for (what, edits, problems) in EDITS {
        let scratch = scratch("desk-broken", edits);
        let checked = scratch.drover(&["check", "desk.yaml"]);
        let served = scratch.drover(&["serve", "--config", "desk.yaml"]);
        assert_eq!(
            (checked.code, served.code),
            (Some(2), Some(2)),
            "{what}: {}{}",
            checked.errors,
            served.errors
        );
        assert_eq!(checked.errors, served.errors, "{what}");
        assert_eq!(scratch.names(), ["desk.yaml", "small.yaml"], "{what}: something was written");
        let told = checked.errors.lines().filter(|line| line.starts_with("desk.yaml:")).count();
        assert_eq!(told, *problems, "{what}: {}", checked.errors);
        complete(what, &checked.errors);
        let _ = write!(all, "\n== {what}\n{}", checked.errors);
    }
    expect_file!["broken.txt"].assert_eq(&all);
}

#[test]
fn a_desk_needs_its_scenario() {
    for (edit, part) in [
        (("small.yaml", "missing.yaml"), "desk.yaml:4:20: world.simulate: missing.yaml cannot be opened"),
        (("small.yaml", "desk.yaml"), "desk.yaml:1:9: drover:"),
    ] {
        let said = scratch("desk-scenario", &[edit]).drover(&["check", "desk.yaml"]);
        assert_eq!(said.code, Some(2));
        assert!(said.errors.contains(part), "{}", said.errors);
    }
    let both = [("small.yaml", "missing.yaml"), ("longest_token: 30d", "longest_token: 0d")];
    let said = scratch("desk-and-scenario", &both).drover(&["check", "desk.yaml"]);
    for part in ["missing.yaml: cannot be opened", "access.longest_token"] {
        assert!(said.errors.contains(part), "{}", said.errors);
    }
}
