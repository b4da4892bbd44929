//! Courses that stand in files of their own: demand of services, and carbon intensity of clusters.

use super::{Beside, Checker};
use crate::carbon::{self, raw::RawCarbon};
use crate::demand::{FileTrace, file_traces};
use crate::scenario::raw::RawScenario;
use model::document::Problems;
use model::energy::CarbonIntensity;
use model::time::Period;

impl Checker<'_> {
    /// Reads all of them; what is wrong inside of them goes to `elsewhere`.
    pub(super) fn courses<D>(
        &mut self,
        raw: &mut RawScenario<D>,
        beside: Beside<'_>,
        elsewhere: &mut Vec<Problems>,
    ) {
        for (index, cluster) in raw.clusters.iter_mut().enumerate() {
            let Some(RawCarbon::File(course)) = &mut cluster.carbon else { continue };
            let path = format!("clusters[{index}].carbon.file");
            let bytes = self.beside(&path, &course.file, &mut *beside);
            let read = bytes.map(|bytes| carbon::csv::read(&course.file, &bytes));
            let rows = read.and_then(|read| read.map_err(|problems| elsewhere.push(problems)).ok());
            course.recorded = rows.or_else(|| Some(vec![(Period::ZERO, CarbonIntensity(0))]));
        }
        for (index, workload) in raw.workloads.iter_mut().enumerate() {
            let Some(service) = &mut workload.service else { continue };
            for FileTrace { path, trace } in file_traces(&mut service.demand) {
                let path = format!("workloads[{index}].service.demand{path}.file");
                let file = trace.file.clone().unwrap_or_default();
                let bytes = self.beside(&path, &file, &mut *beside);
                let recorded = bytes.map(|bytes| trace.record(&file, &bytes));
                match recorded {
                    Some(Ok(())) => {}
                    Some(Err(problems)) => {
                        elsewhere.push(problems);
                        trace.stand_in();
                    }
                    None => trace.stand_in(),
                }
            }
        }
    }

    /// The bytes of a file that stands beside the scenario.
    pub(super) fn beside(&mut self, path: &str, file: &str, beside: Beside<'_>) -> Option<Vec<u8>> {
        let proposal = "name the file as seen from the folder of the scenario";
        let bytes = if self.doubts.cover(path) { return None } else { beside(file) };
        bytes.map_err(|why| self.report(path, why, proposal)).ok()
    }
}
