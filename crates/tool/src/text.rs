//! Text for tables.

/// A number with its thousands set apart.
///
/// ```
/// assert_eq!(adamant_tool::text::grouped(1_234_567.0, 1), "1 234 567.0");
/// ```
#[must_use]
pub fn grouped(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    let (whole, fraction) = match text.find('.') {
        Some(point) => text.split_at(point),
        None => (text.as_str(), ""),
    };
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// The values in the order in which they were first given.
///
/// ```
/// assert_eq!(adamant_tool::text::distinct([3, 1, 3].into_iter()), [3, 1]);
/// ```
#[must_use]
pub fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        assert_eq!(grouped(0.0, 1), "0.0");
        assert_eq!(grouped(999.96, 1), "1 000.0");
        assert_eq!(grouped(1_234_567.0, 0), "1 234 567");
        assert_eq!(grouped(123_456.7, 1), "123 456.7");
    }

    #[test]
    fn first_places() {
        assert_eq!(distinct([3, 1, 3, 2, 1].into_iter()), [3, 1, 2]);
    }
}
