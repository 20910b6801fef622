//! Paired measurement, the driver of engines and the report.
