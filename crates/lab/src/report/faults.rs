//! The section about what went wrong.

use super::html::{push, write_figure};
use super::tables::{MOST_ROWS, cell, close, left_out_of, open};
use super::{Figures, ReportInput};
use crate::summary::FaultRecord;
use crate::wording;

pub(super) fn write(out: &mut String, input: &ReportInput<'_>, figures: &Figures) {
    let before = figures.course.len() + figures.services.len();
    for (index, figure) in figures.faults.iter().enumerate() {
        write_figure(out, before + index + 1, figure, "A bar lasts as long as the fault.");
    }
    let faults = &input.summary.faults;
    let columns = ["Fault", "What", "From", "Lasted", "Hit"];
    open(out, "plain faults", "Everything that went wrong; the numbers are those in the figures", &columns);
    out.push_str("<tbody>");
    for (index, fault) in faults.iter().take(MOST_ROWS).enumerate() {
        let number = index + 1;
        push(
            out,
            format_args!(
                "<tr><th scope=\"row\" id=\"fault-{number}\"><span class=\"ring\">F{number}</span></th>"
            ),
        );
        row(out, fault);
        out.push_str("</tr>");
    }
    out.push_str("</tbody>");
    close(out);
    left_out_of(out, faults.len(), "summary.json");
}

fn row(out: &mut String, fault: &FaultRecord) {
    cell(out, "", &wording::fault(fault));
    cell(out, "when", &wording::seconds(fault.from_s));
    let lasted = wording::seconds(fault.to_s - fault.from_s);
    let lasted = if fault.ended { lasted } else { format!("{lasted}, until the end") };
    cell(out, "when", &lasted);
    cell(out, "", &wording::hit(&fault.hit));
}
