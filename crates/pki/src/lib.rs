//! The CA pipeline: providers, stores and the fifteen measured stages.
