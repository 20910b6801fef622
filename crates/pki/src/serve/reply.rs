//! Replies: their bodies, and how long caches may keep them (RFC 5019, 6).

use std::time::{Duration, UNIX_EPOCH};

use adamant::der::Time;
use adamant::hash::Sha256;
use adamant::x509::ocsp::ResponseStatus;
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::responder::{Answer, Kept};

const OCSP_RESPONSE: &str = "application/ocsp-response";

pub(super) type Reply = Response<Full<Bytes>>;

/// A reply, and the status of OCSP in it.
pub(super) type Told = (Reply, Option<ResponseStatus>);

/// A response that no cache keeps: an error, one with a nonce, and all to POST.
pub(super) fn unkept(answer: &Answer) -> Told {
    let mut reply = Response::new(Full::new(answer.der.clone()));
    put(&mut reply, header::CONTENT_TYPE, OCSP_RESPONSE);
    if answer.holds.is_none() {
        put(&mut reply, header::CACHE_CONTROL, "no-store");
    }
    (reply, Some(answer.status))
}

/// A response that caches may keep until the next one.
pub(super) fn in_cache(answer: &Answer, known: Option<&HeaderValue>, now: Time) -> Told {
    let Some((from, until)) = answer.holds else {
        return unkept(answer);
    };
    let holds = Holds::Until { from, until, now };
    let reply = file(answer.der.clone(), OCSP_RESPONSE, holds, known);
    let told = (reply.status() == StatusCode::OK).then_some(answer.status);
    (reply, told)
}

/// A list, until the next one.
pub(super) fn listed(list: &Kept, known: Option<&HeaderValue>, now: Time) -> Told {
    let holds = Holds::Until {
        from: list.this_update,
        until: list.next_update,
        now,
    };
    (
        file(list.der.clone(), "application/pkix-crl", holds, known),
        None,
    )
}

/// How long something may be kept.
pub(super) enum Holds {
    Until { from: Time, until: Time, now: Time },
    For(i64),
}

/// Something that can be kept, or word that it still is what the client has.
pub(super) fn file(
    der: Bytes,
    kind: &'static str,
    holds: Holds,
    known: Option<&HeaderValue>,
) -> Reply {
    let digest = Sha256::digest(&der);
    let tag: String = digest[..16]
        .iter()
        .map(|octet| format!("{octet:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    let same = known
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| {
            let mut tags = known.split(',').map(str::trim);
            tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
        });
    let mut reply = if same {
        let mut reply = Response::new(Full::default());
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    } else {
        let mut reply = Response::new(Full::new(der));
        put(&mut reply, header::CONTENT_TYPE, kind);
        reply
    };
    let seconds = match holds {
        Holds::For(seconds) => seconds,
        Holds::Until { from, until, now } => {
            put_time(&mut reply, header::LAST_MODIFIED, from);
            put_time(&mut reply, header::EXPIRES, until);
            (until.to_unix() - now.to_unix()).max(0)
        }
    };
    put(&mut reply, header::ETAG, &tag);
    let kept = format!("max-age={seconds}, public, no-transform, must-revalidate");
    put(&mut reply, header::CACHE_CONTROL, &kept);
    reply
}

pub(super) fn page(status: StatusCode, text: String, kind: &str) -> Reply {
    let mut reply = Response::new(Full::from(text));
    *reply.status_mut() = status;
    put(&mut reply, header::CONTENT_TYPE, kind);
    put(&mut reply, header::CACHE_CONTROL, "no-store");
    reply
}

pub(super) fn refused(status: StatusCode) -> Reply {
    let reason = status.canonical_reason().unwrap_or_default();
    page(status, format!("{reason}\n"), "text/plain")
}

pub(super) fn refusal(status: StatusCode) -> Told {
    (refused(status), None)
}

/// A refusal before the body was read, which nobody reads any more.
pub(super) fn closing(status: StatusCode) -> Told {
    let mut reply = refused(status);
    put(&mut reply, header::CONNECTION, "close");
    (reply, None)
}

pub(super) fn put(reply: &mut Reply, name: HeaderName, value: &str) {
    // All of them are printable ASCII.
    if let Ok(value) = HeaderValue::from_str(value) {
        reply.headers_mut().insert(name, value);
    }
}

fn put_time(reply: &mut Reply, name: HeaderName, time: Time) {
    let seconds = u64::try_from(time.to_unix()).unwrap_or(0);
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    // Dates of HTTP end with the year 9999, as those of X.509 do.
    put(reply, name, &httpdate::fmt_http_date(time));
}
