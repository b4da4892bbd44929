//! The way of a recommendation, walked with the terminal alone.

use super::{Desk, wait_for};

#[test]
fn three_waves_are_decided_from_the_terminal() {
    let desk = Desk::open("desk-journey");
    let said = desk.done("vera", &["status"]);
    assert!(said.contains("three-waves (simulated)") && said.contains("time stands still"), "{said}");
    assert!(desk.waiting().is_empty(), "nothing happens before the clock moves");
    desk.advance("3m");
    assert_eq!(desk.waiting(), ["R-1", "R-2", "R-3", "R-4"]);

    let listed = desk.done("vera", &["rec", "list"]);
    assert!(
        listed.starts_with("ID ") && listed.contains("migrate deployment/default/metrics-exporter"),
        "{listed}"
    );
    let shown = desk.done("vera", &["rec", "show", "R-1"]);
    for part in [
        "R-1 · pending · low risk · expires in 9m",
        "\nChange    member1: 2 replicas (2 waiting) → none, load ",
        "\nWhy       member1 is asked for ",
        "(in the words of keep-headroom; nobody has checked them)",
        "\nEvidence  member1: CPU requested ",
        "old when it was proposed\n",
        "\nEffect    not predicted",
        "\nChecks    13 of 13 hold\n",
        "\nRisk      low",
        "\nWay back  migrate deployment/default/metrics-exporter (2 replicas) from member2 to member1\n",
        "\nPeople    0 of 1 have said yes\n",
        "\nTo approve it: drover rec approve R-1 --plan-hash ",
    ] {
        assert!(shown.contains(part), "{part:?} is missing: {shown}");
    }

    let said = desk.approve("R-1");
    assert!(said.starts_with("R-1 is approved: migrate "), "{said}");
    assert!(said.contains("drover exec abort R-1") && said.contains("drover exec rollback R-1"), "{said}");
    desk.advance("30s");
    assert_eq!(desk.json("vera", &["rec", "show", "R-1"])["stage"], "applied");
    let steps = desk.done("vera", &["exec", "show", "R-1"]);
    assert!(steps.starts_with("R-1 · applied\n") && steps.contains("target ready"), "{steps}");

    let said = desk.done("otto", &["rec", "reject", "R-2", "--reason", "the sale begins at noon"]);
    assert!(said.starts_with("R-2 is rejected: "), "{said}");
    let shown = desk.done("vera", &["rec", "show", "R-2"]);
    assert!(shown.contains("person:otto said reject at 0:03:30: the sale begins at noon"), "{shown}");

    let verified = desk.done("udo", &["audit", "verify"]);
    assert!(verified.starts_with("intact: "), "{verified}");
    let answers = desk.done("udo", &["audit", "list", "--kind", "reviewed"]);
    assert_eq!(answers.matches("person:otto").count(), 2, "{answers}");
    let lately = |bound: &str, moment: &str| {
        desk.json("udo", &["audit", "list", "--kind", "reviewed", bound, moment])["total"].as_i64()
    };
    assert_eq!((lately("--since", "1h"), lately("--until", "1h")), (Some(2), Some(0)));
    assert_eq!((lately("--since", "2020-01-01"), lately("--until", "2020-01-01")), (Some(2), Some(0)));
    assert_eq!(desk.ask("udo", &["audit", "list", "--since", "soon"]).code, Some(2));
}

#[test]
fn several_plans_are_approved_at_once_each_by_its_hash() {
    let desk = Desk::open("desk-several");
    desk.advance("3m");
    let (first, third) = (desk.plan_hash("R-1"), desk.plan_hash("R-3"));
    let wrong = desk.ask("otto", &["rec", "approve", "R-1", "R-3", "--plan-hash", &first]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.errors);
    let both = ["rec", "approve", "R-1", "R-3", "--plan-hash", &first, "--plan-hash", &first];
    let said = desk.ask("otto", &both);
    assert_eq!(said.code, Some(4), "the second hash is not that of R-3: {}", said.errors);
    assert!(
        said.text.starts_with("R-1 is approved") && !said.text.contains("R-3 is approved"),
        "{}",
        said.text
    );
    assert!(
        said.errors.contains("would bring together is not known"),
        "it does not predict: {}",
        said.errors
    );
    desk.done("otto", &["rec", "approve", "R-3", "--plan-hash", &third]);
}

#[test]
fn what_several_plans_bring_together_is_shown_before_they_are_approved() {
    let desk = Desk::open_with("desk-together", ("enabled: false", "horizon: 40s, seeds: 2"));
    desk.advance("150s");
    let ids = desk.waiting();
    let [first, second] = [&ids[0], &ids[1]];
    let hashes = [desk.plan_hash(first), desk.plan_hash(second)];
    let both = ["rec", "approve", first, second, "--plan-hash", &hashes[0], "--plan-hash", &hashes[1]];
    let said = desk.ask("otto", &both);
    assert_eq!(said.code, Some(0), "{}{}", said.text, said.errors);
    let fate = |id: &String| format!("\n  {id}: done in ");
    for part in ["in 2 rehearsed futures of 40s", "\nall of them together:\n", &fate(first), &fate(second)] {
        assert!(said.errors.contains(part), "{part:?} is missing: {}", said.errors);
    }
    assert_eq!(said.text.matches(" is approved: ").count(), 2, "{}", said.text);
}

#[test]
fn a_prediction_is_shown_with_its_intervals() {
    let desk = Desk::open_with("desk-predicted", ("enabled: false", "enabled: true"));
    desk.advance("2m");
    wait_for("the prediction", || {
        desk.json("vera", &["rec", "show", "R-1"])["isPredicted"].as_bool().filter(|predicted| *predicted)
    });
    let shown = desk.done("vera", &["rec", "show", "R-1"]);
    assert!(shown.contains("\nEffect    in 5 rehearsed futures of "), "{shown}");
    assert!(shown.contains("pending pods "), "{shown}");
    let item = desk.json("vera", &["rec", "list"])["items"][0].clone();
    let number = |name: &str| item[name].as_f64().unwrap();
    assert!(number("benefit") > 0.0, "{item}");
    assert!(number("benefitLow") <= number("benefit"), "{item}");
    assert!(number("benefitHigh") >= number("benefit"), "{item}");
    let listed = desk.done("vera", &["rec", "list"]);
    assert!(listed.contains(" pods placed (+"), "{listed}");
}

#[test]
fn what_somebody_wrote_cannot_steer_the_terminal() {
    let desk = Desk::open("desk-hostile");
    desk.advance("2m");
    let evil = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}fine";
    desk.done("otto", &["rec", "reject", "R-1", "--reason", evil]);
    let is_trick = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    for arguments in [
        &["rec", "show", "R-1"] as &[&str],
        &["rec", "show", "R-1", "--json"],
        &["audit", "list", "--json"],
        &["rec", "list", "--all"],
    ] {
        let said = desk.done("udo", arguments);
        assert!(!said.contains(is_trick), "{arguments:?}: {said:?}");
    }
    let kept = desk.json("udo", &["rec", "show", "R-1"]);
    assert_eq!(kept["reviews"][0]["note"], evil, "what a program reads is what was written");
}
