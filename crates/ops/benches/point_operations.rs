//! Scalars times points.

mod common;

fn main() {
    common::run("point_operations");
}
