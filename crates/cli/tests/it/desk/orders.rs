//! Freezes, modes, the clock, other targets, giving up and going back; each says how to undo it.

use super::Desk;
use crate::support::repository;

#[test]
fn a_freeze_stops_and_is_lifted_by_an_admin() {
    let desk = Desk::open("desk-freeze");
    desk.advance("2m");
    let said = desk.done("otto", &["freeze", "--cluster", "member2", "--reason", "new nodes", "--for", "2h"]);
    assert!(
        said.starts_with("F-1: cluster member2 stands still until 2:02:00; by otto: new nodes"),
        "{said}"
    );
    assert!(said.contains("drover unfreeze F-1 --reason"), "{said}");
    let listed = desk.done("vera", &["freezes"]);
    assert!(listed.contains("F-1  cluster member2  otto"), "{listed}");

    let hash = desk.plan_hash("R-1");
    let refused = desk.ask("otto", &["rec", "approve", "R-1", "--plan-hash", &hash]);
    assert_eq!(refused.code, Some(5), "{}", refused.errors);
    let (told, refusal) = refused.errors.split_once('\n').unwrap_or_default();
    assert_eq!(told, "R-1: its effect is not predicted; you decide without knowing it.");
    assert!(refusal.starts_with("drover: It is frozen."), "{}", refused.errors);
    let lifting = ["unfreeze", "F-1", "--reason", "they are there"];
    assert_eq!(desk.ask("otto", &lifting).code, Some(6), "letting go takes more than stopping");
    let said = desk.done("anna", &lifting);
    assert!(said.contains("drover freeze --cluster member2 --reason"), "{said}");
    assert_eq!(desk.ask("anna", &lifting).code, Some(3), "it stands no more");
    desk.done("otto", &["rec", "approve", "R-1", "--plan-hash", &hash]);

    desk.done("otto", &["freeze", "--all", "--reason", "incident"]);
    let listed = desk.done("vera", &["freezes"]);
    assert!(listed.contains("until lifted  incident"), "{listed}");
    desk.done("otto", &["rec", "reject", "R-2", "--reason", "not now"]);
    desk.done("anna", &["mode", "set", "observe", "--cluster", "member2", "--reason", "not ours"]);
    let record = desk.done("udo", &["audit", "list", "--kind", "ordered,reviewed"]);
    for (what, actor) in [
        ("ordered: freeze", "person:otto"),
        ("ordered: unfreeze", "person:anna"),
        ("ordered: set mode", "person:anna"),
        ("reviewed: approve", "person:otto"),
        ("reviewed: reject", "person:otto"),
    ] {
        let is_told = |line: &str| line.contains(&format!(" {what} ")) && line.contains(actor);
        assert!(record.lines().any(is_told), "{what} by {actor} is not in {record}");
    }
}

#[test]
fn who_rejects_again_learns_that_the_first_reason_stands() {
    let desk = Desk::open("desk-reject-again");
    desk.advance("2m");
    let reject = |reason: &'static str| desk.done("otto", &["rec", "reject", "R-2", "--reason", reason]);
    let said = reject("the sale begins");
    assert!(said.starts_with("R-2 is rejected: "), "{said}");
    let again = reject("other");
    assert!(
        again.starts_with("R-2 was rejected already by person:otto at 0:02:00: the sale begins\n"),
        "{again}"
    );
    assert!(again.contains("the new reason was not kept"), "{again}");
}

#[test]
fn who_approves_again_learns_that_the_first_answer_stands() {
    let desk = Desk::open("desk-approve-again");
    desk.advance("2m");
    let hash = desk.plan_hash("R-2");
    let twice = ["rec", "approve", "R-2", "R-2", "--plan-hash", &hash, "--plan-hash", &hash];
    let said = desk.ask("otto", &[&twice[..], &["--note", "before noon"]].concat());
    assert_eq!((said.code, said.text.matches("R-2 is approved: ").count()), (Some(0), 1), "{}", said.text);
    assert!(!said.text.contains("already") && !said.errors.contains("together"), "{}", said.errors);
    let again = desk.done("otto", &["rec", "approve", "R-2", "--plan-hash", &hash, "--note", "other"]);
    assert!(
        again.starts_with("R-2 was approved already by person:otto at 0:02:00: before noon\n"),
        "{again}"
    );
    assert!(again.contains("the new note was not kept. It is app"), "{again}");
    let other = "0".repeat(64);
    let two = ["rec", "approve", "R-1", "R-1", "--plan-hash", &hash, "--plan-hash", &other];
    let said = desk.ask("otto", &two);
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert!(said.errors.contains("named twice with two plans"), "{}", said.errors);
}

#[test]
fn at_the_end_of_a_scenario_its_clock_takes_no_orders() {
    let mut desk = Desk::closed("desk-ended");
    desk.scratch.write("roomy.yaml", ROOMY);
    let shipped = repository().join("scenarios/three-waves.yaml").display().to_string();
    desk.scratch.write("desk.yaml", super::desk_file().replace(&shipped, "roomy.yaml"));
    desk.start("127.0.0.1:0");
    let said = desk.done("otto", &["clock", "advance", "1h"]);
    assert!(said.contains("the scenario has ended") && !said.contains("drover clock run"), "{said}");
    for order in [&["run"][..], &["pause"], &["advance", "1m"], &["speed", "10"]] {
        let said = desk.ask("otto", &[&["clock"], order].concat());
        assert_eq!((said.code, said.text.as_str()), (Some(4), ""), "{order:?}: {}", said.errors);
        let parts = ["the scenario has ended", "drover rec list --all", "stop the desk and open it again"];
        assert!(parts.iter().all(|part| said.errors.contains(part)), "{order:?}: {}", said.errors);
        assert!(!said.errors.contains("other data"), "{order:?}: {}", said.errors);
    }
    for (period, part) in [("7h", "at most 6h"), ("0s", "for some time"), ("soon", "soon")] {
        let said = desk.ask("otto", &["clock", "advance", period]);
        assert_eq!((said.code, said.text.as_str()), (Some(2), ""), "{period}: {}", said.errors);
        assert!(said.errors.contains(part), "{period}: {}", said.errors);
    }
    for speed in ["NaN", "inf", "0", "-1", "1e300"] {
        let said = desk.ask("otto", &["clock", "speed", speed]);
        assert_eq!(said.code, Some(2), "{speed}: {}", said.errors);
        assert!(said.errors.contains(speed) && said.errors.contains("0.01"), "{speed}: {}", said.errors);
    }
}

#[test]
fn of_several_runs_it_is_said_which() {
    let mut desk = Desk::open("desk-runs");
    let former = desk.json("vera", &["status"])["run"].as_str().unwrap().to_owned();
    desk.advance("5m");
    let record = desk.done("udo", &["audit", "list", "--limit", "500"]);
    assert!(!record.lines().next().unwrap().contains(" RUN "), "there is only one: {record}");
    desk.stop();
    desk.start("127.0.0.1:0");
    let record = desk.done("udo", &["audit", "list", "--limit", "500"]);
    assert!(record.lines().next().unwrap().contains(" RUN "), "{record}");
    assert!(record.lines().any(|line| line.contains(&format!(" {former} "))), "{record}");
    let listed = |more: &[&str]| desk.ask("vera", &[&["rec", "list", "--all"], more].concat()).text;
    assert_eq!(listed(&[]), "", "the new run has only begun");
    let before = listed(&["--run", &former]);
    assert!(before.lines().any(|line| line.starts_with("R-1 ") && line.contains("  0:02:00 ")), "{before}");
}

#[test]
fn modes_say_who_answers_and_how_to_undo_it() {
    let desk = Desk::open("desk-mode");
    desk.advance("2m");
    let observing = ["mode", "set", "observe", "--cluster", "member2", "--reason", "not ours"];
    assert_eq!(desk.ask("otto", &observing).code, Some(6));
    let said = desk.done("anna", &observing);
    assert!(said.contains("cluster member2  all    observe"), "{said}");
    assert!(said.contains("To undo this: drover mode clear --cluster member2 --reason"), "{said}");
    let hash = desk.plan_hash("R-1");
    let refused = desk.ask("otto", &["rec", "approve", "R-1", "--plan-hash", &hash]);
    assert_eq!(refused.code, Some(5), "{}", refused.errors);
    let granting = [
        "mode",
        "set",
        "auto",
        "--agent",
        "keep-headroom",
        "--highest-risk",
        "low",
        "--per-hour",
        "4",
        "--for",
        "8h",
        "--reason",
        "quiet night",
    ];
    let said = desk.done("anna", &granting);
    assert!(said.contains("auto     risk up to low, 4 an hour, until 8:02:00"), "{said}");
    let limits = ["mode", "set", "human", "--per-hour", "4", "--reason", "nonsense"];
    assert_eq!(desk.ask("anna", &limits).code, Some(2), "only auto has limits");
    let endless = desk.ask("anna", &["mode", "set", "auto", "--replicas", "2", "--reason", "trust"]);
    assert_eq!(endless.code, Some(2), "{}", endless.errors);
    for missing in ["--highest-risk", "--for", "--per-hour"] {
        assert!(endless.errors.contains(missing), "{}", endless.errors);
    }
    let shown = desk.json("vera", &["mode", "show"]);
    assert_eq!(
        (shown["otherwise"].as_str(), shown["settings"].as_array().unwrap().len()),
        (Some("human"), 2)
    );
    let clearing = ["mode", "clear", "--agent", "keep-headroom", "--reason", "morning"];
    assert_eq!(desk.ask("otto", &clearing).code, Some(6));
    let said = desk.done("anna", &clearing);
    assert!(said.contains("cluster member2  all") && !said.contains("auto  "), "{said}");
    let back = "drover mode set auto --agent keep-headroom --highest-risk low --per-hour 4 --for … --reason";
    assert!(said.contains(back), "{said}");
    assert_eq!(desk.ask("anna", &clearing).code, Some(3), "there is none any more");
    desk.done("anna", &["mode", "clear", "--cluster", "member2", "--reason", "ours again"]);
    desk.done("otto", &["rec", "approve", "R-1", "--plan-hash", &desk.plan_hash("R-1")]);
}

#[test]
fn the_clock_runs_stands_and_goes_on() {
    let desk = Desk::open("desk-clock");
    let said = desk.done("otto", &["clock", "speed", "120", "--while-waiting", "10"]);
    assert!(said.contains("To undo this: drover clock speed 60"), "{said}");
    let said = desk.done("otto", &["clock", "advance", "90s"]);
    assert!(said.starts_with("0:01:30, time stands still\nTime does not go back."), "{said}");
    let said = desk.done("otto", &["clock", "run"]);
    assert!(said.ends_with("To stop it: drover clock pause\n"), "{said}");
    let said = desk.done("otto", &["clock", "pause"]);
    assert!(said.contains("time stands still") && said.contains("drover clock run"), "{said}");
    assert_eq!(desk.ask("otto", &["clock", "advance", "2d"]).code, Some(2), "longer than a day");
    assert_eq!(desk.ask("otto", &["clock", "advance", "10"]).code, Some(2), "without a unit");
    assert_eq!(desk.ask("vera", &["clock", "pause"]).code, Some(6));
}

#[test]
fn a_plan_is_put_aside_changed_given_up_and_taken_back() {
    let desk = Desk::open("desk-others");
    desk.advance("2m");
    let said = desk.done("otto", &["rec", "defer", "R-2", "--for", "5m", "--note", "ask Ben"]);
    assert!(said.starts_with("R-2 is put aside until 0:07:00: "), "{said}");
    let shown = desk.done("vera", &["rec", "show", "R-2"]);
    assert!(shown.contains("deferred until 0:07:00") && shown.contains("ask Ben"), "{shown}");

    let back = desk.ask("otto", &["rec", "target", "R-2", "member1", "--reason", "stay"]);
    assert_eq!(back.code, Some(5), "a move to where it is: {}", back.errors);
    let nowhere = desk.ask("otto", &["rec", "target", "R-2", "member3"]);
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.errors);
    assert!(nowhere.errors.contains("no cluster member3; did you mean member"), "{}", nowhere.errors);
}

#[test]
fn what_is_under_way_is_given_up_and_what_is_done_is_taken_back() {
    let desk = Desk::open("desk-back");
    desk.advance("2m");
    let abort = ["exec", "abort", "R-1", "--reason", "second thoughts"];
    assert_eq!(desk.ask("otto", &abort).code, Some(4), "nothing is under way");
    desk.approve("R-1");
    let said = desk.done("otto", &abort);
    assert!(said.starts_with("R-1 is given up: "), "{said}");
    desk.approve("R-2");
    desk.advance("5s");
    let stage = desk.json("vera", &["exec", "show", "R-1"])["stage"].clone();
    assert!(stage == "rolled_back" || stage == "failed", "{stage}");
    let listed = desk.done("vera", &["exec", "list"]);
    assert!(listed.contains("R-2  applied"), "{listed}");

    desk.advance("25s");
    let back = ["exec", "rollback", "R-2", "--reason", "slower than before"];
    let full = desk.ask("otto", &back);
    assert_eq!(full.code, Some(5), "the third wave has taken its room: {}", full.errors);
    assert!(full.errors.contains("has room for 0 of the 2 pods"), "{}", full.errors);
}

/// One workload has to go, and when another has left by itself there is room for it again.
const ROOMY: &str = "\
drover: scenario/v1
name: roomy
duration: 10m
clusters:
  - { name: member1, pools: [{ nodes: 2, cpu: 8, memory: 16Gi }] }
  - { name: member2, pools: [{ nodes: 2, cpu: 8, memory: 16Gi }] }
workloads:
  - { name: \"app-{n}\", copies: 6, cluster: member1, replicas: 2, cpu: 1, memory: 1Gi }
  - { name: guest, cluster: member1, until: 2m, replicas: 2, cpu: 1, memory: 1Gi }
limits: { max_load: 0.8 }
agents:
  - { name: keep-headroom, when: { every: 60s }, scope: { namespaces: [default] }, decide: { strategy: planner } }
";

#[test]
fn what_was_done_is_taken_back_when_there_is_room() {
    let mut desk = Desk::closed("desk-roomy");
    desk.scratch.write("roomy.yaml", ROOMY);
    let shipped = repository().join("scenarios/three-waves.yaml").display().to_string();
    desk.scratch.write("desk.yaml", super::desk_file().replace(&shipped, "roomy.yaml"));
    desk.start("127.0.0.1:0");
    desk.advance("1m");
    let first = desk.waiting().remove(0);
    desk.approve(&first);
    desk.advance("3m");
    let said = desk.done("otto", &["exec", "rollback", &first, "--reason", "slower than before"]);
    let new = said.split_whitespace().next().unwrap().to_owned();
    assert!(said.starts_with(&format!("{new} would take {first} back: migrate ")), "{said}");
    assert!(said.contains(&format!("drover rec show {new}")), "{said}");
    assert_eq!(desk.json("vera", &["rec", "show", &new])["undoes"], first);
    let hash = desk.plan_hash(&new);
    let own = desk.ask("otto", &["rec", "approve", &new, "--plan-hash", &hash]);
    assert_eq!(own.code, Some(5), "somebody else has to approve it: {}", own.errors);
    desk.done("anna", &["rec", "approve", &new, "--plan-hash", &hash]);
    desk.advance("30s");
    assert_eq!(desk.json("vera", &["rec", "show", &new])["stage"], "applied");
}

#[test]
fn agents_are_shown_with_their_decisions() {
    let desk = Desk::open("desk-agents");
    desk.advance("3m");
    let listed = desk.done("vera", &["agent", "list"]);
    assert!(listed.contains("keep-headroom  planner     1m     4 pending"), "{listed}");
    let shown = desk.done("vera", &["agent", "show", "keep-headroom"]);
    assert!(shown.contains("Decides   by planner") && shown.contains("recommended 2, "), "{shown}");
    assert_eq!(desk.ask("vera", &["agent", "show", "nobody"]).code, Some(3));
}
