//! Bringing the list of webhooks up to date with the desk's file when a desk opens.

use super::Webhook;
use crate::access::record;
use crate::storage::tables::webhooks;
use crate::storage::{Error, JsonText, Transaction};
use serde_json::json;

/// Enters new webhooks, changes those that changed, and lets those rest that the file does not name any more. Whoever is new is told
/// what happens from now on.
pub(crate) fn register(
    transaction: &mut dyn Transaction,
    hooks: &[Webhook],
    wall_ms: i64,
) -> Result<(), Error> {
    let known = webhooks::all(transaction)?;
    for hook in hooks {
        let former = known.iter().find(|known| known.id == hook.name);
        enter(transaction, hook, former, wall_ms)?;
    }
    let gone = known.iter().filter(|known| hooks.iter().all(|hook| hook.name != known.id));
    for hook in gone.filter(|known| known.disabled_wall_ms.is_none()) {
        webhooks::set_disabled(transaction, &hook.id, Some(wall_ms))?;
        record::note(transaction, wall_ms, "webhook.removed", ("desk", &hook.id), &json!({}))?;
    }
    Ok(())
}

fn enter(
    transaction: &mut dyn Transaction,
    hook: &Webhook,
    former: Option<&webhooks::Webhook>,
    wall_ms: i64,
) -> Result<(), Error> {
    let active = former.filter(|former| former.disabled_wall_ms.is_none());
    let row = webhooks::Webhook {
        id: hook.name.clone(),
        url: hook.shown_url(),
        events: JsonText::of(&hook.events),
        secret_reference: Some(hook.secret_place.clone()),
        created_by: "desk".to_owned(),
        created_wall_ms: former.map_or(wall_ms, |former| former.created_wall_ms),
        disabled_wall_ms: None,
        delivered: former.map_or(0, |former| former.delivered),
        succeeded_wall_ms: former.and_then(|former| former.succeeded_wall_ms),
        failed_wall_ms: former.and_then(|former| former.failed_wall_ms),
        last_error: former.and_then(|former| former.last_error.clone()),
    };
    if active == Some(&row) {
        return Ok(());
    }
    webhooks::put(transaction, &row)?;
    // An address can hold a secret, so the record does not have it.
    let kind = if active.is_some() { "webhook.changed" } else { "webhook.added" };
    record::note(transaction, wall_ms, kind, ("desk", &hook.name), &json!({ "events": hook.events }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Secret;
    use crate::storage::tables::journal;
    use crate::testing::on_both;

    fn hook(name: &str, url: &str) -> Webhook {
        let (secret, secret_place) = (Secret::received("s"), "env:HOOK".to_owned());
        Webhook { name: name.into(), url: url.into(), secret, secret_place, events: Vec::new() }
    }

    #[test]
    fn the_list_follows_the_file() {
        on_both(|database| {
            let take = |hooks: &[Webhook], at| database.write(|transaction| register(transaction, hooks, at));
            let kinds = || -> Result<Vec<String>, Error> {
                let all = database.read(|connection| journal::after(connection, 0, 100))?;
                Ok(all.into_iter().map(|entry| format!("{} {}", entry.kind, entry.subject)).collect())
            };
            take(&[hook("a", "https://a.test"), hook("b", "https://b.test")], 1)?;
            take(&[hook("a", "https://a.test"), hook("b", "https://b.test")], 2)?;
            assert_eq!(kinds()?, ["webhook.added a", "webhook.added b"], "nothing changed the second time");
            take(&[hook("b", "https://other.test/?key=s3cret")], 3)?;
            take(&[hook("a", "https://a.test"), hook("b", "https://other.test/?key=s3cret")], 4)?;
            assert_eq!(kinds()?[2..], ["webhook.changed b", "webhook.removed a", "webhook.added a"]);
            let kept = database.read(|connection| webhooks::get(connection, "b"))?.expect("it is kept");
            assert_eq!(kept.url, "https://other.test/", "nothing of a query is kept");
            Ok(())
        });
    }
}
