//! A model that is none: it reads what any model would be sent, decides sensibly, and makes mistakes at given rates.
//!
//! A pure function of the call and a seed, so that whatever is tried with it can be tried again. It knows messages and schema and
//! nothing else; who serves it behind a wire need not tell it more.

mod blunder;
mod faults;
#[cfg(test)]
mod tests;
mod thought;
mod told;

pub use faults::Faults;

use super::Correspondent;
use blunder::Slips;
use control::question::{Call, Reply, Told, Usage};
use model::money::MicroDollars;
use model::time::Period;
use simulator::randomness::{Randomness, Stream};
use told::Heard;

/// A token is about four characters of English, as providers say.
const CHARACTERS_PER_TOKEN: usize = 4;
/// Chosen: two seconds until the first word, fifty tokens a second after it. An answer about eighty workloads then takes about as
/// long as the quickest model in WASP's archive took (24 s).
const FIRST_WORD: Period = Period::from_secs(2);
const PER_TOKEN: Period = Period::from_millis(20);
/// Answers to the same question do not take equally long: between these thousandths of the above.
const LEAST_PACE: u64 = 750;
const MOST_PACE: u64 = 1_500;
/// Chosen: a quarter of a dollar for a million tokens read, two dollars for a million written; in quarters of a millionth each.
const PRICE_READ: u64 = 1;
const PRICE_WRITTEN: u64 = 8;

/// The stand-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandIn {
    pub faults: Faults,
    pub seed: u64,
}

impl StandIn {
    pub const fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, seed }
    }

    /// What it writes, and whether it came to an end by itself.
    pub fn write(&self, call: &Call) -> (String, bool) {
        let mut stream = self.stream(call, "slips");
        let Some(heard) = Heard::of(call) else {
            return ("I could not find any data in your message.".to_owned(), true);
        };
        let slips = Slips::drawn(&self.faults, heard.again, &mut stream);
        let (text, complete) = slips.written(&slips.items(&heard), heard.task);
        let most = (call.max_tokens as usize).saturating_mul(CHARACTERS_PER_TOKEN);
        match text.char_indices().nth(most) {
            Some((end, _)) => (text[..end].to_owned(), false),
            None => (text, complete),
        }
    }

    fn stream(&self, call: &Call, purpose: &str) -> Stream {
        Randomness::new(self.seed).stream(&format!("stand-in/{purpose}/{}", call.key()))
    }

    fn took(&self, call: &Call, tokens: u64) -> Period {
        let pace = self.stream(call, "pace").between(LEAST_PACE, MOST_PACE);
        let usual = FIRST_WORD.saturating_add(PER_TOKEN.saturating_mul(tokens));
        Period::from_millis(usual.as_millis().saturating_mul(pace) / 1_000)
    }
}

impl Correspondent for StandIn {
    fn reply(&self, call: &Call) -> Reply {
        let (text, complete) = self.write(call);
        let read: usize = call.messages.iter().map(|message| message.text.chars().count()).sum();
        let tokens = |characters: usize| characters.div_ceil(CHARACTERS_PER_TOKEN) as u64;
        let (prompt_tokens, completion_tokens) = (tokens(read), tokens(text.chars().count()));
        let quarters = prompt_tokens * PRICE_READ + completion_tokens * PRICE_WRITTEN;
        let usage = Usage {
            prompt_tokens,
            completion_tokens,
            cost: MicroDollars(quarters.div_ceil(4) as i64),
            tries: 1,
        };
        let took = self.took(call, completion_tokens);
        Reply { role: call.role.clone(), told: Told::Text { text, complete }, took, usage }
    }
}
