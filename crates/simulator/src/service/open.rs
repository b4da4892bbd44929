//! The open model: requests come however slow the answers are. One replica is an M/M/c/K queue in front of its cores.
//!
//! In the steady state everything is exact. Between steady states the number of requests inside follows the pointwise
//! stationary fluid flow: at every moment the queue behaves like the steady state that has as many requests inside. With
//! `inside(v)`, `accepted(v)` and `throughput(v)` of a steady state under the rate `v`, a step from `N` with the rate `r` solves
//!
//! ```text
//! inside(v) = N + length · (r · accepted(v) − throughput(v))
//! ```
//!
//! for `v`. This is the implicit Euler rule: stable for steps of any length, exact in the long run, and no request is lost or
//! made. Overload fills the queue at the rate that exceeds the capacity, and it drains later at the rate that is left.

use super::latency::{Law, Sojourn};
use super::root::crossing;
use super::station::Station;

/// A steady state of one replica; rates are per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steady {
    /// The share of requests that find a free place, and of those that find none; kept apart because the small one of the
    /// two cannot be had from the other.
    pub(super) accepted: f64,
    pub(super) refused: f64,
    pub(super) throughput: f64,
    /// Requests in the queue.
    pub(super) waiting: f64,
    /// All requests: waiting, on a server, or waiting for something else.
    pub(super) inside: f64,
    /// The share of accepted requests that find all servers busy.
    pub(super) wait_share: f64,
}

/// The end of one step of one replica.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// The rate of the steady state that the replica is in at the end of the step.
    pub(super) rate: f64,
    pub(super) steady: Steady,
}

/// The part of a queue beyond the last server: geometric with the ratio `load`, cut off after `places`. Weights are relative
/// to `below`, that of the states without waiting.
struct Tail {
    below: f64,
    /// Weight of the last state, of all states, and of all states times their number.
    last: f64,
    sum: f64,
    moment: f64,
}

impl Station {
    /// The steady state under a rate of arrivals.
    pub(super) fn steady(&self, rate: f64) -> Steady {
        let offered = rate * self.service;
        let whole_servers = self.servers.floor();
        let (loss, busy_alone) = erlang_loss(offered, whole_servers);
        let fraction = self.servers - whole_servers;
        let tail = Tail::new(offered / self.servers, self.queue + if fraction > 0.0 { 1.0 } else { 0.0 });
        let weight = tail.below + loss * tail.sum;
        let busy = (tail.below * busy_alone + self.servers * loss * tail.sum) / weight;
        let waiting = (loss * (tail.moment - fraction * tail.sum) / weight).max(0.0);
        let accepted = if offered > 0.0 { (busy / offered).min(1.0) } else { 1.0 };
        let throughput = busy / self.service;
        let waits = loss * (tail.below + tail.sum - tail.last) / weight;
        let wait_share = if accepted > 0.0 { (waits / accepted).clamp(0.0, 1.0) } else { 1.0 };
        let refused = loss * tail.last / weight;
        Steady {
            accepted,
            refused,
            throughput,
            waiting,
            inside: waiting + busy + throughput * self.delay,
            wait_share,
        }
    }

    /// One step of `seconds` with `rate` arrivals per second, beginning with `inside` requests.
    pub(super) fn step(&self, inside: f64, rate: f64, seconds: f64) -> Step {
        // Requests after the step and answered in it, against requests before the step and accepted in it. Their relative
        // difference has no pole where the queue has one, which makes the search short.
        let excess = |steady: &Steady| {
            let after = steady.inside + seconds * steady.throughput;
            let before = inside + seconds * rate * steady.accepted;
            if after + before > 0.0 { (after - before) / (after + before) } else { 0.0 }
        };
        let steady = self.steady(rate);
        if excess(&steady).abs() <= 1e-12 {
            return Step { rate, steady };
        }
        let capacity = self.capacity();
        // Rates from zero to infinity are mapped to 0..1; the end stands for a rate that fills every place at once.
        let rate_at = |position: f64| capacity * position / (1.0 - position);
        let end = 1.0 - 1e-12;
        let here = (rate / (rate + capacity)).min(end);
        let (low, high) = if excess(&steady) > 0.0 { (0.0, here) } else { (here, end) };
        let position = crossing(low, high, |position| excess(&self.steady(rate_at(position))));
        let rate = rate_at(position);
        Step { rate, steady: self.steady(rate) }
    }

    /// How long a request takes that arrives at the end of a step under `arrivals` per second.
    ///
    /// The requests inside are split in two: as many as chance would pile up under the rate, and the rest, a backlog that
    /// every new request has to wait for in full. Above the capacity chance adds as much as it does below it at the inverse
    /// load, since a queue that grows by some rate strays from its mean as one that shrinks by it does.
    pub(super) fn sojourn(&self, step: &Step, arrivals: f64) -> Sojourn {
        let capacity = self.capacity();
        let mirrored = if arrivals > capacity { capacity * (capacity / arrivals) } else { arrivals };
        let chance = if step.rate <= mirrored { step.steady } else { self.steady(mirrored) };
        let backlog = (step.steady.waiting - chance.waiting).max(0.0) / capacity;
        let mean_wait = if chance.throughput > 0.0 { chance.waiting / chance.throughput } else { 0.0 };
        let longest_wait = ((self.queue + 1.0) / capacity - backlog).max(0.0);
        let law = Law::exponentials(self.service, chance.wait_share, mean_wait, longest_wait);
        Sojourn::new(self.delay + backlog, law)
    }
}

/// The probability that all servers are busy when nobody can wait (Erlang's loss formula), and the servers busy on average,
/// which is `offered · (1 − loss)` without the difference of nearly equal numbers.
fn erlang_loss(offered: f64, servers: f64) -> (f64, f64) {
    if servers <= FEW_SERVERS {
        let (mut loss, mut fewer, mut count) = (1.0, 1.0, 1.0);
        while count <= servers {
            fewer = loss;
            loss = offered * fewer / (count + offered * fewer);
            count += 1.0;
        }
        return (loss, offered * servers / (servers + offered * fewer));
    }
    if offered >= servers {
        // 1 / loss = 1 + n/a + n(n−1)/a² + …, whose terms only fall.
        let rest = falling_sum(|term| (servers - term) / offered);
        return (1.0 / (1.0 + rest), offered * rest / (1.0 + rest));
    }
    // The Poisson probability of `servers` over that of at most `servers`; the latter is near one.
    let exponent =
        servers * libm::log(offered.max(f64::MIN_POSITIVE)) - offered - libm::lgamma(servers + 1.0);
    let exactly = libm::exp(exponent);
    let more = exactly * falling_sum(|term| offered / (servers + 1.0 + term));
    let loss = (exactly / (1.0 - more)).clamp(0.0, 1.0);
    (loss, offered * (1.0 - loss))
}

/// Up to here the loss is found server by server, which is quicker for few and exact for all.
const FEW_SERVERS: f64 = 64.0;

/// `r₀ + r₀r₁ + r₀r₁r₂ + …` for factors that are at most one and fall; about as many terms count as the square root of the servers.
fn falling_sum(factor: impl Fn(f64) -> f64) -> f64 {
    let (mut sum, mut product, mut term) = (0.0, 1.0, 0.0);
    loop {
        product *= factor(term);
        if product <= 1e-17 * sum || product <= 0.0 {
            return sum;
        }
        sum += product;
        term += 1.0;
    }
}

impl Tail {
    fn new(load: f64, places: f64) -> Self {
        if load <= 1.0 {
            let powers = Powers::new(load, places);
            let moment = powers.moment(load, places);
            return Self { below: 1.0, last: powers.end, sum: load * powers.sum, moment };
        }
        // Counted from the other end, so that nothing overflows.
        let inverse = 1.0 / load;
        let powers = Powers::new(inverse, places);
        // Σ (n − j) bʲ over j < n is n Σ bʲ − Σ j bʲ, and the last sum lacks only the term n bⁿ of the moment.
        let moment = places * (powers.sum + powers.end) - powers.moment(inverse, places);
        Self { below: powers.end, last: 1.0, sum: powers.sum, moment: moment.max(0.0) }
    }
}

/// Powers of a base from zero to one, with one logarithm for all of them.
struct Powers {
    logarithm: f64,
    /// `bⁿ`.
    end: f64,
    /// `1 + b + … + bⁿ⁻¹`.
    sum: f64,
}

impl Powers {
    fn new(base: f64, terms: f64) -> Self {
        if terms <= 0.0 {
            return Self { logarithm: 0.0, end: 1.0, sum: 0.0 };
        }
        if base <= 0.0 {
            return Self { logarithm: 0.0, end: 0.0, sum: 1.0 };
        }
        let logarithm = libm::log(base);
        let fallen = libm::expm1(terms * logarithm);
        let missing = 1.0 - base;
        let sum = if missing * terms < 1e-12 { terms } else { -fallen / missing };
        Self { logarithm, end: 1.0 + fallen, sum }
    }

    /// `b + 2b² + … + nbⁿ`.
    fn moment(&self, base: f64, terms: f64) -> f64 {
        if terms <= 0.0 || base <= 0.0 {
            return 0.0;
        }
        let missing = 1.0 - base;
        if missing * terms > 1e-3 {
            return (base * (self.sum - terms * self.end) / missing).max(0.0);
        }
        // Near one the quotient above is nearly 0/0: the series in the logarithm, exact to 1e-13 here.
        let slope = self.logarithm;
        let pairs = terms * (terms + 1.0);
        let squares = pairs * (2.0 * terms + 1.0) / 6.0;
        let cubes = pairs * pairs / 4.0;
        let fourths = squares * (3.0 * pairs - 1.0) / 5.0;
        pairs / 2.0 + slope * (squares + slope * (cubes / 2.0 + slope * fourths / 6.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_of_many_servers_continues_that_of_few() {
        for servers in [65.0, 100.0, 1_000.0, 4_096.0] {
            for load in [0.0, 1e-9, 0.3, 0.9, 0.999, 1.0, 1.001, 1.5, 100.0, 1e12] {
                let offered = load * servers;
                let (mut loss, mut count) = (1.0, 1.0);
                while count <= servers {
                    loss = offered * loss / (count + offered * loss);
                    count += 1.0;
                }
                let (got, busy) = erlang_loss(offered, servers);
                assert!((got - loss).abs() <= 1e-10 * loss, "{servers} {load}: {got} instead of {loss}");
                let error = (busy - offered * (1.0 - loss)).abs();
                assert!(error <= 1e-9 * busy + 1e-15 * offered, "{servers} {load}: {busy}");
            }
        }
    }

    #[test]
    fn sums_of_powers_are_right_on_both_sides_of_one() {
        for terms in [0_u32, 1, 2, 7, 100] {
            for base in [0.0, 1e-9, 0.3, 0.999, 0.999_999, 0.999_999_999_9, 1.0] {
                let direct: f64 = (0..terms).map(|term| libm::pow(base, f64::from(term))).sum();
                let first: f64 =
                    (1..=terms).map(|term| f64::from(term) * libm::pow(base, f64::from(term))).sum();
                let terms = f64::from(terms);
                let powers = Powers::new(base, terms);
                assert!((powers.sum - direct).abs() <= 1e-10 * direct, "{base} {terms}");
                let got = powers.moment(base, terms);
                assert!((got - first).abs() <= 1e-10 * first, "{base} {terms}: {got} {first}");
            }
        }
    }
}
