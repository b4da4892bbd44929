//! A trial: one case on both sides, pod by pod. The simulator follows every real decision, so both always decide about the
//! same cluster.

use crate::dice::Dice;
use crate::doubles::Double;
use crate::draw::{Case, Flavour};
use crate::error::Problem;
use crate::real::{Real, Verdict, name_of};
use crate::simulated::{Opinion, Simulated};
use crate::tally::{Judged, Tally};
use serde_json::Value;
use simulator::scheduler::Profile;
use simulator::scheduler::preemption::Preemptor;
use std::collections::BTreeSet;

/// A pod on its way.
struct Arrived {
    pod: Value,
    number: usize,
    arrival: Preemptor,
}

/// A pod that has had others stopped and waits for its node.
struct Waiting {
    arrived: Arrived,
    victims: BTreeSet<String>,
    /// How many more pods arrive before the victims are gone.
    arrivals_left: u64,
}

struct Trial<'a> {
    case: &'a Case,
    real: &'a mut Real,
    simulated: Simulated,
    doubles: Vec<Double>,
    tally: &'a mut Tally,
    dice: Dice,
    waiting: Option<Waiting>,
    /// Seconds since the beginning of the case; every pod that is bound begins in a second of its own.
    clock: u32,
}

/// Runs a case, if wanted with the doubles.
pub(crate) fn run(
    case: &Case,
    real: &mut Real,
    with_doubles: bool,
    tally: &mut Tally,
) -> Result<(), Problem> {
    real.set_up(case)?;
    tally.begin(case);
    let simulated = Simulated::new(case, Profile::default())?;
    let doubles = if with_doubles { Double::all(case)? } else { Vec::new() };
    let dice = Dice::new(case.seed, &format!("trial/{}", case.number));
    let mut trial =
        Trial { case, real: &mut *real, simulated, doubles, tally, dice, waiting: None, clock: 0 };
    for number in 0..case.pods.len() {
        trial.step(number)?;
    }
    trial.give_up()?;
    real.tear_down(case)
}

impl Trial<'_> {
    fn step(&mut self, number: usize) -> Result<(), Problem> {
        // As the API server has written it, with all defaults.
        let pod = self.real.create(&self.case.pods[number])?;
        let arrival = self.simulated.arrival(number, &pod)?;
        let opinion = self.simulated.opinion(arrival);
        for double in &mut self.doubles {
            double.consider(number, &pod)?;
        }
        let verdict = self.real.verdict_on(name_of(&pod))?;
        for double in &mut self.doubles {
            self.tally.count_double(double.name, double.agrees(&verdict));
        }
        let arrived = Arrived { pod, number, arrival };
        let counts = !self.real.is_stirred();
        self.settle(arrived, &opinion, verdict, counts)?;
        self.go_on_waiting()
    }

    /// Compares, and lets the simulator follow.
    fn settle(
        &mut self,
        arrived: Arrived,
        opinion: &Opinion,
        verdict: Verdict,
        counts: bool,
    ) -> Result<(), Problem> {
        let mut judged = Judged::new(self.case, &arrived.pod, opinion, &verdict);
        match verdict {
            Verdict::Bound(node) => self.bind(&arrived, &node)?,
            Verdict::Refused { nominated: None, .. } => self.real.remove(&arrived.pod)?,
            Verdict::Refused { nominated: Some(node), .. } => {
                let victims = self.victims(opinion, &node)?;
                judged.note_victims(opinion, &node, &victims, &self.already_going());
                self.promise(arrived, &node, victims)?;
            }
        }
        if counts {
            self.tally.count(&judged);
        } else {
            self.tally.unsettled += 1;
        }
        Ok(())
    }

    fn bind(&mut self, arrived: &Arrived, node: &str) -> Result<(), Problem> {
        self.clock += 1;
        let start_time = i64::from(self.clock) * 1_000;
        for side in self.sides() {
            side.bind(&arrived.arrival.request, node, start_time)?;
        }
        if self.case.flavour == Flavour::Preempting {
            let (minutes, seconds) = (self.clock / 60, self.clock % 60);
            let time = format!("2026-01-01T{:02}:{:02}:{seconds:02}Z", minutes / 60, minutes % 60);
            self.real.started(&arrived.pod, &time)?;
        }
        Ok(())
    }

    /// Who was asked to go; waits for those that the simulator would ask.
    fn victims(&mut self, opinion: &Opinion, node: &str) -> Result<BTreeSet<String>, Problem> {
        let expected = match opinion {
            Opinion::Refused { rooms, .. } => rooms.get(node).cloned().unwrap_or_default(),
            Opinion::Bound { .. } => BTreeSet::new(),
        };
        self.real.await_victims(&expected)
    }

    fn already_going(&self) -> BTreeSet<String> {
        self.waiting.as_ref().map(|waiting| waiting.victims.clone()).unwrap_or_default()
    }

    /// The pod waits for a node. Two that wait at a time would be taken up again in an order that nobody knows.
    fn promise(&mut self, arrived: Arrived, node: &str, victims: BTreeSet<String>) -> Result<(), Problem> {
        for side in self.sides() {
            side.promise(&arrived.arrival.request, node, &victims)?;
        }
        let had_another = self.waiting.is_some();
        self.give_up()?;
        let arrivals_left = if self.dice.chance(40) { self.dice.between(1, 4) } else { 0 };
        self.real.wait_for(Some(&arrived.pod));
        self.waiting = Some(Waiting { arrived, victims, arrivals_left });
        if had_another { self.give_up() } else { Ok(()) }
    }

    /// Another pod has arrived since; perhaps the victims are gone now.
    fn go_on_waiting(&mut self) -> Result<(), Problem> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        if self.real.is_stirred() {
            return self.give_up();
        }
        if waiting.arrivals_left > 0 {
            waiting.arrivals_left -= 1;
            return Ok(());
        }
        if self.dice.chance(70) { self.give_up() } else { self.make_room() }
    }

    /// The pod that waits goes, and its victims with it.
    fn give_up(&mut self) -> Result<(), Problem> {
        let Some(Waiting { arrived, victims, .. }) = self.waiting.take() else { return Ok(()) };
        self.real.wait_for(None);
        self.real.remove(&arrived.pod)?;
        for side in self.sides() {
            side.withdraw_promise(&arrived.arrival.request);
        }
        self.remove(&victims)
    }

    /// The victims are gone, and the pod that waits is taken up again.
    fn make_room(&mut self) -> Result<(), Problem> {
        let Some(mut waiting) = self.waiting.take() else { return Ok(()) };
        self.real.wait_for(None);
        waiting.arrived.arrival = self.simulated.arrival(waiting.arrived.number, &waiting.arrived.pod)?;
        self.remove(&waiting.victims)?;
        let opinion = self.simulated.opinion(waiting.arrived.arrival);
        if matches!(opinion, Opinion::Refused { .. }) {
            // Nothing would tell us that it was taken up in vain.
            self.waiting = Some(Waiting { victims: BTreeSet::new(), ..waiting });
            return self.give_up();
        }
        let mut verdict = self.real.verdict_on(name_of(&waiting.arrived.pod))?;
        while matches!(verdict, Verdict::Refused { .. }) {
            verdict = self.real.verdict_on(name_of(&waiting.arrived.pod))?;
        }
        self.tally.kept_promises += 1;
        self.settle(waiting.arrived, &opinion, verdict, true)
    }

    fn remove(&mut self, victims: &BTreeSet<String>) -> Result<(), Problem> {
        for pod in self.case.pods.iter().filter(|pod| victims.contains(name_of(pod))) {
            self.real.remove(pod)?;
        }
        for side in self.sides() {
            side.remove(victims);
        }
        Ok(())
    }

    /// The simulator and its doubles, which all follow the real side.
    fn sides(&mut self) -> impl Iterator<Item = &mut Simulated> {
        let doubles = self.doubles.iter_mut().map(|double| &mut double.simulated);
        std::iter::once(&mut self.simulated).chain(doubles)
    }
}
