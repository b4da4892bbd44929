//! The closed model: users wait for an answer, think, and ask again.
//!
//! One replica with its users is a birth-and-death chain: with `n` requests at the servers, the other users send requests at the
//! rate `(users − n) / think time`, and answers leave at the rate `min(n, servers) / service time`. Its stationary distribution is
//! the product form that exact load-dependent mean value analysis steps through user by user; here it is summed from its most
//! probable state outwards, which is as exact, numerically stable, and takes about the square root of the users in time.

use super::latency::{Law, Sojourn};
use super::station::Station;

/// Above so many users of one replica the chain strays so little from its mean (under a per cent where it matters most) that
/// the bounds `users / (think time + service time)` and `capacity` are the result.
const MOST_EXACT_USERS: f64 = 100_000.0;

/// No user thinks for less than a microsecond; otherwise all would always be at the servers, and 0 divide something.
const LEAST_THINK: f64 = 1e-6;

/// States with a smaller share than this are left out.
const NEGLIGIBLE: f64 = 1e-17;

/// A replica and its users in the long run; rates are per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settled {
    pub(super) throughput: f64,
    /// Requests that find no place.
    pub(super) refused: f64,
    pub(super) waiting: f64,
    pub(super) inside: f64,
    pub(super) sojourn: Sojourn,
}

/// Means over the stationary distribution of the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Chain {
    busy: f64,
    waiting: f64,
    /// What a request that arrived now would have to wait for, in requests: mean and mean square.
    ahead: f64,
    ahead_squared: f64,
}

impl Station {
    /// What so many users do to one replica.
    pub(super) fn settle(&self, users: f64, think_seconds: f64, error_pause: f64) -> Settled {
        let think = think_seconds.max(0.0) + self.delay;
        let chain = self.chain(users, think);
        let throughput = chain.busy / self.service;
        let refused = if chain.waiting > self.queue {
            let room = self.servers + self.queue + throughput * self.delay;
            ((users - room).max(0.0) / think_seconds.max(error_pause) - throughput).max(0.0)
        } else {
            0.0
        };
        let waiting = chain.waiting.min(self.queue);
        let inside = (waiting + chain.busy + throughput * self.delay).min(users);
        let law = self.response(users, think, waiting, throughput);
        Settled { throughput, refused, waiting, inside, sojourn: Sojourn::new(self.delay, law) }
    }

    /// A request meets the others as they would be without its user (the arrival theorem), waits for those ahead of it and is
    /// then served: mean and variance are exact, and the gamma distribution that has them is not far off.
    fn response(&self, users: f64, think: f64, waiting: f64, throughput: f64) -> Law {
        let others = self.chain((users - 1.0).max(0.0), think);
        let each = self.service / self.servers;
        let mean_wait = if throughput > 0.0 { waiting / throughput } else { 0.0 };
        // The places of the queue bound what can be ahead.
        let bound = self.queue + 1.0;
        let (ahead, spread) = if others.ahead > bound {
            (bound, 0.0)
        } else {
            (others.ahead, (others.ahead_squared - others.ahead * others.ahead).max(0.0))
        };
        let variance = self.service * self.service + each * each * (ahead + spread);
        Law::gamma(self.service + mean_wait, variance)
    }

    fn chain(&self, users: f64, think: f64) -> Chain {
        let think = think.max(LEAST_THINK);
        if users > MOST_EXACT_USERS { self.bounds(users, think) } else { self.exact(users, think) }
    }

    /// The most probable number of requests at the servers, up to rounding.
    fn usual_number(&self, users: f64, think: f64) -> f64 {
        let unhindered = self.service * (users + 1.0) / (self.service + think);
        let crowded = users + 1.0 - self.servers * think / self.service;
        let usual = if unhindered <= self.servers { unhindered } else { crowded.max(self.servers) };
        usual.clamp(0.0, users).floor()
    }

    fn exact(&self, users: f64, think: f64) -> Chain {
        let arrivals = |number: f64| (users - number).max(0.0) / think;
        let answers = |number: f64| number.min(self.servers) / self.service;
        let (start, mut total, mut chain) = (self.usual_number(users, think), 0.0, Chain::default());
        let (mut number, mut weight) = (start, 1.0);
        while weight > NEGLIGIBLE * total {
            self.count(&mut chain, number, weight);
            total += weight;
            weight *= arrivals(number) / answers(number + 1.0);
            number += 1.0;
        }
        (number, weight) = (start, 1.0);
        while number > 0.0 {
            weight *= answers(number) / arrivals(number - 1.0);
            number -= 1.0;
            if weight <= NEGLIGIBLE * total {
                break;
            }
            self.count(&mut chain, number, weight);
            total += weight;
        }
        chain.divided_by(total)
    }

    fn count(&self, chain: &mut Chain, number: f64, weight: f64) {
        let ahead = (number + 1.0 - self.servers).max(0.0);
        chain.busy += weight * number.min(self.servers);
        chain.waiting += weight * (number - self.servers).max(0.0);
        chain.ahead += weight * ahead;
        chain.ahead_squared += weight * ahead * ahead;
    }

    fn bounds(&self, users: f64, think: f64) -> Chain {
        let busy = (users * self.service / (think + self.service)).min(self.servers);
        let waiting = (users - busy - busy / self.service * think).max(0.0);
        Chain { busy, waiting, ahead: waiting, ahead_squared: waiting * waiting }
    }
}

impl Chain {
    fn divided_by(self, total: f64) -> Self {
        Self {
            busy: self.busy / total,
            waiting: self.waiting / total,
            ahead: self.ahead / total,
            ahead_squared: self.ahead_squared / total,
        }
    }
}
