//! What the pipeline's certificates, lists and responses say, whoever encodes them.

use adamant::x509::SerialNumber;

/// The CA's name.
pub(crate) const ORGANIZATION: &str = "Adamant";
pub(crate) const COMMON_NAME: &str = "Pipeline CA";

/// Seconds that the CA's certificate, a subscriber's, the list and a response are good for.
pub(crate) const PERIODS: [u64; 4] = [CA, SUBSCRIBER, LIST, RESPONSE];
pub(crate) const CA: u64 = 3650 * DAY;
pub(crate) const SUBSCRIBER: u64 = 90 * DAY;
pub(crate) const LIST: u64 = 7 * DAY;
pub(crate) const RESPONSE: u64 = DAY;
const DAY: u64 = 86_400;

/// The number of the list.
pub(crate) const CRL_NUMBER: u64 = 1;

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
