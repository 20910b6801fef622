//! Floor 0 of adamant: CPU features, implementation tables, constant-time building blocks, secrets and the family traits.
