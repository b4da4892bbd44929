//! A plan in words and numbers: drafts with their rationale, and the limits that moving alone cannot restore.

use super::board::{Item, Pool};
use super::shrink::Spare;
use super::state::{Admission, Growth, Obstacle, State};
use super::{GrowPolicy, Planner};
use crate::words;
use control::strategy::{LimitKind, UnmetLimit};
use model::action::Action;
use model::ratio::Ratio;
use model::recommendation::{Alternative, Draft, Evidence, Rationale};
use model::resources::Resources;
use model::time::{Period, Timestamp};

/// The drafts of a plan: nodes first, because the moves may need them.
pub(super) fn drafts(
    start: &State<'_, '_>,
    moved: &State<'_, '_>,
    planned: &State<'_, '_>,
    ask_for_nodes: bool,
) -> Vec<Draft> {
    let growth = planned.grown.iter().filter(|_| ask_for_nodes);
    let stuck = moved.stuck();
    let mut drafts: Vec<Draft> = growth.map(|growth| growth_draft(start, stuck, *growth)).collect();
    let mut requested: Vec<Resources> = start.yards.iter().map(|yard| yard.requested).collect();
    for relocation in &planned.moves {
        let item = &planned.board.items[relocation.item];
        let before = requested[item.site];
        requested[item.site] = before.minus(item.leaving());
        requested[relocation.to] += item.arriving();
        let step = Step { start, planned, index: relocation.item, item, to: relocation.to };
        drafts.push(step.draft(before, requested[item.site], requested[relocation.to]));
    }
    drafts
}

/// One move with all that is needed to explain it.
struct Step<'p, 'b, 'a> {
    start: &'p State<'b, 'a>,
    planned: &'p State<'b, 'a>,
    index: usize,
    item: &'p Item<'a>,
    to: usize,
}

impl Step<'_, '_, '_> {
    fn draft(&self, before: Resources, after: Resources, target: Resources) -> Draft {
        let board = self.planned.board;
        let (from, to) = (&board.sites[self.item.site], &board.sites[self.to]);
        let action = Action::Migrate {
            workload: self.item.name.clone(),
            from: from.name.clone(),
            to: to.name.clone(),
            replicas: self.item.replicas,
        };
        let capacity = self.planned.yards[self.item.site].capacity;
        let summary = format!(
            "{}; moving {} ({}) to {} brings its demand from {} to {}",
            trouble(self.start, self.item.site),
            self.item.name.name(),
            words::pods(self.item.pods, self.item.waiting),
            to.name,
            words::percent(before.load_of(capacity)),
            words::percent(after.load_of(capacity)),
        );
        let evidence = self.evidence(target);
        Draft {
            action,
            because: Rationale {
                summary,
                evidence,
                alternatives: self.alternatives(),
                ..Rationale::default()
            },
        }
    }

    fn evidence(&self, target: Resources) -> Vec<Evidence> {
        let board = self.planned.board;
        let to = &board.sites[self.to];
        let mut rows = load_evidence(self.start, self.item.site);
        rows.push(words::evidence(self.item.name, "pods", self.item.pods, None));
        rows.push(words::evidence(self.item.name, "pods without a node", self.item.waiting, None));
        let load = words::percent(target.load_of(self.planned.yards[self.to].capacity));
        rows.push(words::evidence(to.name, "demand after", load, Some(board.limit)));
        rows
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let board = self.planned.board;
        let mut rows = vec![self.staying()];
        for (site, place) in board.sites.iter().enumerate() {
            if site == self.to || site == self.item.site {
                continue;
            }
            let because =
                if place.visible { self.why_not(site) } else { "it cannot be seen at the moment".to_owned() };
            rows.push(words::rejected(format!("to {}", place.name), because));
        }
        rows
    }

    fn staying(&self) -> Alternative {
        let from = self.planned.board.sites[self.item.site].name;
        let because = match self.start.stuck_of(self.index) {
            0 => format!("{from} would stay above its limit"),
            stuck => format!("{} would keep waiting for a node", words::count(stuck, "pod")),
        };
        words::rejected(format!("stay in {from}"), because)
    }

    fn why_not(&self, site: usize) -> String {
        let board = self.planned.board;
        let (here, there) = (&board.sites[site], &board.sites[self.to]);
        match self.planned.takes(self.index, site, Admission::WithinLimit) {
            Err(Obstacle::Troubled) => "it is to be relieved itself".to_owned(),
            Err(Obstacle::Load(load)) => {
                format!("it would reach {} (limit {})", words::percent(load), words::percent(board.limit))
            }
            Err(Obstacle::Room(room)) => {
                format!("its nodes have room for {room} of {}", words::count(self.item.size, "pod"))
            }
            Ok(()) if self.item.awaited == Some(self.to) => {
                format!("moving to {} already waits for review", there.name)
            }
            Ok(()) if here.node_price() > there.node_price() => {
                format!(
                    "its nodes cost {} an hour, those of {} {}",
                    here.node_price(),
                    there.name,
                    there.node_price()
                )
            }
            Ok(()) => format!("{} was emptier", there.name),
        }
    }
}

/// `member1 is at 91.5 % CPU (limit 80 %) and 6 pods find no node`.
fn trouble(state: &State<'_, '_>, site: usize) -> String {
    let (yard, name) = (&state.yards[site], state.board.sites[site].name);
    let dimension = words::fuller_dimension(yard.requested, yard.capacity);
    let load = words::percent(state.demand(site));
    let limit = words::percent(state.board.limit);
    let stuck = without_node(state.stuck_at(site));
    match (state.is_over(site), state.stuck_at(site)) {
        (true, 0) => format!("{name} is at {load} {dimension} (limit {limit})"),
        (true, _) => format!("{name} is asked for {load} of its {dimension} (limit {limit}) and {stuck}"),
        (false, _) => format!("{name} is at {load} {dimension}, but {stuck} there"),
    }
}

fn without_node(pods: u64) -> String {
    let verb = if pods == 1 { "finds" } else { "find" };
    format!("{} {verb} no node", words::count(pods, "pod"))
}

fn load_evidence(state: &State<'_, '_>, site: usize) -> Vec<Evidence> {
    let (yard, name) = (&state.yards[site], state.board.sites[site].name);
    let limit = Some(state.board.limit);
    let cpu = words::percent(Ratio::of(yard.requested.cpu.0, yard.capacity.cpu.0));
    let memory = words::percent(Ratio::of(yard.requested.memory.0, yard.capacity.memory.0));
    vec![
        words::evidence(name, "CPU requested", cpu, limit),
        words::evidence(name, "memory requested", memory, limit),
        words::evidence(name, "pods without a node", state.stuck_at(site), None),
    ]
}

fn resize(state: &State<'_, '_>, site: usize, pool: usize, to: u32) -> (Action, String) {
    let place = &state.board.sites[site];
    let view: &Pool<'_> = &place.pools[pool];
    let action =
        Action::ResizePool { cluster: place.name.clone(), pool: view.name.clone(), from: view.nodes, to };
    (action, format!("pool {} of {} from {} to {to} nodes", view.name, place.name, view.nodes))
}

fn growth_draft(start: &State<'_, '_>, stuck: u64, growth: Growth) -> Draft {
    let pool = &start.board.sites[growth.site].pools[growth.pool];
    let (action, change) = resize(start, growth.site, growth.pool, pool.nodes + growth.nodes);
    let troubled: Vec<String> = start.troubled().into_iter().map(|site| trouble(start, site)).collect();
    let why = if stuck > 0 {
        format!("without them {} would run nowhere", words::count(stuck, "pod"))
    } else {
        "the load has been above its limit for too long, and moving alone cannot lower it".to_owned()
    };
    let summary = format!("{}; growing {change}: {why}", troubled.join("; "));
    let evidence = start.troubled().into_iter().flat_map(|site| load_evidence(start, site)).collect();
    let alternatives = vec![
        words::rejected("only move workloads", "no cluster has the room"),
        words::rejected("wait for an autoscaler", "it reacts only to pods that already wait"),
    ];
    Draft { action, because: Rationale { summary, evidence, alternatives, ..Rationale::default() } }
}

pub(super) fn shrink_draft(state: &State<'_, '_>, spare: Spare) -> Draft {
    let (action, change) = resize(state, spare.site, spare.pool, spare.to);
    let pool = &state.board.sites[spare.site].pools[spare.pool];
    let yard = &state.yards[spare.site];
    let less = pool.each.times(u64::from(pool.nodes - spare.to));
    let after = words::percent(yard.requested.load_of(yard.capacity.minus(less)));
    let limit = words::percent(state.board.limit);
    let summary =
        format!("shrinking {change}: the demand then is {after} (limit {limit}) and every pod finds room");
    let evidence = load_evidence(state, spare.site);
    Draft { action, because: Rationale { summary, evidence, ..Rationale::default() } }
}

/// What to say about limits that moving alone leaves broken.
pub(super) struct Shortfall<'p, 'b, 'a> {
    pub(super) moved: &'p State<'b, 'a>,
    pub(super) planned: &'p State<'b, 'a>,
    pub(super) planner: &'p Planner,
    pub(super) can_grow: bool,
    pub(super) now: Timestamp,
}

impl Shortfall<'_, '_, '_> {
    pub(super) fn unmet(&self) -> Vec<UnmetLimit> {
        let mut unmet = Vec::new();
        for site in self.moved.sites() {
            let cluster = self.moved.board.sites[site].name;
            if self.moved.is_over(site) {
                let reason = format!("{}; {}", self.load_reason(site), self.load_outlook(site));
                unmet.push(UnmetLimit { limit: LimitKind::Load, cluster: cluster.clone(), reason });
            }
            if self.moved.stuck_at(site) > 0 {
                let reason = format!("{}; {}", self.pending_reason(site), self.pending_outlook(site));
                unmet.push(UnmetLimit { limit: LimitKind::Pending, cluster: cluster.clone(), reason });
            }
        }
        unmet
    }

    fn load_reason(&self, site: usize) -> String {
        let state = self.moved;
        let by_memory =
            words::fuller_dimension(state.yards[site].requested, state.yards[site].capacity) == "memory";
        let amount = |what: Resources| if by_memory { what.memory.0 } else { what.cpu.0 };
        let shown =
            |what: Resources| if by_memory { words::memory(what.memory) } else { words::cpu(what.cpu) };
        let requested = state.sites().fold(Resources::default(), |sum, one| sum + state.yards[one].requested);
        let offered = state.sites().fold(Resources::default(), |sum, one| sum + state.allowed(one));
        let limit = words::percent(state.board.limit);
        if amount(requested) <= amount(offered) {
            let excess = state.excess(site);
            return format!(
                "{} too much is requested in {}, and no set of its movable workloads fits elsewhere within {limit}",
                shown(excess),
                state.board.sites[site].name,
            );
        }
        let pools = state.sites().flat_map(|one| state.board.sites[one].pools.iter());
        let node =
            pools.min_by_key(|pool| pool.price).map_or(0, |pool| amount(pool.each.share(state.board.limit)));
        let missing = amount(requested) - amount(offered);
        let nodes = missing.checked_add(node).and_then(|sum| (sum - 1).checked_div(node));
        let needed = nodes.map_or_else(
            || "there are no pools that could grow".to_owned(),
            |nodes| format!("{} would be needed", words::count(nodes, "more node")),
        );
        format!(
            "{} are requested, all clusters together offer {} within {limit}; {needed}",
            shown(requested),
            shown(offered),
        )
    }

    fn pending_reason(&self, site: usize) -> String {
        format!(
            "{} in {}, and no other cluster can take what waits",
            without_node(self.moved.stuck_at(site)),
            self.moved.board.sites[site].name,
        )
    }

    fn load_outlook(&self, site: usize) -> String {
        let planner = self.planner;
        let lasted = planner.overload_of(self.moved.board.sites[site].name, self.now);
        let patience = planner.config.patience;
        if !self.planned.is_over(site) && self.asks_for_nodes() {
            self.asked()
        } else if planner.config.grow != GrowPolicy::ForLimits {
            "nodes are not asked for because of load".to_owned()
        } else if !self.can_grow {
            "no pool may grow further".to_owned()
        } else if lasted < patience {
            format!("nodes are asked for once this has lasted {patience} (so far {})", whole_seconds(lasted))
        } else {
            "the nodes that pools may still add are not enough".to_owned()
        }
    }

    fn pending_outlook(&self, site: usize) -> String {
        if self.planned.stuck_at(site) < self.moved.stuck_at(site) {
            if self.asks_for_nodes() { self.asked() } else { "an autoscaler can add nodes".to_owned() }
        } else if self.planner.config.grow == GrowPolicy::Never {
            "nodes are never asked for".to_owned()
        } else {
            "no pool may grow as far as needed".to_owned()
        }
    }

    fn asks_for_nodes(&self) -> bool {
        self.planner.config.grow != GrowPolicy::Never && !self.planned.grown.is_empty()
    }

    fn asked(&self) -> String {
        let nodes: u32 = self.planned.grown.iter().map(|growth| growth.nodes).sum();
        format!(
            "moving alone cannot do it, so {} asked for",
            match nodes {
                1 => "1 node is".to_owned(),
                more => format!("{more} nodes are"),
            }
        )
    }
}

fn whole_seconds(period: Period) -> Period {
    Period::from_secs(period.as_millis() / 1_000)
}
