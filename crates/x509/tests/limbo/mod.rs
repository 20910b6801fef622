//! A sample of x509-limbo (<https://github.com/C2SP/x509-limbo>, Apache-2.0): small cases of every
//! namespace but those about servers of the day, as they were when the sample was taken. The
//! example `limbo` runs the whole collection, and took the sample.

mod case;

use adamant_der::Reader;
use case::Case;

const SAMPLE: &[u8] = include_bytes!("../data/limbo.der");

#[test]
fn sample_of_limbo() {
    let mut reader = Reader::new(SAMPLE);
    let (mut cases, mut valid) = (0, 0);
    while !reader.is_empty() {
        let case = Case::read(&mut reader).expect("a case");
        let result = case.run(0);
        assert_eq!(result.is_ok(), case.valid, "{}: {result:?}", case.id);
        cases += 1;
        valid += usize::from(case.valid);
    }
    assert!(cases >= 150 && valid >= 40, "{cases} cases, {valid} valid");
}
