//! Connections and requests.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use adamant::x509::ocsp::ResponseStatus;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use hyper::header;
use hyper::http::uri::Authority;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::limit::{Crowd, Limiter};
use super::metrics::{Gauges, Kind, Metrics};
use super::reply::{
    Holds, Reply, Told, closing, file, in_cache, listed, page, put, refusal, refused, unkept,
};
use super::responder::{Answer, Quick, Responder};
use super::route::Place;
use super::{Event, Log, Options};
use crate::store::CrlScope;

/// Requests that wait for store and key at once; further ones are told to come again.
const WAITING: usize = 64;
/// The header of a request, with everything in it: a request of OCSP in base64 fits.
const HEADER: usize = 16 << 10;
/// How long the CA's certificate may be kept: a day.
const CERTIFICATE_SECONDS: i64 = 86_400;
/// Failures of the store that are passed over by `/healthz` for so long.
const STALE: Duration = Duration::from_secs(15);

const OCSP_REQUEST: &str = "application/ocsp-request";

/// Something to be done, in a box: the runtime polls it in many places, which all would have it in
/// them.
pub(super) type Task<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What all connections have in common.
pub(super) struct Shared {
    pub(super) responder: Responder,
    pub(super) options: Options,
    pub(super) log: Log,
    pub(super) metrics: Metrics,
    limiter: Limiter,
    crowd: Crowd,
    waiting: Semaphore,
    refreshed: Mutex<Refreshed>,
}

/// When the store was last read without a failure.
struct Refreshed {
    at: Instant,
    warm: bool,
}

impl Shared {
    pub(super) fn new(responder: Responder, options: Options, log: Log) -> Self {
        let now = Instant::now();
        Self {
            limiter: Limiter::new(options.rate, now),
            crowd: Crowd::new(options.peer_connections),
            responder,
            options,
            log,
            metrics: Metrics::default(),
            waiting: Semaphore::new(WAITING),
            refreshed: Mutex::new(Refreshed {
                at: now,
                warm: false,
            }),
        }
    }

    pub(super) fn refreshed(&self, at: Instant, warm: bool) {
        let mut refreshed = self
            .refreshed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *refreshed = Refreshed { at, warm };
    }

    /// What is wrong, if anything.
    fn ailment(&self) -> Option<&'static str> {
        // First: without it the rest cannot be well.
        if let Some(ended) = self.responder.ended() {
            return Some(ended);
        }
        let refreshed = self
            .refreshed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if refreshed.at.elapsed() > self.options.refresh * 2 + STALE {
            return Some("the store does not answer");
        }
        if !refreshed.warm {
            return Some("the store is being read");
        }
        drop(refreshed);
        match self.crl_times() {
            (_, None) => Some("there is no CRL"),
            (_, Some(left)) if left <= 0 => Some("a CRL has ended"),
            _ => None,
        }
    }

    /// Seconds since the oldest full list was made, and until the first of them ends.
    fn crl_times(&self) -> (Option<i64>, Option<i64>) {
        let now = self.responder.now().to_unix();
        let lists = self.responder.lists();
        let sharded = self.responder.settings.shards() > 1;
        // With shards, a list of everything that somebody once made is not what counts.
        let counts = |scope: &CrlScope| !scope.delta && scope.shard.is_some() == sharded;
        let full = || lists.iter().filter(|(scope, _)| counts(scope));
        let age = full().map(|(_, list)| now - list.this_update.to_unix());
        let left = full().map(|(_, list)| list.next_update.to_unix() - now);
        (age.max(), left.min())
    }

    fn metrics(&self) -> String {
        let (crl_age, crl_left) = self.crl_times();
        self.metrics.text(&Gauges {
            hot: self.responder.hot().len(),
            crl_age,
            crl_left,
            healthy: self.ailment().is_none(),
        })
    }
}

/// Takes connections until it is stopped, and waits for those that are open.
pub(super) async fn serve(
    shared: Arc<Shared>,
    listener: TcpListener,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let most = shared.options.connections.max(1);
    let room = Arc::new(Semaphore::new(most as usize));
    let stopped = stop.clone();
    let mut end = pin!(stop.wait_for(|stop| *stop));
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit,
            _ = &mut end => break,
        };
        // Nobody closes it.
        let Ok(permit) = permit else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut end => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let peer = peer.ip();
                if !shared.crowd.enter(peer) {
                    shared.metrics.turned_away.fetch_add(1, Relaxed);
                    continue;
                }
                let shared = Arc::clone(&shared);
                let talk: Task<()> =
                    Box::pin(connection(shared, stream, peer, stopped.clone(), permit));
                tokio::spawn(talk);
            }
            // No descriptors left, or a client that went away: the next moment may be better.
            Err(_) => sleep(Duration::from_millis(20)).await,
        }
    }
    (shared.log)(&Event::Stopping);
    drop(listener);
    // What takes longer ends with the runtime.
    let _ = timeout(shared.options.grace, room.acquire_many(most)).await;
    Ok(())
}

/// The place of a connection among those of its peer, until it goes.
struct Seat(Arc<Shared>, IpAddr);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.crowd.leave(self.1);
    }
}

/// One connection, until it ends, took its time, or the server stops.
async fn connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    peer: IpAddr,
    mut stop: watch::Receiver<bool>,
    permit: OwnedSemaphorePermit,
) {
    let seat = Seat(Arc::clone(&shared), peer);
    // Answers go at once; where the system will not, they go later.
    let _ = stream.set_nodelay(true);
    shared.metrics.connections.fetch_add(1, Relaxed);
    let options = shared.options.clone();
    let service = {
        let shared = Arc::clone(&shared);
        service_fn(move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, Infallible>(reply(&shared, peer, request).await) }
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(options.patience)
        .max_buf_size(HEADER)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let over = tokio::select! {
        _ = connection.as_mut() => true,
        _ = stop.wait_for(|stop| *stop) => false,
        () = sleep(options.longest_connection) => false,
    };
    if !over {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(options.grace, connection).await;
    }
    shared.metrics.connections.fetch_sub(1, Relaxed);
    drop(seat);
    drop(permit);
}

async fn reply(shared: &Arc<Shared>, peer: IpAddr, request: Request<Incoming>) -> Reply {
    let start = Instant::now();
    if !shared.limiter.allows(peer, start) {
        let mut reply = refused(StatusCode::TOO_MANY_REQUESTS);
        put(&mut reply, header::RETRY_AFTER, "1");
        shared.metrics.count(Kind::Other, "429", start.elapsed());
        return reply;
    }
    if !has_host(&request) {
        shared.metrics.count(Kind::Other, "400", start.elapsed());
        return closing(StatusCode::BAD_REQUEST).0;
    }
    let get = matches!(*request.method(), Method::GET | Method::HEAD);
    let post = *request.method() == Method::POST;
    let place = shared.responder.paths.find(request.uri().path());
    let (kind, told) = match place {
        Place::Responder if post => (Kind::OcspPost, posted(shared, request).await),
        Place::Request(Some(der)) if get => {
            let known = request.headers().get(header::IF_NONE_MATCH).cloned();
            let answer = answer(shared, der.into()).await;
            (
                Kind::OcspGet,
                in_cache(&answer, known.as_ref(), shared.responder.now()),
            )
        }
        Place::Request(None) if get => {
            let refusal = Answer::refusal(ResponseStatus::MalformedRequest);
            (Kind::OcspGet, unkept(&refusal))
        }
        Place::Crl(scope) if get => {
            let known = request.headers().get(header::IF_NONE_MATCH);
            let list = shared.responder.lists().get(&scope).cloned();
            let list = list.ok_or(StatusCode::NOT_FOUND);
            let file = list.map(|list| listed(&list, known, shared.responder.now()));
            (Kind::Crl, file.unwrap_or_else(refusal))
        }
        Place::Issuer if get => {
            let der = shared.responder.certificate_bytes();
            let holds = Holds::For(CERTIFICATE_SECONDS);
            let known = request.headers().get(header::IF_NONE_MATCH);
            (
                Kind::Issuer,
                (file(der, "application/pkix-cert", holds, known), None),
            )
        }
        Place::Metrics if get => {
            let kind = "text/plain; version=0.0.4";
            (
                Kind::Metrics,
                (page(StatusCode::OK, shared.metrics(), kind), None),
            )
        }
        Place::Health if get => {
            let (status, text) = match shared.ailment() {
                None => (StatusCode::OK, "ok"),
                Some(ailment) => (StatusCode::SERVICE_UNAVAILABLE, ailment),
            };
            (
                Kind::Health,
                (page(status, format!("{text}\n"), "text/plain"), None),
            )
        }
        Place::Nothing => (Kind::Other, refusal(StatusCode::NOT_FOUND)),
        place => {
            let (mut reply, told) = refusal(StatusCode::METHOD_NOT_ALLOWED);
            let allowed = if place == Place::Responder {
                "POST"
            } else {
                "GET, HEAD"
            };
            put(&mut reply, header::ALLOW, allowed);
            (Kind::Other, (reply, told))
        }
    };
    let (reply, status) = told;
    let code = reply.status();
    let status = match &status {
        Some(status) => status.name(),
        None => code.as_str(),
    };
    shared.metrics.count(kind, status, start.elapsed());
    reply
}

/// Whether a request says for which host it is, once and in its form: RFC 9112, 3.2. Only those
/// before HTTP/1.1 need not.
fn has_host<T>(request: &Request<T>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => request.version() < Version::HTTP_11,
        (Some(host), None) => host.to_str().is_ok_and(|host| {
            // Nothing stands for a URI without an authority; a user is no part of a host.
            host.is_empty() || !host.contains('@') && host.parse::<Authority>().is_ok()
        }),
        _ => false,
    }
}

/// A request of OCSP in a body.
async fn posted(shared: &Arc<Shared>, request: Request<Incoming>) -> Told {
    let longest = shared.options.longest;
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case(OCSP_REQUEST) {
        return closing(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    if request.body().size_hint().lower() > longest as u64 {
        return closing(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let body = Limited::new(request.into_body(), longest).collect();
    match timeout(shared.options.patience, body).await {
        Ok(Ok(body)) => unkept(&answer(shared, body.to_bytes()).await),
        Ok(Err(error)) if error.is::<LengthLimitError>() => closing(StatusCode::PAYLOAD_TOO_LARGE),
        Ok(Err(_)) => closing(StatusCode::BAD_REQUEST),
        Err(_) => closing(StatusCode::REQUEST_TIMEOUT),
    }
}

/// The answer to a request: from memory, or on a thread that may wait.
async fn answer(shared: &Arc<Shared>, request: Bytes) -> Answer {
    if let Quick::Answered(answer) = shared.responder.quick(&request) {
        return answer;
    }
    let Ok(_permit) = shared.waiting.try_acquire() else {
        return Answer::refusal(ResponseStatus::TryLater);
    };
    let asked = Arc::clone(shared);
    let answer = tokio::task::spawn_blocking(move || asked.responder.answer(&request));
    let answer = answer.await;
    answer.unwrap_or_else(|_| Answer::refusal(ResponseStatus::InternalError))
}
