//! Tokens: made beside a closed desk or through an open one, limited, ended, and written down.

use super::Desk;
use crate::support::Scratch;
use serde_json::Value;

#[test]
fn tokens_are_made_through_the_desk_and_end_at_once() {
    let desk = Desk::open("desk-tokens");
    let making = ["token", "create", "--name", "ben", "--role", "operator", "--expires", "1h"];
    let said = desk.ask("anna", &making);
    assert_eq!(
        (said.code, said.text.lines().count()),
        (Some(0), 1),
        "only the secret is printed: {}",
        said.errors
    );
    assert!(said.text.starts_with("drover_"), "{}", said.text);
    assert!(
        said.errors.contains("drover token revoke T-") && !said.errors.contains(said.text.trim()),
        "{}",
        said.errors
    );
    desk.scratch.write_private("ben.token", &said.text);
    let making = ["token", "create", "--name", "eve", "--role", "viewer", "--expires", "91d"];
    let said = desk.ask("anna", &making);
    assert_eq!((said.code, said.text.as_str()), (Some(2), ""), "{}", said.errors);
    assert!(said.errors.contains("A token of this desk counts for at most 90d"), "{}", said.errors);
    desk.done("ben", &["status"]);

    let listed = desk.json("anna", &["token", "list"]);
    let bens = listed.as_array().unwrap().iter().find(|token| token["name"] == "ben").unwrap();
    let id = bens["id"].as_str().unwrap();
    assert!(!listed.to_string().contains("drover_"), "secrets are not kept");
    assert_eq!(desk.ask("otto", &["token", "list"]).code, Some(6));
    let said = desk.done("anna", &["token", "revoke", id]);
    assert!(said.contains("does not count any more"), "{said}");
    assert_eq!(desk.ask("ben", &["status"]).code, Some(6));
    assert_eq!(desk.ask("anna", &["token", "revoke", id]).code, Some(3));
    // Nobody has opened a browser here.
    assert_eq!(desk.ask("anna", &["token", "sign-out", "ben"]).code, Some(3));
    let table = desk.done("anna", &["token", "list"]);
    assert!(table.lines().any(|line| line.contains("ben ") && line.ends_with("revoked")), "{table}");
    let kinds = desk.done("udo", &["audit", "list", "--subject", id]);
    assert!(
        kinds.contains("token.created  person:anna") && kinds.contains("token.revoked  person:anna"),
        "{kinds}"
    );
}

#[test]
fn a_token_reaches_as_far_as_it_says() {
    let mut desk = Desk::closed("desk-reach");
    let making = |name: &str, limits: &[&str]| {
        let create = ["token", "create", "--config", "desk.yaml", "--role", "operator", "--name", name];
        let said = desk.scratch.succeed(&[&create, limits].concat());
        desk.scratch.write_private(&format!("{name}.token"), &said.text);
    };
    making("here", &["--cluster", "member1"]);
    making("there", &["--cluster", "member1", "--cluster", "member2", "--namespace", "default"]);
    making("elsewhere", &["--namespace", "shop"]);
    desk.start("127.0.0.1:0");
    desk.advance("2m");
    let hash = desk.plan_hash("R-1");
    let approve = |person: &str| desk.ask(person, &["rec", "approve", "R-1", "--plan-hash", &hash]).code;
    // What touches one's part can be seen and not decided alone; what does not is not there.
    assert_eq!((approve("here"), approve("elsewhere"), approve("there")), (Some(6), Some(3), Some(0)));
}

#[test]
fn tokens_of_a_closed_desk_are_kept_beside_it() {
    let scratch = Scratch::new("desk-direct");
    let create = |name: &str, more: &[&str]| {
        let make = ["token", "create", "--storage", "sqlite:new.db", "--name", name, "--role", "viewer"];
        scratch.drover(&[&make, more].concat())
    };
    assert_eq!(create("vera", &[]).code, Some(0), "the data is made if there is none");
    for (name, more, part) in [
        ("vera", &["--expires", "0s"] as &[&str], "at most 90d"),
        ("vera", &["--expires", "91d"], "at most 90d"),
        ("Vera", &[], "lower-case"),
        ("desk", &[], "is a word of the record"),
        ("vera", &["--namespace", "A B"], "--namespace"),
    ] {
        let said = create(name, more);
        assert_eq!((said.code, said.text.as_str()), (Some(2), ""), "{name} {more:?}: {}", said.errors);
        assert!(said.errors.contains(part), "{name} {more:?}: {}", said.errors);
    }
    let listed = scratch.succeed(&["token", "list", "--storage", "sqlite:new.db", "--json"]).text;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let id = listed[0]["id"].as_str().unwrap();
    scratch.succeed(&["token", "revoke", id, "--storage", "sqlite:new.db"]);
    let again = scratch.drover(&["token", "revoke", id, "--storage", "sqlite:new.db"]);
    assert_eq!(again.code, Some(3), "{}", again.errors);
    let verified = scratch.succeed(&["audit", "verify", "--storage", "sqlite:new.db"]).text;
    assert!(verified.starts_with("intact: 2 entries"), "both are written down: {verified}");
    let typo = scratch.drover(&["token", "list", "--storage", "sqlite:typo.db"]);
    assert_eq!((typo.code, scratch.path("typo.db").exists()), (Some(3), false), "{}", typo.errors);
    assert_eq!(scratch.drover(&["token", "list", "--storage", "mysql:x"]).code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_token_whose_secret_got_lost_can_be_ended() {
    let scratch = Scratch::new("desk-lost-secret");
    let make = ["token", "create", "--storage", "sqlite:new.db", "--name", "vera", "--role", "viewer"];
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let said = scratch.command(&make).stdout(full).output().unwrap();
    let errors = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(1), "{errors}");
    assert!(errors.contains("could not be printed and is kept nowhere"), "{errors}");
    let revoke = errors.split("drover token revoke ").nth(1).unwrap().lines().next().unwrap();
    let revoke: Vec<&str> = ["token", "revoke"].into_iter().chain(revoke.split(' ')).collect();
    scratch.succeed(&revoke);
}

#[test]
fn a_token_needs_no_secrets_of_others() {
    let desk = Desk::closed("desk-no-secrets");
    let hooks = "webhooks: [{ name: chat, url: \"https://chat.example.org/hook\", secret: env:DROVER_TEST_NOWHERE }]\n";
    desk.scratch.write("desk.yaml", super::desk_file() + hooks);
    desk.scratch.succeed(&["token", "create", "--config", "desk.yaml", "--name", "ben", "--role", "viewer"]);
}

#[test]
fn nobody_takes_the_name_of_an_agent_and_an_open_desk_keeps_its_data() {
    let desk = Desk::open("desk-names");
    let direct = ["token", "create", "--config", "desk.yaml", "--role", "operator", "--name"];
    let said = desk.scratch.drover(&[&direct[..], &["ben"]].concat());
    assert_eq!(said.code, Some(4), "{}", said.errors);
    assert!(said.errors.contains("in use") && said.errors.contains("--server"), "{}", said.errors);
    let through = ["token", "create", "--name", "keep-headroom", "--role", "operator"];
    assert_eq!(desk.ask("anna", &through).code, Some(2));
    let mut desk = desk;
    desk.stop();
    let said = desk.scratch.drover(&[&direct[..], &["keep-headroom"]].concat());
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert!(said.errors.contains("is an agent"), "{}", said.errors);
}
