//! Tokens and money: what may be spent, what was, and what is on its way.

use super::wire::Tokens;
use model::hash::ContentHash;
use model::money::MicroDollars;
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;

const DAY_MS: i64 = 86_400_000;

/// Cycles whose spending is remembered; those of more agents than that do not overlap.
const MOST_CYCLES: usize = 256;

/// Tokens for which prices are given.
const PRICED_TOKENS: u128 = 1_000_000;

/// What was used, or may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    pub tokens: u64,
    pub dollars: MicroDollars,
}

impl Amount {
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            dollars: MicroDollars(self.dollars.0.saturating_add(other.dollars.0)),
        }
    }

    const fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            dollars: MicroDollars(self.dollars.0.saturating_sub(other.dollars.0)),
        }
    }
}

/// What one thing may use; what is not said is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    pub tokens: Option<u64>,
    pub dollars: Option<MicroDollars>,
}

impl Limit {
    fn allows(self, amount: Amount) -> bool {
        self.tokens.is_none_or(|most| amount.tokens <= most)
            && self.dollars.is_none_or(|most| amount.dollars <= most)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tokens, self.dollars) {
            (Some(tokens), Some(dollars)) => write!(formatter, "{tokens} tokens and {dollars} dollars"),
            (Some(tokens), None) => write!(formatter, "{tokens} tokens"),
            (None, Some(dollars)) => write!(formatter, "{dollars} dollars"),
            (None, None) => formatter.write_str("no limit"),
        }
    }
}

/// What may be spent on what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budgets {
    pub per_call: Limit,
    /// On one state of the world, repairs and all specialists together.
    pub per_cycle: Limit,
    /// Of universal time.
    pub per_day: Limit,
    /// As long as whoever asks exists: an experiment, a desk until it is closed.
    pub total: Limit,
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    pub prompt: MicroDollars,
    pub completion: MicroDollars,
}

impl Price {
    /// Rounded up, so that many small calls do not cost nothing.
    pub fn of(self, tokens: Tokens) -> MicroDollars {
        let part =
            |price: MicroDollars, tokens: u64| u128::from(price.0.max(0).unsigned_abs()) * u128::from(tokens);
        let sum = part(self.prompt, tokens.prompt).saturating_add(part(self.completion, tokens.completion));
        MicroDollars(i64::try_from(sum.div_ceil(PRICED_TOKENS)).unwrap_or(i64::MAX))
    }
}

/// Which budget has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget {which} is {limit}; {spent} of it is used or on its way, and this needs up to {wanted}")]
pub(super) struct Exhausted {
    which: &'static str,
    limit: Limit,
    spent: Shown,
    wanted: Shown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shown(Amount);

impl fmt::Display for Shown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Amount { tokens, dollars } = self.0;
        write!(formatter, "{tokens} tokens")?;
        if dollars == MicroDollars::ZERO { Ok(()) } else { write!(formatter, " ({dollars} dollars)") }
    }
}

/// A call that wants to spend, and what it has spent before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spender {
    pub(super) cycle: ContentHash,
    pub(super) spent: Amount,
}

/// What is set aside for one request until it is known what it used.
#[derive(Debug)]
#[must_use]
pub(super) struct Reserved {
    amount: Amount,
    cycle: ContentHash,
    day: i64,
}

/// Spending on one state of the world.
#[derive(Debug)]
struct Cycle {
    id: ContentHash,
    spent: Amount,
    /// Which calls it consists of. None is made twice, so one that comes again belongs to another time when the world looked the same.
    calls: BTreeSet<ContentHash>,
}

/// Everything that was spent, and what is set aside, which counts as spent.
#[derive(Debug)]
pub(super) struct Purse {
    budgets: Budgets,
    cycles: VecDeque<Cycle>,
    day: i64,
    today: Amount,
    total: Amount,
}

impl Purse {
    pub(super) const fn new(budgets: Budgets) -> Self {
        Self {
            budgets,
            cycles: VecDeque::new(),
            day: 0,
            today: Amount { tokens: 0, dollars: MicroDollars::ZERO },
            total: Amount { tokens: 0, dollars: MicroDollars::ZERO },
        }
    }

    /// A call begins.
    pub(super) fn begin(&mut self, cycle: ContentHash, call: ContentHash) {
        let known = self.cycles.iter_mut().find(|known| known.id == cycle);
        if let Some(known) = known {
            if !known.calls.insert(call) {
                *known = Cycle { id: cycle, spent: Amount::default(), calls: BTreeSet::from([call]) };
            }
            return;
        }
        if self.cycles.len() == MOST_CYCLES {
            self.cycles.pop_front();
        }
        self.cycles.push_back(Cycle { id: cycle, spent: Amount::default(), calls: BTreeSet::from([call]) });
    }

    /// Sets aside what a request may use, if all budgets have room for it.
    pub(super) fn reserve(
        &mut self,
        wall_ms: i64,
        spender: Spender,
        wanted: Amount,
    ) -> Result<Reserved, Exhausted> {
        self.turn_page(wall_ms);
        let cycle = self.cycle(spender.cycle).map(|cycle| cycle.spent).unwrap_or_default();
        let Budgets { per_call, per_cycle, per_day, total } = self.budgets;
        for (which, limit, spent) in [
            ("of a call", per_call, spender.spent),
            ("of a cycle", per_cycle, cycle),
            ("of a day", per_day, self.today),
            ("in total", total, self.total),
        ] {
            if !limit.allows(spent.plus(wanted)) {
                return Err(Exhausted { which, limit, spent: Shown(spent), wanted: Shown(wanted) });
            }
        }
        self.add(spender.cycle, wanted);
        Ok(Reserved { amount: wanted, cycle: spender.cycle, day: self.day })
    }

    /// The request is over and used this much.
    #[expect(clippy::needless_pass_by_value, reason = "what is set aside is settled once")]
    pub(super) fn settle(&mut self, wall_ms: i64, reserved: Reserved, used: Amount) {
        self.turn_page(wall_ms);
        self.total = self.total.minus(reserved.amount);
        // What was set aside yesterday is not on today's page.
        if reserved.day == self.day {
            self.today = self.today.minus(reserved.amount);
        }
        if let Some(cycle) = self.cycle(reserved.cycle) {
            cycle.spent = cycle.spent.minus(reserved.amount);
        }
        self.add(reserved.cycle, used);
    }

    /// Today's spending of somebody who kept the purse before.
    pub(super) fn take_over(&mut self, wall_ms: i64, spent: Amount) {
        self.turn_page(wall_ms);
        self.today = self.today.plus(spent);
    }

    pub(super) fn today(&mut self, wall_ms: i64) -> Amount {
        self.turn_page(wall_ms);
        self.today
    }

    pub(super) const fn total(&self) -> Amount {
        self.total
    }

    fn cycle(&mut self, id: ContentHash) -> Option<&mut Cycle> {
        self.cycles.iter_mut().find(|cycle| cycle.id == id)
    }

    fn add(&mut self, cycle: ContentHash, amount: Amount) {
        self.today = self.today.plus(amount);
        self.total = self.total.plus(amount);
        if let Some(cycle) = self.cycle(cycle) {
            cycle.spent = cycle.spent.plus(amount);
        }
    }

    fn turn_page(&mut self, wall_ms: i64) {
        let day = wall_ms.div_euclid(DAY_MS);
        // A clock that is put back does not give a day's budget twice.
        if day > self.day {
            self.day = day;
            self.today = Amount::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ContentHash {
        ContentHash::of_bytes(text.as_bytes())
    }

    const fn tokens(tokens: u64) -> Amount {
        Amount { tokens, dollars: MicroDollars::ZERO }
    }

    const fn limit(tokens: u64) -> Limit {
        Limit { tokens: Some(tokens), dollars: None }
    }

    fn spender(cycle: &str) -> Spender {
        Spender { cycle: name(cycle), spent: Amount::default() }
    }

    /// Spends on a call of a cycle, and says which budget had no room.
    fn spend(purse: &mut Purse, wall_ms: i64, cycle: &str, call: &str, amount: u64) -> Option<&'static str> {
        purse.begin(name(cycle), name(call));
        match purse.reserve(wall_ms, spender(cycle), tokens(amount)) {
            Ok(reserved) => {
                purse.settle(wall_ms, reserved, tokens(amount));
                None
            }
            Err(exhausted) => Some(exhausted.which),
        }
    }

    #[test]
    fn every_budget_holds() {
        let budgets =
            Budgets { per_call: limit(50), per_cycle: limit(80), per_day: limit(150), total: limit(200) };
        let mut purse = Purse::new(budgets);
        assert_eq!(spend(&mut purse, 0, "a", "1", 51), Some("of a call"));
        assert_eq!(spend(&mut purse, 0, "a", "2", 50), None);
        assert_eq!(spend(&mut purse, 0, "a", "3", 40), Some("of a cycle"));
        assert_eq!(spend(&mut purse, 0, "a", "4", 30), None, "exactly all of it");
        assert_eq!(spend(&mut purse, 0, "b", "5", 50), None);
        assert_eq!(spend(&mut purse, DAY_MS - 1, "c", "6", 30), Some("of a day"));
        assert_eq!(spend(&mut purse, DAY_MS, "c", "7", 30), None, "another day");
        assert_eq!(spend(&mut purse, 3 * DAY_MS, "d", "8", 50), Some("in total"));
        assert_eq!(purse.total(), tokens(160));
    }

    #[test]
    fn what_is_on_its_way_counts_until_it_is_known() {
        let mut purse = Purse::new(Budgets { total: limit(100), ..Budgets::default() });
        let first = purse.reserve(0, spender("a"), tokens(80)).unwrap();
        assert!(purse.reserve(0, spender("b"), tokens(30)).is_err());
        purse.settle(0, first, tokens(20));
        let second = purse.reserve(0, spender("b"), tokens(30)).unwrap();
        purse.settle(0, second, tokens(500));
        assert_eq!(purse.total(), tokens(520), "what was used is used, whatever was expected");
        assert!(purse.reserve(0, spender("c"), tokens(0)).is_err());
    }

    #[test]
    fn a_call_that_is_tried_again_has_spent_before() {
        let mut purse = Purse::new(Budgets { per_call: limit(100), ..Budgets::default() });
        let again = Spender { cycle: name("a"), spent: tokens(60) };
        assert_eq!(purse.reserve(0, again, tokens(50)).unwrap_err().which, "of a call");
    }

    #[test]
    fn a_world_that_looks_the_same_again_is_another_cycle() {
        let mut purse = Purse::new(Budgets { per_cycle: limit(100), ..Budgets::default() });
        assert_eq!(spend(&mut purse, 0, "a", "1", 60), None);
        assert_eq!(spend(&mut purse, 0, "a", "2", 60), Some("of a cycle"));
        assert_eq!(spend(&mut purse, 0, "a", "1", 60), None);
        for number in 0..1_000 {
            assert_eq!(spend(&mut purse, 0, &number.to_string(), "1", 60), None);
        }
        assert_eq!(purse.cycles.len(), MOST_CYCLES);
    }

    #[test]
    fn midnight_takes_nothing_with_it() {
        let mut purse = Purse::new(Budgets { per_day: limit(100), ..Budgets::default() });
        let late = purse.reserve(DAY_MS - 1, spender("a"), tokens(80)).unwrap();
        purse.settle(DAY_MS + 1, late, tokens(70));
        assert_eq!(purse.today(DAY_MS + 1), tokens(70), "counted when it is known");
        assert_eq!(purse.today(DAY_MS - 1), tokens(70), "a clock that goes back starts no new day");
        purse.take_over(DAY_MS + 1, tokens(5));
        assert_eq!(purse.today(DAY_MS + 1), tokens(75));
    }

    #[test]
    fn money_is_counted_as_well() {
        let dollars = |cents: i64| MicroDollars(cents * 10_000);
        let total = Limit { tokens: Some(1_000), dollars: Some(dollars(10)) };
        let mut purse = Purse::new(Budgets { total, ..Budgets::default() });
        let dear = Amount { tokens: 1, dollars: dollars(11) };
        let refused = purse.reserve(0, spender("a"), dear).unwrap_err().to_string();
        assert_eq!(
            refused,
            "the budget in total is 1000 tokens and 0.1 dollars; 0 tokens of it is used or on its way, and this needs up to \
             1 tokens (0.11 dollars)"
        );
    }

    #[test]
    fn prices_are_for_a_million_and_rounded_up() {
        let price = Price { prompt: MicroDollars(150_000), completion: MicroDollars(600_000) };
        assert_eq!(price.of(Tokens { prompt: 1_000_000, completion: 1_000_000 }), MicroDollars(750_000));
        assert_eq!(price.of(Tokens { prompt: 1, completion: 0 }), MicroDollars(1));
        assert_eq!(price.of(Tokens::default()), MicroDollars::ZERO);
        let most = Price { prompt: MicroDollars(i64::MAX), completion: MicroDollars(i64::MAX) };
        assert_eq!(most.of(Tokens { prompt: u64::MAX, completion: u64::MAX }), MicroDollars(i64::MAX));
    }
}
