//! Random Deployments, and what happens to them.

use super::Sizes;
use crate::dice::Dice;
use simulator::controllers::int_or_percent::IntOrPercent;

/// What the user wants of a Deployment.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) replicas: u32,
    /// Surge and unavailability; nothing: all old pods go first.
    pub(crate) rolling: Option<(IntOrPercent, IntOrPercent)>,
    /// The number of the present template.
    pub(crate) template: u64,
    /// Templates so far.
    templates: u64,
    pub(crate) paused: bool,
    pub(crate) history: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Create,
    /// So many pods of a template become ready.
    Ready {
        template: u64,
        pods: u32,
    },
    /// A ready pod of a template is ready no more.
    Break {
        template: u64,
    },
    NewTemplate,
    OldTemplate {
        template: u64,
    },
    Resize {
        replicas: u32,
    },
    Pause {
        paused: bool,
    },
}

impl Wish {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let rolling = (!dice.chance(10)).then(|| {
            loop {
                let pair = (amount(dice), amount(dice));
                // Both zero is refused: nothing could ever move.
                if !(is_zero(pair.0) && is_zero(pair.1)) {
                    break pair;
                }
            }
        });
        Self {
            replicas: dice.between(0, 14) as u32,
            rolling,
            template: 1,
            templates: 1,
            paused: false,
            history: dice.number(&[10, 10, 2, 1, 0]) as u32,
        }
    }
}

fn amount(dice: &mut Dice) -> IntOrPercent {
    if dice.chance(50) {
        IntOrPercent::Count(dice.between(0, 4) as u32)
    } else {
        IntOrPercent::Percent(dice.number(&[0, 10, 25, 30, 50, 100]) as u32)
    }
}

fn is_zero(amount: IntOrPercent) -> bool {
    matches!(amount, IntOrPercent::Count(0) | IntOrPercent::Percent(0))
}

impl Action {
    /// Mostly pods become ready, as otherwise nothing moves.
    pub(super) fn draw(dice: &mut Dice, wish: &Wish, sizes: &Sizes) -> Self {
        match dice.between(1, 100) {
            1..=8 => Self::NewTemplate,
            9..=11 => Self::OldTemplate { template: dice.between(1, wish.templates) },
            12..=20 => Self::Resize { replicas: dice.between(0, 16) as u32 },
            21..=24 => Self::Pause { paused: !wish.paused },
            25..=32 => Self::breaking(dice, sizes).unwrap_or(Self::NewTemplate),
            _ => Self::readying(dice, sizes).unwrap_or(Self::NewTemplate),
        }
    }

    fn readying(dice: &mut Dice, sizes: &Sizes) -> Option<Self> {
        let waiting: Vec<(u64, u32)> = sizes
            .iter()
            .filter(|(_, (wanted, ready))| wanted > ready)
            .map(|(t, (w, r))| (*t, w - r))
            .collect();
        let (template, most) = *waiting.get(dice.index(waiting.len().max(1)))?;
        Some(Self::Ready { template, pods: dice.between(1, u64::from(most)) as u32 })
    }

    fn breaking(dice: &mut Dice, sizes: &Sizes) -> Option<Self> {
        let ready: Vec<u64> = sizes.iter().filter(|(_, (_, ready))| *ready > 0).map(|(t, _)| *t).collect();
        let template = *ready.get(dice.index(ready.len().max(1)))?;
        Some(Self::Break { template })
    }

    /// What the user wants from now on.
    pub(super) fn change(&self, wish: &mut Wish) {
        match self {
            Self::Create | Self::Ready { .. } | Self::Break { .. } => {}
            Self::NewTemplate => {
                wish.templates += 1;
                wish.template = wish.templates;
            }
            Self::OldTemplate { template } => wish.template = *template,
            Self::Resize { replicas } => wish.replicas = *replicas,
            Self::Pause { paused } => wish.paused = *paused,
        }
    }

    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Create => "a Deployment is created",
            Self::Ready { .. } => "pods become ready",
            Self::Break { .. } => "a pod is ready no more",
            Self::NewTemplate => "a new template",
            Self::OldTemplate { .. } => "back to an old template",
            Self::Resize { .. } => "another number of replicas",
            Self::Pause { .. } => "paused, or no longer",
        }
    }
}
