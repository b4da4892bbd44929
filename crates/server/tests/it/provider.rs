//! Language models over real HTTP: a server that answers well, badly or not at all, and what becomes of a call then.

use control::question::{Call, Failure, Message, Question, Reply, Speaker, Told, Usage};
use lab::models::Correspondent;
use model::money::MicroDollars;
use model::time::Period;
use serde_json::{Value, json};
use server::access::Secret;
use server::config::{ModelsConfig, Structured, read_models};
use server::provider::budget::{Amount, Limit, Price};
use server::provider::{BreakerState, Provider, Timekeeper};
use server::testing::model_server::{Act, ModelServer};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CANARY: &str = "sk-or-canary-0123456789abcdef";
const DAY: Duration = Duration::from_hours(24);

/// Time that passes only when somebody sleeps.
#[derive(Clone, Default)]
struct Dream {
    elapsed_ms: Arc<AtomicU64>,
    naps: Arc<Mutex<Vec<Duration>>>,
}

impl Dream {
    fn pass(&self, how_long: Duration) {
        self.elapsed_ms.fetch_add(how_long.as_millis() as u64, Ordering::SeqCst);
    }

    fn naps(&self) -> Vec<Duration> {
        self.naps.lock().expect("nobody panicked").clone()
    }
}

impl Timekeeper for Dream {
    fn wall_ms(&self) -> i64 {
        1_800_000_000_000 + self.elapsed().as_millis() as i64
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed_ms.load(Ordering::SeqCst))
    }

    fn sleep(&self, how_long: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.pass(how_long);
        self.naps.lock().expect("nobody panicked").push(how_long);
        Box::pin(std::future::ready(()))
    }
}

fn settings(server: &ModelServer) -> ModelsConfig {
    let text = format!("drover: models/v1\nmodels: {{ endpoint: {:?} }}\n", server.endpoint());
    read_models("models.yaml", text.as_bytes()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A server, somebody who asks it, and the time they live in.
struct Trial {
    server: ModelServer,
    provider: Provider,
    dream: Dream,
}

impl Trial {
    fn new(server: ModelServer, change: impl FnOnce(&mut ModelsConfig)) -> Self {
        let (mut settings, dream) = (settings(&server), Dream::default());
        change(&mut settings);
        let key = Some(Secret::received(CANARY));
        let provider = Provider::with_time(&settings, key, Box::new(dream.clone()));
        let provider = provider.expect("the address and the key can be sent");
        Self { server, provider, dream }
    }

    fn playing(acts: &[Act]) -> Self {
        Self::new(ModelServer::playing(acts.to_vec()), |_| {})
    }

    fn ask(&self, text: &str) -> Reply {
        self.provider.reply(&call(text))
    }
}

fn call(text: &str) -> Call {
    let mut call = Question::plain(1, text).calls.remove(0);
    call.messages.insert(0, Message { speaker: Speaker::System, text: "Decide.".to_owned() });
    "some/model".clone_into(&mut call.model);
    call.schema = Some(json!({ "type": "object" }));
    call.temperature_thousandths = Some(100);
    call
}

fn text(reply: &Reply) -> &str {
    match &reply.told {
        Told::Text { text, .. } => text,
        Told::Failed { .. } => panic!("{reply:?}"),
    }
}

fn failure(reply: &Reply) -> (Failure, &str) {
    match &reply.told {
        Told::Failed { because, message } => (*because, message),
        Told::Text { .. } => panic!("{reply:?}"),
    }
}

fn because(reply: &Reply) -> Failure {
    failure(reply).0
}

fn error(status: u16) -> Act {
    Act::Error { status, kind: "some_error".to_owned(), message: format!("it is {status}") }
}

fn answer(text: &str) -> Act {
    Act::Answer(text.to_owned())
}

fn too_many(retry_after: &str) -> Act {
    Act::TooMany { retry_after: Some(retry_after.to_owned()) }
}

const SHAPE: &str = "response_format";

#[test]
fn a_call_goes_out_as_it_is_and_its_answer_comes_back() {
    let it = Trial::playing(&[answer("{\"moves\":[]}")]);
    let reply = it.ask("state");
    assert_eq!(reply.told, Told::Text { text: "{\"moves\":[]}".to_owned(), complete: true });
    assert_eq!((reply.role.as_str(), reply.usage.tries), ("oracle", 1));
    assert_eq!((reply.usage.prompt_tokens, reply.usage.completion_tokens), (3, 3));
    let [request] = &it.server.requests()[..] else { panic!("one request") };
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.authorization.as_deref(), Some(format!("Bearer {CANARY}").as_str()));
    assert_eq!(request.body["messages"][1], json!({ "role": "user", "content": "state" }));
    assert_eq!(request.body["response_format"]["json_schema"]["strict"], true);
    assert_eq!(request.body["temperature"], 0.1);
    assert!(request.body.get("usage").is_none(), "only OpenRouter knows that");
}

/// What the server does, and what becomes of the call: after how many requests, as what, with which words.
type Fault = (Act, u32, Failure, &'static str);

fn half() -> String {
    "half an answer".to_owned()
}

fn inside(code: u16, message: &str) -> Act {
    Act::ErrorInside { code, message: message.to_owned() }
}

/// Connections that give no answer.
fn broken() -> Vec<Fault> {
    vec![
        (Act::Hang, 1, Failure::TimedOut, "no answer within"),
        (Act::HangInText(half()), 1, Failure::TimedOut, "no answer within"),
        (Act::CutStream { text: half(), pieces: 2 }, 3, Failure::Unreachable, "broke off after 8 bytes"),
        (Act::CutAnswer(half()), 3, Failure::Unreachable, "broke off"),
        (Act::Close, 3, Failure::Unreachable, "the connection broke"),
        (Act::Raw(b"SSH-2.0\r\n".to_vec()), 3, Failure::Unreachable, "the connection broke"),
    ]
}

/// Answers that are none.
fn unusable() -> Vec<Fault> {
    vec![
        (Act::EmptyChoices, 3, Failure::ProviderFailed, "no choice"),
        (Act::EmptyText, 3, Failure::ProviderFailed, "no text"),
        (Act::Garbage, 3, Failure::ProviderFailed, "not JSON"),
        (Act::Page, 3, Failure::ProviderFailed, "not JSON"),
        (Act::Huge(20_000_000), 1, Failure::ProviderFailed, "longer than 16777216 bytes"),
        (Act::Huge(1_100_000), 3, Failure::ProviderFailed, "longer than 1048576 bytes"),
        (inside(502, "upstream"), 3, Failure::ProviderFailed, "status 502: upstream"),
        (inside(429, "slow down"), 3, Failure::RateLimited, "status 429: slow down"),
        (
            Act::ErrorInStream { text: half(), code: 502, message: "gone".to_owned() },
            3,
            Failure::ProviderFailed,
            "gone",
        ),
    ]
}

/// Servers and models that say no.
fn refused() -> Vec<Fault> {
    let elsewhere = Act::Redirect("http://127.0.0.1:1/".to_owned());
    vec![
        (Act::TooMany { retry_after: None }, 3, Failure::RateLimited, "Rate limit reached"),
        (too_many("3600"), 1, Failure::RateLimited, "another try would have to wait 3600 s"),
        (error(500), 3, Failure::ProviderFailed, "status 500: it is 500"),
        (error(503), 3, Failure::ProviderFailed, "it is 503"),
        (error(409), 3, Failure::ProviderFailed, "it is 409"),
        (Act::Refusal("I will not".to_owned()), 1, Failure::Refused, "I will not"),
        (Act::Filtered, 1, Failure::Refused, "a filter"),
        (elsewhere, 1, Failure::NotAccepted, "nobody is followed"),
        (error(400), 1, Failure::NotAccepted, "it is 400"),
        (error(401), 1, Failure::NotAccepted, "look at the key"),
        (error(402), 1, Failure::BudgetExhausted, "nothing left"),
        (error(403), 1, Failure::NotAccepted, "look at the key"),
        (error(404), 1, Failure::NotAccepted, "the name of the model"),
        (error(413), 1, Failure::NotAccepted, "it is 413"),
    ]
}

#[test]
fn every_fault_ends_in_a_typed_reply() {
    for (act, tries, expected, words) in [broken(), unusable(), refused()].concat() {
        let name = format!("{act:?}").chars().take(60).collect::<String>();
        let hangs = matches!(act, Act::Hang | Act::HangInText(_));
        let it = Trial::new(ModelServer::playing([act]), |settings| {
            if hangs {
                settings.timeout = Period::from_millis(300);
            }
        });
        let reply = it.ask("state");
        let (because, message) = failure(&reply);
        assert_eq!((because, reply.usage.tries), (expected, tries), "{name}: {message}");
        assert!(message.contains(words) && message.starts_with("127.0.0.1"), "{name}: {message}");
        assert_eq!(it.server.count(), tries as usize, "{name}");
        assert!(!message.contains("half"), "{name}: what came of a broken answer is kept out: {message}");
    }
}

/// What is the strategies' to judge comes through unchanged.
#[test]
fn odd_answers_are_answers() {
    for (act, expected, complete) in [
        (Act::Fenced("{}".to_owned()), "```json\n{}\n```", true),
        (Act::Prose("{}".to_owned()), "Certainly! Here is my decision:\n\n{}\n\nLet me know.", true),
        (Act::Truncated("{\"moves\":[".to_owned()), "{\"moves\":[", false),
        (Act::Parts(vec!["{".to_owned(), "}".to_owned()]), "{}", true),
        (Act::ContentType { kind: "text/html".to_owned(), text: "{}".to_owned() }, "{}", true),
        (Act::Uncounted("{}".to_owned()), "{}", true),
        (
            Act::Stream("{} though nobody asked for a stream".to_owned()),
            "{} though nobody asked for a stream",
            true,
        ),
    ] {
        let told = Trial::playing(std::slice::from_ref(&act)).ask("state").told;
        assert_eq!(told, Told::Text { text: expected.to_owned(), complete }, "{act:?}");
    }
}

#[test]
fn nobody_there_is_a_typed_reply_too() {
    let gone = ModelServer::playing([answer("{}")]);
    let mut settings = settings(&gone);
    drop(gone);
    let ask = |settings: &ModelsConfig| {
        let dream = Box::new(Dream::default());
        Provider::with_time(settings, None, dream).unwrap().reply(&call("state"))
    };
    let reply = ask(&settings);
    let (because, message) = failure(&reply);
    assert_eq!((because, reply.usage.tries), (Failure::Unreachable, 3), "{message}");
    assert_eq!(reply.usage.prompt_tokens, 0, "nobody heard it");
    settings.endpoint = "https://169.254.169.254/v1".to_owned();
    let reply = ask(&settings);
    let (because, message) = failure(&reply);
    assert_eq!((because, reply.usage.tries), (Failure::Unreachable, 1));
    assert!(message.contains("write reach: company"), "{message}");
}

#[test]
fn a_stream_says_the_same_as_one_piece() {
    let long = "größer als ein Stück, and with \"quotes\" \\ and\nlines ".repeat(20);
    for act in [
        answer(&long),
        Act::Truncated(long.clone()),
        Act::Whole(long.clone()),
        Act::Fenced(long.clone()),
        Act::Priced { text: long.clone(), prompt_tokens: 70, completion_tokens: 30, cost: 0.0125 },
    ] {
        let ask = |stream: bool| {
            let it = Trial::new(ModelServer::playing([act.clone()]), |settings| settings.stream = stream);
            let reply = it.ask("state");
            assert_eq!(it.server.requests()[0].body.get("stream").is_some(), stream);
            reply
        };
        assert_eq!(ask(true), ask(false), "{act:?}");
    }
}

#[test]
fn what_may_pass_is_tried_again_after_pauses_that_grow() {
    let it = Trial::playing(&[error(500), Act::Close, answer("{}")]);
    let reply = it.ask("state");
    assert_eq!((text(&reply), reply.usage.tries), ("{}", 3));
    let naps = it.dream.naps();
    let within = |nap: Duration, most: u64| {
        nap >= Duration::from_millis(most / 2) && nap <= Duration::from_millis(most)
    };
    assert!(naps.len() == 2 && within(naps[0], 500) && within(naps[1], 1_000), "{naps:?}");
    assert_eq!(Duration::from_millis(reply.took.as_millis()), naps.iter().sum::<Duration>());
    let again = Trial::playing(&[error(500), Act::Close, answer("{}")]);
    again.ask("state");
    assert_eq!(again.dream.naps(), naps, "the same call waits the same");
    let other = Trial::playing(&[error(500), Act::Close, answer("{}")]);
    other.ask("another state");
    assert_ne!(other.dream.naps(), naps, "another call does not");
}

#[test]
fn a_server_is_left_alone_as_long_as_it_wants() {
    let it = Trial::playing(&[too_many("7"), answer("{}")]);
    assert_eq!(it.ask("state").usage.tries, 2);
    assert_eq!(it.dream.naps(), [Duration::from_secs(7)]);
    let it = Trial::new(ModelServer::playing([too_many("20"), answer("{}")]), |settings| settings.tries = 1);
    assert_eq!(because(&it.ask("state")), Failure::RateLimited);
    assert_eq!(text(&it.ask("another state")), "{}");
    assert_eq!(it.dream.naps(), [Duration::from_secs(20)], "others wait as well");
}

#[test]
fn a_call_ends_in_time_whatever_happens() {
    let it = Trial::new(ModelServer::playing([too_many("9")]), |settings| {
        settings.tries = 10;
        settings.timeout = Period::from_secs(20);
    });
    let reply = it.ask("state");
    assert_eq!((because(&reply), reply.usage.tries), (Failure::RateLimited, 3));
    assert!(reply.took < Period::from_secs(20));
    let it = Trial::new(ModelServer::playing([Act::Hang, answer("{}")]), |settings| {
        settings.try_timeout = Some(Period::from_millis(200));
    });
    let reply = it.ask("state");
    assert_eq!((text(&reply), reply.usage.tries), ("{}", 2), "a try that hangs is not the end");
    assert!(reply.usage.prompt_tokens > 3, "what hung may have to be paid for");
}

#[test]
fn only_so_many_requests_go_out_in_a_minute() {
    let it = Trial::new(ModelServer::playing([answer("{}")]), |settings| settings.requests_per_minute = 2);
    for number in 0..5 {
        assert_eq!(text(&it.ask(&format!("state {number}"))), "{}");
    }
    assert_eq!(it.dream.naps(), [Duration::from_mins(1); 2]);
    let it = Trial::new(ModelServer::playing([answer("{}")]), |settings| {
        settings.requests_per_minute = 1;
        settings.timeout = Period::from_secs(30);
    });
    it.ask("state");
    let reply = it.ask("another state");
    assert_eq!((because(&reply), reply.usage.tries), (Failure::RateLimited, 0));
    assert_eq!((it.server.count(), it.dream.naps().len()), (1, 0));
}

#[test]
fn threads_ask_at_the_same_time_but_not_all_of_them() {
    let (now, most) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (inside, peak) = (Arc::clone(&now), Arc::clone(&most));
    let gate = Arc::new(std::sync::Barrier::new(2));
    let server = ModelServer::start(move |request: &Value| {
        peak.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Two at a time, or nobody ever gets on.
        gate.wait();
        inside.fetch_sub(1, Ordering::SeqCst);
        Act::Answer(request["messages"][1]["content"].as_str().unwrap().to_owned())
    });
    let it = Trial::new(server, |settings| settings.concurrent = 2);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let provider = &it.provider;
            scope.spawn(move || {
                let asked = format!("state {number}");
                assert_eq!(text(&provider.reply(&call(&asked))), asked);
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 2);
    assert_eq!(it.provider.standing().calls, 8);
}

#[test]
fn whoever_waits_may_be_part_of_another_runtime() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let told = runtime.block_on(async {
        let it = Trial::playing(&[answer("{}")]);
        it.ask("state").told
    });
    assert_eq!(told, Told::Text { text: "{}".to_owned(), complete: true });
}

const fn tokens(tokens: u64) -> Limit {
    Limit { tokens: Some(tokens), dollars: None }
}

#[test]
fn no_call_is_made_that_the_budget_has_no_room_for() {
    // A call is estimated at 10 tokens of prompt and schema and 100 of answer, and uses 7.
    let check = |name: &str, change: fn(&mut ModelsConfig), calls: usize| {
        let it = Trial::new(ModelServer::playing([answer("yes, of course")]), change);
        let heard: Vec<Reply> = (0..5)
            .map(|number| {
                let mut call = call("state");
                call.messages[0].text = format!("Role {number}.");
                it.provider.reply(&call)
            })
            .collect();
        for (number, reply) in heard.iter().enumerate() {
            if number < calls {
                assert_eq!(text(reply), "yes, of course", "{name}");
                continue;
            }
            let (because, message) = failure(reply);
            assert_eq!((because, reply.usage.tries), (Failure::BudgetExhausted, 0), "{name}");
            assert!(message.contains("was not asked: the budget"), "{message}");
        }
        assert_eq!(it.server.count(), calls, "{name}");
        it
    };
    check("call", |settings| settings.budgets.per_call = tokens(100), 0);
    check("cycle", |settings| settings.budgets.per_cycle = tokens(125), 3);
    check("total", |settings| settings.budgets.total = tokens(120), 2);
    let it = check("day", |settings| settings.budgets.per_day = tokens(120), 2);
    it.dream.pass(DAY);
    assert_eq!(text(&it.ask("state")), "yes, of course", "another day");
    assert_eq!(it.provider.standing().failed, 3);
    let it = check("another state of the world", |settings| settings.budgets.per_cycle = tokens(125), 3);
    assert_eq!(text(&it.ask("another state")), "yes, of course");
}

#[test]
fn money_is_counted_as_the_server_says_or_as_prices_say() {
    let price = Price { prompt: MicroDollars(1_000_000), completion: MicroDollars(10_000_000) };
    let priced = Act::Priced { text: "{}".to_owned(), prompt_tokens: 100, completion_tokens: 10, cost: 0.25 };
    let it = Trial::new(ModelServer::playing([priced, answer("yes!")]), |settings| {
        settings.openrouter = true;
        settings.prices = [("some/model".to_owned(), price)].into();
        settings.budgets.total = Limit { tokens: None, dollars: Some(MicroDollars(251_500)) };
    });
    assert_eq!(it.ask("state").usage.cost, MicroDollars(250_000));
    assert_eq!(it.server.requests()[0].body["usage"], json!({ "include": true }));
    let spent = Amount { tokens: 110, dollars: MicroDollars(250_000) };
    assert_eq!((it.provider.standing().spent_today, it.provider.standing().spent), (spent, spent));
    assert_eq!(it.ask("another state").usage.cost, MicroDollars(5 + 10), "5 tokens in, 1 out");
    it.provider.used_before(Usage { prompt_tokens: 7, ..Usage::default() });
    assert_eq!(it.provider.standing().spent_today.tokens, 110 + 6 + 7);
    let mut dear = call("a third state");
    dear.max_tokens = 1_000;
    assert_eq!(because(&it.provider.reply(&dear)), Failure::BudgetExhausted);
    assert_eq!(it.server.count(), 2);
}

#[test]
fn what_is_not_counted_is_estimated() {
    let it = Trial::playing(&[Act::Uncounted("twelve bytes".to_owned())]);
    let usage = it.ask("state").usage;
    // "Decide." and "state" are 12 bytes, the schema 17.
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (10, 4));
    let cut = Act::CutStream { text: "twelve bytes".to_owned(), pieces: 3 };
    let it = Trial::playing(&[cut, answer("yes!")]);
    let usage = it.ask("state").usage;
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (10 + 3, 4 + 1), "both tries");
    assert_eq!(it.provider.standing().spent.tokens, 18);
}

#[test]
fn a_server_that_fails_again_and_again_is_left_alone() {
    let works = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let switch = Arc::clone(&works);
    let server =
        ModelServer::start(move |_| if switch.load(Ordering::SeqCst) { answer("{}") } else { error(500) });
    let it = Trial::new(server, |settings| {
        settings.tries = 1;
        settings.breaker.failures = 3;
        settings.breaker.rest = Period::from_secs(60);
    });
    for number in 0..3 {
        assert_eq!(because(&it.ask(&format!("state {number}"))), Failure::ProviderFailed);
    }
    let reply = it.ask("state");
    let (because_open, message) = failure(&reply);
    assert_eq!((because_open, it.server.count()), (Failure::CircuitOpen, 3));
    assert!(message.contains("failed 3 times in a row and is left alone for 1m more"), "{message}");
    assert_eq!(it.provider.standing().breaker, BreakerState::Open { remaining: Period::from_secs(60) });
    it.dream.pass(Duration::from_secs(61));
    assert_eq!(because(&it.ask("probe")), Failure::ProviderFailed);
    assert_eq!(because(&it.ask("state")), Failure::CircuitOpen, "one failed probe is enough");
    it.dream.pass(Duration::from_secs(61));
    works.store(true, Ordering::SeqCst);
    assert_eq!(text(&it.ask("probe")), "{}");
    assert_eq!(it.provider.standing().breaker, BreakerState::Closed { failures: 0 });
    assert_eq!(it.server.count(), 5);
}

#[test]
fn a_server_that_speaks_is_not_left_alone_for_what_it_says() {
    let it = Trial::new(ModelServer::playing([error(404)]), |settings| settings.breaker.failures = 2);
    for number in 0..5 {
        assert_eq!(because(&it.ask(&format!("state {number}"))), Failure::NotAccepted);
    }
    assert_eq!(it.server.count(), 5);
}

/// Takes a shape from this on and nothing stricter.
fn accepting(shape: Option<&'static str>) -> ModelServer {
    ModelServer::start(move |request| {
        let asked = request["response_format"]["type"].as_str();
        match asked {
            Some(asked) if Some(asked) != shape => Act::Unsupported(format!("{SHAPE} of type {asked}")),
            _ => answer("{}"),
        }
    })
}

#[test]
fn a_server_without_schemas_is_asked_for_less_and_remembered() {
    for (shape, tries) in [(Some("json_schema"), 1), (Some("json_object"), 2), (None, 3)] {
        let it = Trial::new(accepting(shape), |settings| settings.tries = 1);
        let reply = it.ask("state");
        assert_eq!((text(&reply), reply.usage.tries), ("{}", tries), "{shape:?}");
        let last = it.server.requests().pop().unwrap().body;
        assert_eq!(last["response_format"]["type"].as_str(), shape);
        let system = last["messages"][0]["content"].as_str().unwrap();
        assert_eq!(
            system.contains(r#"{"type":"object"}"#),
            tries > 1,
            "otherwise the schema is told in words: {system}"
        );
        assert_eq!(it.ask("another state").usage.tries, 1, "it is remembered");
        let mut other = call("state");
        other.model = "another/model".to_owned();
        assert_eq!(it.provider.reply(&other).usage.tries, tries, "of this model only");
    }
}

#[test]
fn a_shape_that_somebody_insists_on_is_not_given_up() {
    let it = Trial::new(accepting(None), |settings| settings.structured = Structured::Schema);
    let reply = it.ask("state");
    let (because, message) = failure(&reply);
    assert_eq!((because, it.server.count()), (Failure::NotAccepted, 1));
    assert!(message.contains("write structured: auto"), "{message}");
    let it = Trial::new(accepting(None), |settings| settings.structured = Structured::Text);
    assert_eq!(it.ask("state").usage.tries, 1);
}

#[test]
fn other_words_for_the_same_are_learned_as_well() {
    let server = ModelServer::start(|request| {
        if request.get("max_tokens").is_some() {
            return Act::Unsupported("'max_tokens'; use 'max_completion_tokens' instead: it".to_owned());
        }
        if request.get("stream_options").is_some() {
            return Act::Unsupported("stream_options".to_owned());
        }
        Act::Stream("{}".to_owned())
    });
    let it = Trial::new(server, |settings| settings.stream = true);
    assert_eq!(it.ask("state").usage.tries, 3);
    assert_eq!(it.ask("another state").usage.tries, 1);
}

#[test]
fn the_key_is_in_the_header_and_nowhere_else() {
    let echo = |text: &str| format!("{text} {CANARY} {text}");
    let acts = [
        Act::Answer(echo("your key is")),
        Act::Stream(echo("your key is")),
        Act::Refusal(echo("no")),
        Act::Error { status: 401, kind: CANARY.to_owned(), message: echo("Incorrect API key provided:") },
        Act::Error { status: 500, kind: CANARY.to_owned(), message: echo(&"x".repeat(280)) },
        Act::ErrorInside { code: 403, message: echo("key") },
        Act::ErrorInStream { text: echo("a"), code: 500, message: echo("b") },
        Act::Redirect(format!("http://127.0.0.1:1/?key={CANARY}")),
        Act::Raw(
            format!("HTTP/1.1 400 Bad\r\ncontent-length: {}\r\n\r\n{CANARY}", CANARY.len()).into_bytes(),
        ),
        Act::Raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{CANARY}", CANARY.len()).into_bytes()),
        Act::Raw(format!("{CANARY}\r\n\r\n").into_bytes()),
    ];
    for act in acts {
        let it = Trial::playing(std::slice::from_ref(&act));
        let reply = it.ask("state");
        let everything = format!(
            "{} {reply:?} {:?} {:?}",
            serde_json::to_string(&reply).unwrap(),
            it.provider,
            it.provider.standing()
        );
        assert!(!everything.contains("canary"), "{act:?}: {everything}");
        for request in it.server.requests() {
            assert!(!request.body.to_string().contains("canary"), "{act:?}");
            assert!(request.authorization.is_some_and(|header| header.ends_with(CANARY)));
        }
    }
    let server = ModelServer::playing([answer("{}")]);
    let settings = settings(&server);
    let provider = Provider::new(&settings, None).unwrap();
    assert_eq!(text(&provider.reply(&call("state"))), "{}");
    assert_eq!(server.requests()[0].authorization, None, "a server on one's own machine needs none");
    let wrong = Provider::new(&settings, Some(Secret::received("canary\nwith a line"))).unwrap_err();
    assert!(!format!("{wrong:?} {wrong}").contains("canary"));
}
