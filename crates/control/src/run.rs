//! The whole imperative shell: world, control, journal, world.

use crate::control_loop::ControlLoop;
use crate::journal::Journal;
use crate::world::World;

/// Which side of the loop stopped it.
#[derive(Debug, thiserror::Error)]
pub enum RunError<W, J> {
    #[error("the world failed")]
    World(#[source] W),
    #[error("the journal could not be written")]
    Journal(#[source] J),
}

/// Runs until the world ends. Every input and its effects are journalled before the effects start.
pub fn run<W: World, J: Journal>(
    world: &mut W,
    control: &mut ControlLoop,
    journal: &mut J,
) -> Result<(), RunError<W::Error, J::Error>> {
    while let Some((now, input)) = world.next_input(control.wake_at()).map_err(RunError::World)? {
        let effects = control.handle(now, &input);
        journal.append(now, &input, &effects).map_err(RunError::Journal)?;
        for effect in effects {
            world.start(effect).map_err(RunError::World)?;
        }
    }
    Ok(())
}
