//! How large a rule and its evaluation may become. Rules come from files and requests, so every size has an end.

/// Bytes of one rule. The longest one in our guide has 300; who needs more has several rules.
pub const MAX_TEXT: usize = 4_096;

/// Expressions inside expressions. CEL asks for at least 24 operators in a row and 12 brackets in brackets; twice the larger
/// and some room is far below what a thread's stack holds.
pub const MAX_DEPTH: usize = 64;

/// Problems that are listed for one rule; more of them say nothing new.
pub const MAX_PROBLEMS: usize = 20;

/// Elements of a list that an evaluation makes. A federation has hundreds of clusters, not ten thousand.
pub const MAX_ELEMENTS: usize = 10_000;

/// Steps of one evaluation: one for each expression that is looked at, and one for every [`BYTES_PER_STEP`] of text or every element
/// that is compared or copied. A loop in a loop over 100 clusters takes some 60,000; a second of one core does millions.
pub const MAX_STEPS: u32 = 200_000;

/// Comparing or copying so many bytes costs about as much as looking at one expression.
pub const BYTES_PER_STEP: usize = 16;

/// Steps of one explanation, which looks at every part of a rule on its own.
pub const MAX_EXPLAIN_STEPS: u32 = 2_000_000;

/// Reasons an explanation lists; a person reads no more.
pub const MAX_REASONS: usize = 20;

/// Characters of a value shown in an explanation.
pub const SHOWN_VALUE: usize = 60;
