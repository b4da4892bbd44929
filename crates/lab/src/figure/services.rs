//! One service over time: what was asked and answered, how long answers took, and how many replicas there were.

use super::charts::{Charts, areas};
use super::{Figure, Ink, Line, Panel, Point, Shape, Unit};
use crate::summary::ServiceMeters;
use crate::wording;
use model::names::{ClusterName, WorkloadRef};
use model::series::ServiceSample;
use model::signal::Milli;

/// Above this, response times are shown in seconds.
const MANY_MILLISECONDS: f64 = 5_000.0;

impl Charts<'_> {
    pub fn service(&self, name: &WorkloadRef, samples: &[ServiceSample], meters: &ServiceMeters) -> Figure {
        let shown = wording::service(name);
        let title = format!("Service {}", wording::shortened(&shown, 60));
        let description =
            format!("{title} over {}. {}.", wording::moment(self.end), described(samples, meters));
        let panels = [requests(samples), self.response_times(samples, meters), self.replicas(samples)];
        let here = |panel: Panel| Panel { clusters: meters.clusters.clone(), ..panel };
        // Names have no underscore, so no two services get the same file.
        let key = format!("service-{}", shown.replace('/', "_"));
        let mut figure = self.drawing(&key, &title, description, panels.map(here).into());
        // Faults where it never ran did nothing to it.
        let concerns = |cluster: &ClusterName| meters.clusters.contains(cluster);
        figure.spans.retain(|span| span.cluster.as_ref().is_none_or(concerns));
        figure
    }

    fn response_times(&self, samples: &[ServiceSample], meters: &ServiceMeters) -> Panel {
        let limit = meters.objective.and_then(|objective| objective.latency_p95_ms);
        let slowest = samples.iter().map(|sample| plain(sample.latency_p95_ms)).fold(0.0, f64::max);
        let (unit, scale) =
            if slowest.max(limit.unwrap_or(0.0)) > MANY_MILLISECONDS { ("s", 1000.0) } else { ("ms", 1.0) };
        // Whoever gets no answer has no response time.
        let value = |sample: &ServiceSample| {
            if sample.throughput.0 > 0 { plain(sample.latency_p95_ms) / scale } else { 0.0 }
        };
        let mut taken = line("response time", Ink::Cluster(0), samples, value);
        taken.shape = Shape::Gaps;
        let title = format!("Response time that 95 of 100 answers did not exceed ({unit})");
        let mut panel = Panel { lines: vec![taken], ..Panel::new(&title, Unit::Amount) };
        if let Some(limit) = limit.map(|limit| limit / scale) {
            panel.lines.insert(0, line("objective", Ink::Limit, samples, |_| limit));
            panel.excess = areas(samples.iter().map(|sample| (sample.at, limit, value(sample))), self.end);
        }
        panel
    }

    fn replicas(&self, samples: &[ServiceSample]) -> Panel {
        let (needed, ready) = (
            |sample: &ServiceSample| f64::from(sample.replicas_needed),
            |sample: &ServiceSample| f64::from(sample.replicas_ready),
        );
        let lines =
            vec![line("needed", Ink::Total, samples, needed), line("ready", Ink::Cluster(0), samples, ready)];
        let missing = samples.iter().map(|sample| (sample.at, ready(sample), needed(sample)));
        Panel { lines, excess: areas(missing, self.end), ..Panel::new("Replicas", Unit::Pieces) }
    }
}

fn requests(samples: &[ServiceSample]) -> Panel {
    let mut lines = vec![
        line("asked", Ink::Total, samples, |sample| plain(sample.demand)),
        line("answered", Ink::Cluster(0), samples, |sample| plain(sample.throughput)),
    ];
    if samples.iter().any(|sample| sample.errors.0 > 0) {
        lines.push(line("failed", Ink::Failed, samples, |sample| plain(sample.errors)));
    }
    Panel { lines, ..Panel::new("Requests per second", Unit::Amount) }
}

fn plain(value: Milli) -> f64 {
    value.0 as f64 / 1000.0
}

fn line(label: &str, ink: Ink, samples: &[ServiceSample], value: impl Fn(&ServiceSample) -> f64) -> Line {
    let points = samples.iter().map(|sample| Point { at: sample.at, value: value(sample) }).collect();
    Line { label: label.to_owned(), ink, shape: Shape::Steps, points }
}

fn described(samples: &[ServiceSample], meters: &ServiceMeters) -> String {
    let most = |of: fn(&ServiceSample) -> f64| samples.iter().map(of).fold(0.0, f64::max);
    let asked = wording::significant(most(|sample| plain(sample.demand)));
    let needed = wording::whole(most(|sample| f64::from(sample.replicas_needed)));
    let promise = meters.objective.and_then(|objective| objective.latency_p95_ms);
    let promise = promise.map(|limit| format!(", the objective is {}", wording::milliseconds(limit)));
    format!(
        "At most {asked} requests per second were asked; {} of all were answered, 95 of 100 within {}{}; at most {} \
         replicas were ready and {needed} needed",
        wording::share(meters.answered_ratio()),
        wording::milliseconds(meters.p95_ms()),
        promise.unwrap_or_default(),
        meters.replicas_max
    )
}
