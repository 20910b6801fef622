//! How a rival is drawn: a colour and a shape, so that neither has to be seen alone. Twelve
//! rivals are told apart: six colours in two rounds, with the shapes turned by one.

use std::fmt::Write;

use super::svg::{escape, px};
use super::view::View;

/// Colours of the style sheet, `s0` to `s5`.
const COLOURS: usize = 6;

/// The class of a rival's colour.
pub(super) fn class(place: usize) -> String {
    format!("s{}", place % COLOURS)
}

/// Whether its lines are broken: the second round of colours.
pub(super) fn is_dashed(place: usize) -> bool {
    place / COLOURS % 2 == 1
}

/// The outline of a rival's shape around a point, as a piece of a path.
pub(super) fn shape(place: usize, [x, y]: [f64; 2]) -> String {
    let (x, y) = (px(x), px(y));
    let outline = match (place + place / COLOURS) % COLOURS {
        0 => "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
        1 => "m-3-3h6v6h-6z",
        2 => "m0-4l4 7h-8z",
        3 => "m0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z",
        4 => "m-1.2-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z",
        _ => "m0 4l4-7h-8z",
    };
    format!("M{x} {y}{outline}")
}

/// The list of rivals with their marks; of ours too where `ours`.
pub(super) fn legend(page: &mut String, view: &View<'_>, ours: bool) {
    *page += "<ul class=\"legend\">";
    if ours {
        *page += "<li><svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><path class=\"ours\" \
                  d=\"M0 6H22\"/></svg>adamant</li>";
    }
    for (place, rival) in view.rivals.iter().enumerate() {
        let line = if !ours {
            String::new()
        } else if is_dashed(place) {
            format!(
                "<path class=\"theirs dashed {}\" d=\"M0 6H22\"/>",
                class(place)
            )
        } else {
            format!("<path class=\"theirs {}\" d=\"M0 6H22\"/>", class(place))
        };
        let _ = write!(
            page,
            "<li><svg viewBox=\"0 0 22 12\" aria-hidden=\"true\">{line}<path class=\"mark {}\" \
             d=\"{}\"/></svg>{}</li>",
            class(place),
            shape(place, [11.0, 6.0]),
            escape(rival)
        );
    }
    *page += "</ul>\n";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn twelve_rivals_are_told_apart() {
        let looks = (0..12).map(|i| (class(i), shape(i, [0.0, 0.0])));
        assert_eq!(looks.collect::<HashSet<_>>().len(), 12);
    }
}
