//! System entropy and a fast key-erasure generator.
