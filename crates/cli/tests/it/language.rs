//! Language models as a person meets them: asked, recorded, replayed to the same bytes, and never trusted.

use crate::support::{Scratch, names, repository};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn scenario(name: &str) -> String {
    repository().join("scenarios").join(format!("{name}.yaml")).display().to_string()
}

/// Every file of a run, by its name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

fn summary(scratch: &Scratch, run: &str) -> Value {
    serde_json::from_slice(&scratch.read(&format!("{run}/summary.json"))).unwrap()
}

#[test]
fn a_recorded_run_is_replayed_to_the_same_bytes_without_anybody() {
    let scratch = Scratch::new("language-replay");
    let waves = scenario("three-waves");
    let base = ["run", &waves, "--strategy", "language-model", "--cassette", "answers.jsonl"];
    scratch.succeed(&[&base[..], &["--stand-in", "wasp-like", "--out", "recorded"]].concat());
    scratch.succeed(&[&base[..], &["--out", "replayed"]].concat());
    assert!(files(&scratch.path("recorded")) == files(&scratch.path("replayed")), "the replay differs");
    scratch.succeed(&["replay", "recorded/journal.jsonl"]);
    let models = &summary(&scratch, "recorded")["models"];
    assert!(
        models["calls"].as_u64().unwrap() > 0 && models["prompt_tokens"].as_u64().unwrap() > 0,
        "{models}"
    );
    let missing = scratch.drover(&[&base[..], &["--seed", "2", "--review", "auto"]].concat());
    assert_eq!(missing.code, Some(2), "{}", missing.errors);
    assert!(missing.errors.contains("not on the cassette"), "{}", missing.errors);
}

#[test]
fn a_cassette_of_somebody_else_is_refused_by_every_command_that_asks() {
    let scratch = Scratch::new("language-who");
    let waves = scenario("three-waves");
    let run = ["run", &waves, "--strategy", "language-model"];
    let compare = ["compare", &waves, "--strategies", "language-model", "--seeds", "1,2"];
    let text = format!(
        "drover: experiment/v1\nname: who\nscenarios: [{waves}]\nstrategies: [language-model]\nseeds: [1]\n"
    );
    scratch.write("who.yaml", text);
    let experiment = ["experiment", "run", "who.yaml", "--out", "who"];
    for (number, base) in [&run[..], &compare, &experiment].into_iter().enumerate() {
        let cassette = format!("{number}.jsonl");
        let with = |manner: &'static str| {
            scratch.drover(&[base, &["--cassette", &cassette, "--stand-in", manner]].concat())
        };
        let said = with("wasp-like");
        assert_eq!(said.code, Some(0), "{base:?}: {}", said.errors);
        let said = with("careful");
        assert_eq!(said.code, Some(2), "{base:?}: {}", said.errors);
        let part = "holds answers of the stand-in wasp-like (seed 1)";
        assert!(said.errors.contains(part), "{base:?}: {}", said.errors);
    }
}

#[test]
fn what_one_answerer_left_in_a_folder_is_not_taken_for_another() {
    let scratch = Scratch::new("language-who-folder");
    let waves = scenario("three-waves");
    let compare = |manner: &str, out: &str| {
        let base = ["compare", &waves, "--strategies", "language-model", "--seeds", "1", "--metrics", "all"];
        scratch.succeed(&[&base[..], &["--stand-in", manner, "--out", out]].concat());
        scratch.read(&format!("{out}/results.csv"))
    };
    compare("wasp-like", "shared");
    assert!(compare("careful", "shared") == compare("careful", "own"), "results of somebody else were kept");
}

#[test]
fn whoever_asks_models_has_to_say_who_answers() {
    let scratch = Scratch::new("language-nobody");
    let said = scratch.drover(&["run", &scenario("three-waves"), "--strategy", "language-model"]);
    assert_eq!(said.code, Some(2));
    assert!(said.errors.contains("--models FILE") && said.errors.contains("--stand-in"), "{}", said.errors);
    scratch.write("broken.jsonl", "{\"drover_cassette\":1}\nnothing\n{}\n");
    let base = ["run", &scenario("three-waves"), "--strategy", "language-model"];
    let said = scratch.drover(&[&base[..], &["--cassette", "broken.jsonl"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(
        said.errors.contains("broken.jsonl: line 2") && said.errors.contains("line 3"),
        "{}",
        said.errors
    );
    let said =
        scratch.drover(&[&base[..], &["--cassette", "none.jsonl", "--cassette-mode", "record"]].concat());
    assert!(said.code == Some(2) && said.errors.contains("somebody has to be asked"), "{}", said.errors);
}

/// What the journal of a run tells.
#[derive(Default)]
struct Told {
    questions: Vec<Value>,
    answers: Vec<Value>,
    submitted: Vec<Value>,
    /// How often each workload was moved.
    applied: BTreeMap<String, u64>,
    explained: Vec<Value>,
}

fn told(journal: &[u8]) -> Told {
    let mut told = Told::default();
    for line in String::from_utf8_lossy(journal).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Some(answer) = line["input"].get("answered") {
            told.answers.push(answer["answer"].clone());
        }
        for effect in line["effects"].as_array().into_iter().flatten() {
            if let Some(asked) = effect.get("ask") {
                told.questions.push(asked["question"].clone());
            }
            if let Some(new) = effect.get("submit") {
                told.submitted.push(new.clone());
            }
            if let Some(explained) = effect.get("explain") {
                told.explained.push(explained.clone());
            }
            if let Some(approved) = effect.get("apply") {
                let workload = approved["recommendation"]["action"]["workload"].to_string();
                *told.applied.entry(workload).or_default() += 1;
            }
        }
    }
    told
}

/// The campaign of WASP's paper on both loads, one model and several, answered by an imitation with WASP's faults: what went wrong
/// there cannot here.
#[test]
fn the_campaign_is_free_of_the_faults_that_it_was_published_with() {
    let scratch = Scratch::new("language-campaign");
    let several = "{ strategy: language-model, names: true, specialists: [{ name: performance }, { name: cost }], consolidator: model }";
    for load in ["constant-load", "varying-load"] {
        for (name, decide) in [("one", "{ strategy: language-model, names: true }"), ("several", several)] {
            let text = fs::read_to_string(scenario(load)).unwrap();
            let changed = with_decider(&text, decide);
            let file = format!("{load}-{name}.yaml");
            scratch.write(&file, changed);
            let out = format!("{load}-{name}");
            let base = ["run", &file, "--review", "auto", "--cassette", "answers.jsonl"];
            scratch.succeed(&[&base[..], &["--stand-in", "wasp-like", "--out", &out]].concat());
            let again = format!("{out}-replayed");
            scratch.succeed(&[&base[..], &["--out", &again]].concat());
            assert!(files(&scratch.path(&out)) == files(&scratch.path(&again)), "{out}: the replay differs");
            check_run(&scratch, &out, load == "constant-load");
        }
    }
}

/// The same scenario with another decider: everything else of the file stays.
fn with_decider(text: &str, decide: &str) -> String {
    let line = text.lines().find(|line| line.trim_start().starts_with("decide:")).expect("an agent decides");
    let indent = &line[..line.len() - line.trim_start().len()];
    text.replacen(line, &format!("{indent}decide: {decide}"), 1)
}

fn check_run(scratch: &Scratch, run: &str, is_constant: bool) {
    let told = told(&scratch.read(&format!("{run}/journal.jsonl")));
    let summary = summary(scratch, run);
    assert!(!told.answers.is_empty() && !told.submitted.is_empty(), "{run}: nothing happened");
    for new in &told.submitted {
        let because = &new["because"];
        let opinions = because["opinions"].as_array().cloned().unwrap_or_default();
        let summary = because["summary"].as_str().unwrap();
        // Whatever is recommended says whose idea it was, in words, or who decided instead and why.
        let is_theirs =
            opinions.iter().any(|opinion| opinion["words"].as_str().is_some_and(|words| !words.is_empty()));
        assert!(
            is_theirs || summary.contains("(decided by planner, because "),
            "{run}: a lost reason: {because}"
        );
        assert!(
            !opinions.iter().any(|opinion| opinion["words"].as_str().is_some_and(is_a_stopgap)),
            "{run}: {because}"
        );
        if is_theirs {
            assert!(is_attributed(new, &opinions, &told), "{run}: nobody said this: {new}");
        }
    }
    for explained in &told.explained {
        let refused = explained["refused"].as_array().cloned().unwrap_or_default();
        assert!(
            refused.iter().all(|one| !one["refusal"].to_string().contains("limit")),
            "{run}: {refused:?}"
        );
    }
    if is_constant {
        assert_eq!(
            summary["meters"]["repeat_moves"], 0,
            "{run}: something was moved twice under constant load"
        );
        assert!(told.applied.values().all(|times| *times == 1), "{run}: {:?}", told.applied);
    }
    let faults = summary["models"]["faults"].as_object().unwrap();
    let kinds: BTreeSet<&str> = faults.keys().map(String::as_str).collect();
    assert!(!kinds.is_empty(), "{run}: the imitation made no faults, so nothing was shown");
}

/// What WASP's engine put in the place of reasons it could not read.
fn is_a_stopgap(words: &str) -> bool {
    words.strip_prefix("Decision ").is_some_and(|rest| rest.parse::<u32>().is_ok())
}

/// Whether all words of a recommendation stand in answers, in the very object that is about its workload.
fn is_attributed(new: &Value, opinions: &[Value], told: &Told) -> bool {
    let workload = new["action"]["workload"].as_str().unwrap();
    let name = workload.rsplit('/').next().unwrap_or_default();
    let mut words =
        opinions.iter().filter_map(|opinion| opinion["words"].as_str()).filter(|words| !words.is_empty());
    words.all(|words| {
        words.starts_with("the votes decided")
            || told.answers.iter().any(|answer| {
                let question = told.questions.iter().find(|question| question["number"] == answer["number"]);
                question.is_some_and(|question| says(question, answer, name, words))
            })
    })
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Whether one answer says these words about the workload of that name.
fn says(question: &Value, answer: &Value, name: &str, words: &str) -> bool {
    let brief: Value =
        serde_json::from_str(question["calls"][0]["messages"][1]["text"].as_str().unwrap()).unwrap();
    let list = |key: &str| brief[key].as_array().cloned().unwrap_or_default();
    let about = list("workloads").into_iter().find(|one| one["name"] == name).map(|one| one["id"].clone());
    let mine = |one: &Value| about.as_ref().is_none_or(|id| one["workload"] == *id);
    let candidates =
        list("candidates").into_iter().filter(mine).map(|one| format!("\"candidate\":{}", one["id"]));
    let keys: Vec<String> = about.iter().map(|id| format!("\"workload\":{id}")).chain(candidates).collect();
    let words: String = squeezed(words).chars().take(60).collect();
    let replies = answer["replies"].as_array().into_iter().flatten();
    let mut texts = replies.filter_map(|reply| reply["told"]["text"].as_str());
    texts.any(|text| {
        let items = items(&squeezed(text));
        items.iter().any(|item| item.contains(&words) && keys.iter().any(|key| item.contains(key)))
    })
}

/// The objects in the list of an answer, whatever stands around it and however it ends.
fn items(text: &str) -> Vec<String> {
    let (mut found, mut depth, mut start, mut quoted, mut escaped) = (Vec::new(), 0, 0, false, false);
    for (index, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' if depth > 0 => quoted = !quoted,
            '{' if !quoted => {
                depth += 1;
                if depth == 2 {
                    start = index;
                }
            }
            '}' if !quoted => {
                if depth == 2 {
                    found.push(text[start..=index].to_owned());
                }
                depth = (depth - 1).max(0);
            }
            _ => {}
        }
    }
    found
}

#[test]
fn wasps_own_file_chooses_one_or_several_models() {
    let scratch = Scratch::new("language-wasp");
    let config = |graph: &str| {
        format!(
            "clusters:
  member1: {{ nodes: 2, cpu: \"8\", memory: 16Gi, autoscaler: false }}
  member2: {{ nodes: 2, cpu: \"8\", memory: 16Gi, autoscaler: true }}
ai-engine:
  enabled: true
  ai:
    selected_model: google/gemini-2.5-flash
    scheduler_interval: 60
    multi_agent:
      selected_prompt: mine
      graph_version: {graph}
      generation_config: {{ temperature: 0.5, max_output_tokens: 18000 }}
      prompts: {{ performance_prompt_file: fast, cost_prompt_file: cheap, consolidator_prompt_file: agree }}
actuator: {{ mode: auto }}
"
        )
    };
    let event = |id: usize, at: u64| {
        format!(
            "{{\"id\":\"w{id}\",\"kind\":\"deployment\",\"action\":\"create\",\"replicas\":\"2\",\"cpu\":\"1\",\"memory\":\"2\",\"job_duration\":\"\",\"label\":\"member1\",\"timestamp\":{at}}}"
        )
    };
    let events: Vec<String> = (0..10).map(|id| event(id, 1)).chain([event(10, 300)]).collect();
    scratch.write("input.json", format!("{{\"config\":{{}},\"data\":[{}]}}", events.join(",")));
    fs::create_dir(scratch.path("prompts")).unwrap();
    for name in ["mine", "fast", "cheap", "agree"] {
        scratch.write(&format!("prompts/{name}.md"), format!("The policy called {name}."));
    }
    for (graph, roles) in [("v1", &["decider"][..]), ("v2", &["performance", "cost", "consolidator"])] {
        scratch.write("config.yaml", config(graph));
        let files =
            ["--wasp-config", "config.yaml", "--wasp-input", "input.json", "--wasp-prompts", "prompts"];
        scratch.succeed(&[&["run"], &files[..], &["--stand-in", "careful", "--out", graph]].concat());
        let journal = String::from_utf8(scratch.read(&format!("{graph}/journal.jsonl"))).unwrap();
        for part in ["google/gemini-2.5-flash", "\"temperature_thousandths\":500", "\"max_tokens\":18000"] {
            assert!(journal.contains(part), "{graph}: {part}");
        }
        for role in roles {
            assert!(journal.contains(&format!("\"role\":\"{role}\"")), "{graph}: {role}");
        }
        let policies: &[&str] = if graph == "v1" { &["mine"] } else { &["fast", "cheap", "agree"] };
        assert!(
            policies.iter().all(|name| journal.contains(&format!("The policy called {name}."))),
            "{graph}"
        );
    }
}
