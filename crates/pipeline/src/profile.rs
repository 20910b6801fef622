//! What the pipeline's certificates, lists and responses say, whoever encodes them.

use adamant::der::Time;
use adamant::x509::SerialNumber;
use adamant_engine::toolkit::Facts;

/// The CA's name.
pub(crate) const ORGANIZATION: &str = "Adamant";
pub(crate) const COMMON_NAME: &str = "Pipeline CA";

/// Seconds that the CA's certificate, a subscriber's, the list and a response are good for.
const PERIODS: [u64; 4] = [CA, SUBSCRIBER, LIST, RESPONSE];
pub(crate) const CA: u64 = 3650 * DAY;
pub(crate) const SUBSCRIBER: u64 = 90 * DAY;
pub(crate) const LIST: u64 = 7 * DAY;
pub(crate) const RESPONSE: u64 = DAY;
const DAY: u64 = 86_400;

/// The number of the list.
pub(crate) const CRL_NUMBER: u64 = 1;

/// What a library with encoders of its own is told.
pub(crate) fn facts(now: Time) -> Facts<'static> {
    Facts {
        organization: ORGANIZATION,
        common_name: COMMON_NAME,
        now: now.to_unix(),
        periods: PERIODS.map(|seconds| seconds as i64),
    }
}

/// The number of an item of the batch, from 1.
pub(crate) fn number(item: usize) -> u64 {
    item as u64 + 1
}

/// As a serial number.
pub(crate) fn serial(item: usize) -> SerialNumber {
    SerialNumber::from(number(item))
}

/// The name of a subscriber.
pub(crate) fn host(item: usize) -> String {
    format!("{}.adamant.example", number(item))
}
