//! Results, isolation, cancellation, closing, and many threads at once.

use super::*;
use crate::ec::{ed25519, p256, sm2, x25519};
use crate::pq::{ml_dsa_44, ml_kem_768};
use crate::rsa;
use crate::{Error, SystemRng};
use adamant_base::family::{Signer, Verifier};
use alloc::boxed::Box;
use alloc::task::Wake;
use alloc::vec;
use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;

/// Doubles a number, one or many; a batch with 13 panics, and so does 13.
struct Double;

impl Operation for Double {
    type Item = u64;
    type Output = (u64, usize);
    const BATCH: usize = 8;
    const WORTH: usize = 2;

    fn one(item: &u64) -> (u64, usize) {
        assert_ne!(*item, 13, "unlucky");
        (2 * item, 1)
    }

    fn many(items: &[&u64]) -> Vec<(u64, usize)> {
        (items.iter())
            .map(|item| (Self::one(item).0, items.len()))
            .collect()
    }
}

/// Polls once.
fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    core::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls until the batch of a call has stopped growing.
fn settle<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    match poll(future) {
        Poll::Pending => poll(future),
        ready => ready,
    }
}

/// A batcher in which somebody is already in the middle of a call, so that nobody is alone.
fn crowded<O: Operation>() -> Batcher<O> {
    let batcher = Batcher::with_config(Config {
        deadline: Duration::from_secs(1000),
        cores: Some(1),
        ..Config::default()
    });
    let gathering = &batcher.gatherings[0];
    gathering.inside.fetch_add(1, Ordering::Relaxed);
    gathering.crowd.store(CROWD, Ordering::Relaxed);
    batcher
}

/// Callers in the middle of a call.
fn inside<O: Operation>(batcher: &Batcher<O>) -> usize {
    let inside = |gathering: &Gathering<O>| gathering.inside.load(Ordering::Relaxed);
    batcher.gatherings.iter().map(inside).sum()
}

/// What the calls of one batch give, and what each item gives alone.
fn agrees<O: Operation>(items: Vec<O::Item>, check: impl Fn(&O::Output, &O::Output) -> bool) {
    let alone: Vec<_> = items.iter().map(O::one).collect();
    let batcher = crowded::<O>();
    let mut calls: Vec<_> = (items.into_iter())
        .map(|item| batcher.call_async(item))
        .collect();
    let mut first: Vec<_> = calls.iter_mut().map(poll).collect();
    for ((call, first), alone) in calls.iter_mut().zip(&mut first).zip(&alone) {
        let result = match first {
            Poll::Ready(result) => result.clone(),
            Poll::Pending => match settle(call) {
                Poll::Ready(result) => result,
                Poll::Pending => panic!("nobody computes"),
            },
        };
        assert!(check(&result.unwrap(), alone));
    }
}

#[test]
fn a_batch_gives_what_single_calls_give() {
    let rng = &mut SystemRng;
    let message = |i: u8| vec![i; usize::from(i)];
    let equal = |a: &Result<(), Error>, b: &Result<(), Error>| a == b;

    let key = Arc::new(p256::PrivateKey::generate(rng).unwrap());
    let items = || (0..11).map(|i| (key.clone(), message(i)));
    agrees::<Sign<p256::PrivateKey>>(items().collect(), |a, b| a == b);
    let public = Arc::new(key.public_key());
    let signed = items().map(|(key, m)| (public.clone(), m.clone(), key.sign(&m)));
    let spoiled = signed.enumerate().map(|(i, (key, mut message, s))| {
        message.extend_from_slice(&b"x"[..usize::from(i % 3 == 1)]);
        (key, message, s)
    });
    agrees::<Verify<p256::PublicKey>>(spoiled.collect(), equal);

    let key = Arc::new(ed25519::PrivateKey::generate(rng).unwrap());
    let items = (0..9).map(|i| (key.clone(), message(i)));
    agrees::<Sign<ed25519::PrivateKey>>(items.collect(), |a, b| a == b);
    let key = Arc::new(sm2::PrivateKey::generate(rng).unwrap());
    let items = (0..9).map(|i| (key.clone(), message(i)));
    agrees::<Sign<sm2::PrivateKey>>(items.collect(), |a, b| a == b);
    let key = Arc::new(ml_dsa_44::PrivateKey::generate(rng).unwrap());
    let items = (0..9).map(|i| (key.clone(), message(i)));
    agrees::<Sign<ml_dsa_44::PrivateKey>>(items.collect(), |a, b| a == b);

    // A point of small order among them.
    let key = Arc::new(x25519::PrivateKey::generate(rng).unwrap());
    let peers = (0..9).map(|i| match i {
        4 => x25519::PublicKey::from_bytes(&[0; 32]),
        _ => x25519::PrivateKey::generate(&mut SystemRng)
            .unwrap()
            .public_key(),
    });
    let items = peers.map(|peer| (key.clone(), peer));
    agrees::<Agree<x25519::PrivateKey>>(items.collect(), |a, b| match (a, b) {
        (Ok(a), Ok(b)) => **a == **b,
        (Err(a), Err(b)) => a == b,
        _ => false,
    });

    let key = Arc::new(ml_kem_768::DecapsulationKey::generate(rng).unwrap());
    let public = key.encapsulation_key();
    let items = (0..9).map(|_| {
        let (ciphertext, _) = public.encapsulate(&mut SystemRng).unwrap();
        (key.clone(), Box::new(ciphertext))
    });
    agrees::<Decapsulate<ml_kem_768::MlKem>>(items.collect(), |a, b| {
        a.as_ref().unwrap().as_ref() == b.as_ref().unwrap().as_ref()
    });
    let items = (0..9).map(|_| Arc::new(public.clone()));
    agrees::<Encapsulate<ml_kem_768::MlKem>>(items.collect(), |a, _| {
        let (ciphertext, secret) = a.as_ref().unwrap();
        key.decapsulate(ciphertext).as_ref() == secret.as_ref()
    });

    let key = Arc::new(rsa::PrivateKey::generate(2048, rng).unwrap());
    let items = (0..3).map(|i| (key.clone(), message(i)));
    agrees::<RsaPkcs1Sign<crate::hash::Sha256>>(items.collect(), |a, b| a == b);
}

/// Every scheme has a batch, and it gives what single calls give.
#[test]
fn every_scheme_signs_two() {
    fn two<K: Signer<Verifier: Verifier<Signature: PartialEq + 'static>> + 'static>() {
        let item = (
            Arc::new(K::generate(&mut SystemRng).unwrap()),
            vec![1, 2, 3],
        );
        let (made, alone) = (Sign::<K>::many(&[&item, &item]), Sign::<K>::one(&item));
        assert!(made.len() == 2 && made[1] == alone);
    }
    macro_rules! curves {
        (curves { $({ $feature:tt $curve:ident $module:ident $($_c:tt)* })* } $($_groups:tt)*) => {
            $(two::<crate::ec::$module::PrivateKey>();)*
        };
    }
    crate::hazmat::base::schemes!(curves);
    two::<crate::ec::ed448::PrivateKey>();
    two::<crate::pq::slh_dsa_sha2_128f::PrivateKey>();
}

#[test]
fn a_panic_reaches_its_own_caller_alone() {
    let batcher = crowded::<Double>();
    let mut calls: Vec<_> = [1, 13, 2].map(|i| batcher.call_async(i)).into();
    for call in &mut calls {
        assert!(poll(call).is_pending());
    }
    assert_eq!(settle(&mut calls[0]), Poll::Ready(Ok((2, 1))));
    let panic = catch_unwind(AssertUnwindSafe(|| poll(&mut calls[1]))).unwrap_err();
    assert!(
        panic
            .downcast_ref::<alloc::string::String>()
            .unwrap()
            .contains("unlucky")
    );
    assert_eq!(poll(&mut calls[2]), Poll::Ready(Ok((4, 1))));
    // One that is alone, and everyone afterwards.
    let batcher = Batcher::<Double>::new();
    catch_unwind(AssertUnwindSafe(|| batcher.call(13))).unwrap_err();
    assert_eq!(inside(&batcher), 0);
    assert_eq!(batcher.call(4), Ok((8, 1)));
}

#[test]
fn a_dropped_future_is_left_out() {
    let batcher = crowded::<Double>();
    // Before it was polled, while it waits, and when it was computed already.
    drop(batcher.call_async(1));
    let mut calls: Vec<_> = [1, 2, 3, 4].map(|i| Some(batcher.call_async(i))).into();
    for call in calls.iter_mut().flatten() {
        assert!(poll(call).is_pending());
    }
    calls[0] = None;
    calls[2] = None;
    assert_eq!(settle(calls[1].as_mut().unwrap()), Poll::Ready(Ok((4, 2))));
    drop(calls);
    assert_eq!(inside(&batcher), 1);
    // Whoever comes after all have left.
    batcher.gatherings[0].crowd.store(CROWD, Ordering::Relaxed);
    let mut call = batcher.call_async(5);
    assert!(poll(&mut call).is_pending());
    drop(call);
    let mut call = batcher.call_async(6);
    assert!(poll(&mut call).is_pending());
    assert_eq!(poll(&mut call), Poll::Ready(Ok((12, 1))));
}

#[test]
fn a_full_batch_is_computed_by_who_fills_it() {
    let batcher = crowded::<Double>();
    let mut calls: Vec<_> = (0..8).map(|i| batcher.call_async(i)).collect();
    for call in &mut calls[..7] {
        assert!(poll(call).is_pending());
    }
    assert_eq!(poll(&mut calls[7]), Poll::Ready(Ok((14, 8))));
    for (i, call) in calls[..7].iter_mut().enumerate() {
        assert_eq!(poll(call), Poll::Ready(Ok((2 * i as u64, 8))));
    }
    assert!(lock(&batcher.gatherings[0].open).items.is_empty());
}

#[test]
fn a_task_lets_a_batch_grow() {
    let batcher = crowded::<Double>();
    let (mut one, mut two) = (batcher.call_async(1), batcher.call_async(2));
    assert!(poll(&mut one).is_pending());
    assert!(poll(&mut two).is_pending());
    // Larger than it was; then not.
    assert!(poll(&mut one).is_pending());
    assert_eq!(poll(&mut one), Poll::Ready(Ok((2, 2))));
    assert_eq!(poll(&mut two), Poll::Ready(Ok((4, 2))));
}

#[test]
fn a_batch_is_not_kept_open() {
    let batcher = Batcher::<Double>::with_config(Config {
        deadline: Duration::ZERO,
        cores: Some(1),
        ..Config::default()
    });
    batcher.gatherings[0].crowd.store(CROWD, Ordering::Relaxed);
    let mut first = batcher.call_async(1);
    assert!(poll(&mut first).is_pending());
    assert_eq!(poll(&mut batcher.call_async(2)), Poll::Ready(Ok((4, 2))));
    assert_eq!(poll(&mut first), Poll::Ready(Ok((2, 2))));
}

#[test]
fn closing_serves_who_is_in() {
    let batcher = crowded::<Double>();
    let mut calls = [1, 2, 3].map(|i| batcher.call_async(i));
    for call in &mut calls[..2] {
        assert!(poll(call).is_pending());
    }
    batcher.close();
    assert_eq!(poll(&mut calls[0]), Poll::Ready(Ok((2, 2))));
    assert_eq!(poll(&mut calls[1]), Poll::Ready(Ok((4, 2))));
    assert_eq!(poll(&mut calls[2]), Poll::Ready(Err(Closed)));
    assert_eq!(batcher.call(1), Err(Closed));
    let batcher = Batcher::<Double>::new();
    batcher.close();
    assert_eq!(batcher.call(1), Err(Closed));
}

/// Counts what it is woken.
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn who_waits_for_another_is_woken() {
    let batcher = crowded::<Double>();
    let woken = Arc::new(Woken(AtomicUsize::new(0)));
    let waker = Waker::from(woken.clone());
    let context = &mut Context::from_waker(&waker);
    let mut call = pin!(batcher.call_async(7));
    assert!(call.as_mut().poll(context).is_pending());
    assert_eq!(woken.0.load(Ordering::Relaxed), 1, "its own turn");
    let (batch, items) = lock(&batcher.gatherings[0].open).take(2);
    assert!(call.as_mut().poll(context).is_pending());
    assert!(call.as_mut().poll(context).is_pending());
    batch.compute(&items);
    assert_eq!(woken.0.load(Ordering::Relaxed), 2);
    assert_eq!(call.as_mut().poll(context), Poll::Ready(Ok((14, 1))));
}

#[test]
fn many_threads_get_each_their_own() {
    let batcher = Batcher::<Double>::new();
    let threads = 16;
    let start = Barrier::new(threads);
    thread::scope(|scope| {
        for t in 0..threads as u64 {
            let (batcher, start) = (&batcher, &start);
            scope.spawn(move || {
                start.wait();
                for i in 0..500 {
                    let item = 1000 * t + i;
                    if item == 13 {
                        catch_unwind(AssertUnwindSafe(|| batcher.call(item))).unwrap_err();
                    } else {
                        assert_eq!(batcher.call(item).unwrap().0, 2 * item);
                    }
                }
            });
        }
    });
    assert_eq!(inside(&batcher), 0);
}

#[test]
fn many_tasks_get_each_their_own() {
    for workers in [1, 3] {
        // Whether tasks meet is for the scheduler to say: they do sooner or later.
        assert!((0..100).any(|_| tasks_meet(workers)), "{workers}");
    }
}

/// Whether any of many tasks on as many threads were in a batch together; each gets its own.
fn tasks_meet(workers: usize) -> bool {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .build()
        .unwrap();
    let batcher = Arc::new(Batcher::<Double>::new());
    let tasks: Vec<_> = (0..40u64)
        .map(|t| {
            let batcher = batcher.clone();
            runtime.spawn(async move {
                let mut largest = 0;
                for i in 100..400 {
                    let item = 1000 * t + i;
                    if i % 7 == 3 {
                        // Given up after a poll.
                        let mut call = batcher.call_async(item);
                        let _ = poll(&mut call);
                        continue;
                    }
                    let (double, size) = batcher.call_async(item).await.unwrap();
                    assert_eq!(double, 2 * item);
                    largest = largest.max(size);
                }
                largest
            })
        })
        .collect();
    let sizes = tasks
        .into_iter()
        .map(|task| runtime.block_on(task).unwrap());
    let met = sizes.max() > Some(1);
    assert_eq!(inside(&batcher), 0);
    met
}
