//! A pod with scheduling gates is not scheduled until the last gate is gone.

use crate::scheduler::status::PodRejection;
use crate::scheduler::template::Template;

pub fn admit(template: &Template) -> Result<(), PodRejection> {
    if template.has_gates { Err(PodRejection::SchedulingGates) } else { Ok(()) }
}
