//! The file of multiples, computed again.

use super::super::edwards::{BASE, Extended, Niels};
use super::{ALL_ODDS, ALL_ROWS, FILE};
use crate::curve25519::fields::Field;
use crate::files;

/// `2^n p`.
pub(in super::super) fn double_times(p: Extended, n: usize) -> Extended {
    (0..n).fold(p, |p, _| p.projective().double().extended())
}

/// 1, 3, 5, … times a point.
pub(in super::super) fn odd_multiples(p: Extended, count: usize) -> Vec<Extended> {
    let step = double_times(p, 1).cache();
    let mut points = vec![p];
    while points.len() < count {
        points.push(points[points.len() - 1].add(&step).extended());
    }
    points
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
        first = double_times(point, 5);
    }
    let base = BASE.extend();
    points.extend(odd_multiples(base, ALL_ODDS));
    points.extend(odd_multiples(double_times(base, 128), ALL_ODDS));
    bytes(&points)
}

/// What a file holds of points.
pub(in super::super) fn bytes(points: &[Extended]) -> Vec<u8> {
    let mut file = Vec::new();
    for point in points {
        let point = Niels::new(&point.scale(point.z.invert()));
        let coordinates = [point.y_plus_x, point.y_minus_x, point.xy2d];
        file.extend(coordinates.map(|x| x.to_bytes()).as_flattened());
    }
    file
}

#[test]
fn the_file_holds_the_multiples() {
    files::check("curve25519/table/multiples.bin", FILE, &multiples());
}
