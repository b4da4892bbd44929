//! The federation layer: Karmada's placement rules.
