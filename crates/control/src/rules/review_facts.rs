//! Facts about a recommendation.
