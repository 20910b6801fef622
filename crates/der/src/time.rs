//! UTCTime and GeneralizedTime in the forms of DER and RFC 5280 (X.690, 11.7 and 11.8), as
//! seconds since 1970 in UTC. Leap seconds do not exist here.

use core::fmt;
use core::str::FromStr;

use crate::{Error, ErrorKind, Result, Tag, Tlv};

/// A second from 0000-01-01 through 9999-12-31, in the proleptic Gregorian calendar and UTC.
///
/// ```
/// use adamant_der::Time;
///
/// let time: Time = "2024-02-29T12:30:00Z".parse()?;
/// assert_eq!(time.to_unix(), 1_709_209_800);
/// assert_eq!(Time::from_unix(0).unwrap().to_string(), "1970-01-01T00:00:00Z");
/// assert!("2023-02-29".parse::<Time>().is_err());
/// # Ok::<(), adamant_der::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    unix: i64,
}

/// A [`Time`] in the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime {
    /// 0 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

const DAY: i64 = 86_400;
/// Days from 0000-03-01, which begins a cycle of 400 years, to 1970-01-01.
const EPOCH: i64 = 719_468;
/// Days in 400 years, 100 years and 4 years that begin in March.
const DAYS_400: i64 = 400 * 365 + 97;
const DAYS_100: i64 = 100 * 365 + 24;
const DAYS_4: i64 = 4 * 365 + 1;

const _: () = assert!(Time::MIN.unix == -62_167_219_200 && Time::MAX.unix == 253_402_300_799);
const _: () = assert!(match DateTime::date(1970, 1, 1).time() {
    Some(time) => time.unix == 0,
    None => false,
});

impl DateTime {
    /// Midnight at the start of a day, which need not exist.
    pub const fn date(year: u16, month: u8, day: u8) -> Self {
        Self {
            year,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
        }
    }

    const fn days_in_month(&self) -> u8 {
        let century = hundredth(self.year as u32);
        let turns = self.year as u32 == 100 * century;
        let leap = self.year.is_multiple_of(4) && (!turns || century.is_multiple_of(4));
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        }
    }

    /// The second this names, or nothing if there is no such date or time of day.
    pub const fn time(&self) -> Option<Time> {
        let exists = self.year <= 9999
            && self.day >= 1
            && self.day <= self.days_in_month()
            && self.hour < 24
            && self.minute < 60
            && self.second < 60;
        if !exists {
            return None;
        }
        // Years that begin in March put the leap day last; from March on, the months' lengths
        // repeat 31 30 31 30 31 (153 days), so (153 m + 2) / 5 is the day that month m begins.
        // 400 years more, and none is negative.
        let early = (self.month <= 2) as u32;
        let year = self.year as u32 + 400 - early;
        let month = self.month as u32 + 12 * early - 3;
        let century = hundredth(year);
        let day_of_year = fifth(153 * month + 2) + self.day as u32 - 1;
        let days = (365 * year + year / 4 - century + century / 4 + day_of_year) as i64 - DAYS_400;
        let second = 3600 * self.hour as i64 + 60 * self.minute as i64 + self.second as i64;
        Some(Time {
            unix: (days - EPOCH) * DAY + second,
        })
    }
}

/// `x / 100`, for `x` below 43,699. Where no instruction divides it is a function of its own, which
/// takes more code than the calendar.
const fn hundredth(x: u32) -> u32 {
    (x * 5243) >> 19
}

/// `x / 5`, for `x` below 16,384.
const fn fifth(x: u32) -> u32 {
    (x * 6554) >> 15
}

/// The first second of a year that has four digits, in seconds since 1970.
const fn new_year(year: u16) -> i64 {
    match DateTime::date(year, 1, 1).time() {
        Some(time) => time.unix,
        None => panic!("not a year of four digits"),
    }
}

impl Time {
    /// 0000-01-01T00:00:00Z.
    pub const MIN: Self = match DateTime::date(0, 1, 1).time() {
        Some(time) => time,
        None => unreachable!(),
    };
    /// 9999-12-31T23:59:59Z, which RFC 5280 gives certificates without a known end.
    pub const MAX: Self = match (DateTime {
        hour: 23,
        minute: 59,
        second: 59,
        ..DateTime::date(9999, 12, 31)
    })
    .time()
    {
        Some(time) => time,
        None => unreachable!(),
    };

    /// The time this many seconds after 1970-01-01T00:00:00Z, if its year has four digits.
    pub const fn from_unix(seconds: i64) -> Option<Self> {
        if seconds < Self::MIN.unix || seconds > Self::MAX.unix {
            None
        } else {
            Some(Self { unix: seconds })
        }
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    pub const fn to_unix(self) -> i64 {
        self.unix
    }

    /// The time `seconds` later, or [`Time::MAX`].
    pub const fn saturating_add(self, seconds: u64) -> Self {
        match self.unix.checked_add_unsigned(seconds) {
            Some(unix) if unix <= Self::MAX.unix => Self { unix },
            _ => Self::MAX,
        }
    }

    /// Whether UTCTime can say this, and RFC 5280 therefore demands it: years 1950 to 2049.
    /// (The RFC wants UTCTime for years before 1950 too, which UTCTime cannot express.)
    pub const fn fits_utc_time(self) -> bool {
        const START: i64 = new_year(1950);
        const END: i64 = new_year(2050);
        START <= self.unix && self.unix < END
    }

    /// Day and time of day.
    pub const fn date_time(self) -> DateTime {
        let days = self.unix.div_euclid(DAY) + EPOCH;
        let second = self.unix.rem_euclid(DAY);
        // The inverse of DateTime::time: cycles of 400 years, within them 100, 4 and 1. The last
        // century and the last year of a cycle are a day longer than the division assumes.
        let (cycle, day) = (days.div_euclid(DAYS_400), days.rem_euclid(DAYS_400));
        let century = min(day / DAYS_100, 3);
        let day = day - century * DAYS_100;
        let (four, day) = (day / DAYS_4, day % DAYS_4);
        let one = min(day / 365, 3);
        let day = day - one * 365;
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5;
        let late = month >= 10;
        let year = 400 * cycle + 100 * century + 4 * four + one + late as i64;
        DateTime {
            year: year as u16,
            month: if late { month - 9 } else { month + 3 } as u8,
            day: day as u8 + 1,
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
            second: (second % 60) as u8,
        }
    }

    /// YYMMDDHHMMSSZ, if the year is one that UTCTime has.
    pub(crate) fn utc_octets(self) -> Option<[u8; 13]> {
        if !self.fits_utc_time() {
            return None;
        }
        let [_, _, rest @ ..] = self.generalized_octets();
        Some(rest)
    }

    /// YYYYMMDDHHMMSSZ.
    pub(crate) fn generalized_octets(self) -> [u8; 15] {
        let t = self.date_time();
        let pairs = [
            (t.year / 100) as u8,
            (t.year % 100) as u8,
            t.month,
            t.day,
            t.hour,
            t.minute,
            t.second,
        ];
        let mut octets = [b'Z'; 15];
        for (two, pair) in octets.chunks_exact_mut(2).zip(pairs) {
            two.copy_from_slice(&[b'0' + pair / 10, b'0' + pair % 10]);
        }
        octets
    }
}

const fn min(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}

/// Pairs of digits, as many as wanted, that are all there is.
fn pairs<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let mut pairs = [0; N];
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    for (pair, two) in pairs.iter_mut().zip(digits.chunks_exact(2)) {
        *pair = (two[0] - b'0') * 10 + (two[1] - b'0');
    }
    Some(pairs)
}

fn generalized(octets: &[u8]) -> Option<Time> {
    let [century, year, month, day, hour, minute, second] = pairs(octets.strip_suffix(b"Z")?)?;
    let year = u16::from(century) * 100 + u16::from(year);
    DateTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
    }
    .time()
}

fn utc(octets: &[u8]) -> Option<Time> {
    let [year, month, day, hour, minute, second] = pairs(octets.strip_suffix(b"Z")?)?;
    let century = if year >= 50 { 1900 } else { 2000 };
    DateTime {
        year: century + u16::from(year),
        month,
        day,
        hour,
        minute,
        second,
    }
    .time()
}

impl Tlv<'_> {
    /// A UTCTime if the tag says so, otherwise (also under an implicit tag) a GeneralizedTime.
    pub fn time(&self) -> Result<Time> {
        let time = if self.tag == Tag::UTC_TIME {
            utc(self.value)
        } else {
            generalized(self.value)
        };
        time.ok_or(self.value_error(ErrorKind::BadTime))
    }
}

impl FromStr for Time {
    type Err = Error;

    /// `YYYY-MM-DDTHH:MM:SSZ`, or `YYYY-MM-DD` for midnight.
    fn from_str(text: &str) -> Result<Self> {
        let mut octets = *b"YYYYMMDD000000Z";
        let form: &[u8] = if text.len() == 10 {
            b"____-__-__"
        } else {
            b"____-__-__T__:__:__Z"
        };
        let bad = |at| Error::new(ErrorKind::BadTime, at);
        if text.len() != form.len() {
            return Err(bad(text.len().min(form.len())));
        }
        let mut digits = octets.iter_mut();
        for (i, (&octet, &place)) in text.as_bytes().iter().zip(form).enumerate() {
            match (place, octet) {
                (b'_', b'0'..=b'9') => digits.by_ref().take(1).for_each(|digit| *digit = octet),
                (b'_', _) => return Err(bad(i)),
                _ if octet != place => return Err(bad(i)),
                _ => {}
            }
        }
        generalized(&octets).ok_or(bad(0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = self.date_time();
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            t.year, t.month, t.day, t.hour, t.minute, t.second
        )
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
