//! A level made of straight lines, one after the other: what stages, steps, ramps and traces have in common.

/// A straight line; without length it is a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    start: u64,
    length: u64,
    from: f64,
    to: f64,
}

/// Lines in the order of time, in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    first: f64,
    lines: Vec<Line>,
    end: u64,
    /// How long one turn takes; nothing if the last level stays for ever.
    turn: Option<u64>,
}

impl Course {
    /// A course without lines is its first level for ever.
    pub(super) const fn starting_at(first: f64) -> Self {
        Self { first, lines: Vec::new(), end: 0, turn: None }
    }

    /// Goes straight to a level.
    pub(super) fn line_to(&mut self, length: u64, to: f64) {
        self.lines.push(Line { start: self.end, length, from: self.last(), to });
        self.end = self.end.saturating_add(length);
    }

    /// Jumps to a level and stays there.
    pub(super) fn step_to(&mut self, length: u64, to: f64) {
        self.line_to(0, to);
        self.line_to(length, to);
    }

    /// Begins anew after so long; what does not fit into a turn is never reached, and a turn of no length is none.
    pub(super) fn repeat_after(&mut self, turn: u64) {
        self.turn = (turn > 0).then_some(turn);
    }

    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    fn last(&self) -> f64 {
        self.lines.last().map_or(self.first, |line| line.to)
    }

    /// The time inside the turn, and when the turn began.
    fn inside(&self, at: u64) -> (u64, u64) {
        let inside = self.turn.map_or(at, |turn| at % turn);
        (inside, at - inside)
    }

    /// The last line that has begun, and the one after it.
    fn lines_at(&self, inside: u64) -> (Option<&Line>, Option<&Line>) {
        let begun = self.lines.partition_point(|line| line.start <= inside);
        (begun.checked_sub(1).and_then(|index| self.lines.get(index)), self.lines.get(begun))
    }

    pub(super) fn at(&self, at: u64) -> f64 {
        let (inside, _) = self.inside(at);
        match self.lines_at(inside).0 {
            None => self.first,
            Some(line) if inside - line.start >= line.length => line.to,
            Some(line) => {
                line.from + (line.to - line.from) * ((inside - line.start) as f64 / line.length as f64)
            }
        }
    }

    pub(super) fn next_change_after(&self, at: u64) -> Option<u64> {
        let (inside, began) = self.inside(at);
        let (line, next) = self.lines_at(inside);
        let bend = match next {
            Some(next) => Some(next.start),
            None => Some(self.end).filter(|end| inside < *end),
        };
        let sample = line
            .filter(|line| line.from != line.to && inside - line.start < line.length)
            .map(|line| line.start + next_sample(inside - line.start, line.length));
        let turn = self.turn;
        [bend, sample, turn].into_iter().flatten().min().map(|change| began.saturating_add(change))
    }
}

/// The next moment to look at something that moves for `length`: a 32nd of it, at least a second, at most a minute.
fn next_sample(inside: u64, length: u64) -> u64 {
    let step = (length / 32).clamp(1_000, 60_000);
    (inside / step + 1) * step
}
