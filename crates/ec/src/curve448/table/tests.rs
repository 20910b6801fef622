//! The file of multiples, computed again.

use super::super::edwards::{BASE, Extended, Niels};
use super::super::field::{BYTES, Fe};
use super::{ALL_ODDS, ALL_ROWS, FILE};
use crate::curve448::fields::Field;
use crate::files;

fn double(p: &Extended) -> Extended {
    p.projective().double().extended()
}

/// The file's bytes.
fn multiples() -> Vec<u8> {
    let (mut points, mut first) = (Vec::new(), BASE.extend());
    for _ in 0..ALL_ROWS {
        let step = first.cache();
        let mut point = first;
        for _ in 1..8 {
            points.push(point);
            point = point.add(&step).extended();
        }
        points.push(point);
        // From 8 P, five doublings lead to 256 P.
        first = (0..5).fold(point, |p, _| double(&p));
    }
    let mut odd = BASE.extend();
    let step = double(&odd).cache();
    for _ in 0..ALL_ODDS {
        points.push(odd);
        odd = odd.add(&step).extended();
    }
    let bytes = |x: Fe| -> [u8; BYTES] { x.to_bytes() };
    let mut file = Vec::new();
    for point in points {
        let Niels { x, y, dt } = Niels::new(&point.scale(point.z.invert()));
        file.extend([x, y, dt].map(bytes).as_flattened());
    }
    file
}

#[test]
fn the_file_holds_the_multiples() {
    files::check("curve448/table/multiples.bin", FILE, &multiples());
}
