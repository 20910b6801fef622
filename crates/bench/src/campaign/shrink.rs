//! Cases like one that somebody disagrees in, but smaller: fewer items, shorter and plainer fields,
//! as long as somebody still disagrees.

use adamant_engine::Size;

use super::draw::{Case, Class};
use super::subject::{Subject, Table, outcome};

/// Lengths of messages that are tried, the shortest first.
const SHORTER: &[usize] = &[
    0, 1, 15, 16, 17, 31, 32, 33, 64, 65, 128, 129, 256, 512, 1024, 2048,
];

/// How many cases are tried.
fn tries(class: Class) -> usize {
    match class {
        Class::Cheap => 400,
        Class::Middle | Class::Dear => 100,
        Class::Slow => 10,
    }
}

/// The smallest case so far, and what is wrong in it.
struct Shrunk<'a, 'b, 'c> {
    subject: &'a Subject<'b>,
    table: &'a mut Table<'c>,
    case: Case,
    why: String,
    left: usize,
}

impl Subject<'_> {
    /// The smallest case found that somebody disagrees in as in this one, and how.
    pub(super) fn shrunk(
        &self,
        seed: u64,
        case: Case,
        why: String,
        table: &mut Table<'_>,
    ) -> (Case, String) {
        let name = format!("{seed} {}", table.number);
        // An engine that ends is started again a few times only.
        let left = if table.is_broken {
            0
        } else {
            tries(self.class)
        };
        let mut shrunk = Shrunk {
            subject: self,
            table,
            case,
            why,
            left,
        };
        shrunk.fewer();
        shrunk.redrawn(&name);
        shrunk.shorter();
        shrunk.plainer();
        (shrunk.case, shrunk.why)
    }
}

impl Shrunk<'_, '_, '_> {
    /// Takes a case if somebody still disagrees in it.
    fn try_case(&mut self, case: Case) -> bool {
        let is_same = (case.size, &case.inputs) == (self.case.size, &self.case.inputs);
        if self.left == 0 || is_same || case.inputs.is_empty() {
            return false;
        }
        self.left -= 1;
        let best = outcome(self.subject.op, case.size, &case.inputs, None);
        let why = self.subject.disagreement(&case, &best, self.table);
        if self.table.is_broken {
            self.left = 0;
        }
        match why {
            Some(why) => {
                (self.case, self.why) = (case, why);
                true
            }
            None => false,
        }
    }

    /// Leaves items out, many at first.
    fn fewer(&mut self) {
        let mut count = self.case.inputs.len() / 2;
        while count > 0 {
            let mut from = 0;
            while from < self.case.inputs.len() {
                let mut case = self.case.clone();
                let to = case.inputs.len().min(from + count);
                case.inputs.drain(from..to);
                case.size.batch = case.inputs.len();
                if !self.try_case(case) {
                    from += count;
                }
            }
            count /= 2;
        }
    }

    /// Draws shorter inputs, where nothing was changed.
    fn redrawn(&mut self, name: &str) {
        if self.case.is_changed {
            return;
        }
        for &bytes in SHORTER {
            let Size { bytes: now, batch } = self.case.size;
            if bytes < now {
                let (case, _) = self.subject.drawn(Size { bytes, batch }, true, name, None);
                if case.size.bytes < now && self.try_case(case) {
                    break;
                }
            }
        }
    }

    /// Cuts fields of all items, each to the shortest length that will do.
    fn shorter(&mut self) {
        for field in self.case.open_fields(0) {
            let len = self.len(&field);
            let mut lengths = SHORTER.iter().filter(|&&shorter| shorter < len);
            lengths.find(|&&shorter| self.cut(&field, shorter));
            let mut step = self.len(&field) / 2;
            while step > 0 {
                let len = self.len(&field);
                if len < step || !self.cut(&field, len - step) {
                    step /= 2;
                }
            }
        }
    }

    fn len(&self, field: &str) -> usize {
        self.case.inputs[0].get(field).map_or(0, Vec::len)
    }

    fn cut(&mut self, field: &str, len: usize) -> bool {
        let mut case = self.case.clone();
        for item in &mut case.inputs {
            if let Some(value) = item.get_mut(field) {
                value.truncate(len);
            }
        }
        if field == "message" && case.size.bytes == self.len(field) {
            case.size.bytes = len;
        }
        case.is_changed = true;
        self.try_case(case)
    }

    /// Makes fields zeros.
    fn plainer(&mut self) {
        for item in 0..self.case.inputs.len() {
            for field in self.case.open_fields(item) {
                let mut case = self.case.clone();
                if let Some(value) = case.inputs[item].get_mut(&field) {
                    value.fill(0);
                }
                case.is_changed = true;
                self.try_case(case);
            }
        }
    }
}
