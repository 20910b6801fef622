//! Suites that every implementation is put through.
