//! A complete path from the anchor down: RFC 5280, 6.1.2 to 6.1.5, of what was not checked while
//! it was found.

use alloc::vec::Vec;

use super::budget::Budget;
use super::names::{self, Trees};
use super::node::{Node, Walk, check_signature, inherits};
use super::policy::{Graph, PolicySet};
use super::revocation::{self, Issuer};
use super::{PathError, PathErrorKind as Kind, TrustAnchor};
use crate::extensions::NameConstraints;
use crate::{FullCertificate, SubjectPublicKeyInfo};

impl<'a> Walk<'_, 'a> {
    /// The policies for which the path is valid.
    pub(super) fn check(&self) -> Result<PolicySet, PathError> {
        let count = self.certificates.len();
        let mut keys = Vec::with_capacity(count);
        let mut key = self.anchor.key;
        let mut constraints = Vec::new();
        let budget = self.budget;
        budget.nodes(count).map_err(|kind| kind.at(count))?;
        let mut policies = Graph::new(&self.options.policies, count, budget);
        let mut cas_allowed = None;
        let mut start = || {
            push(&mut constraints, self.options.name_constraints, budget)?;
            push(&mut constraints, self.anchor.constraints, budget)?;
            let Some(root) = self.root else {
                return Ok(());
            };
            let below = root.extensions.name_constraints.unwrap_or_default();
            push(&mut constraints, below, budget)?;
            cas_allowed = root.extensions.basic_constraints.and_then(|b| b.path_len);
            policies.start(root)
        };
        start().map_err(|kind| kind.at(count))?;

        for (depth, certificate) in self.certificates.iter().enumerate().rev() {
            let last = depth == 0;
            let self_issued = certificate.is_self_issued();
            let mut step = |key: &SubjectPublicKeyInfo<'a>| {
                if inherits_from(self.certificates, depth, self.anchor) {
                    check_signature(certificate, key, self.options, budget)?;
                }
                if last || !self_issued {
                    names::check_names(certificate, &constraints, budget)?;
                }
                policies.add(&certificate.extensions, !last && self_issued)?;
                if last {
                    return Ok(());
                }
                policies.prepare(&certificate.extensions, self_issued)?;
                if !self_issued {
                    cas_allowed = match cas_allowed {
                        Some(0) => return Err(Kind::PathTooLong { allowed: 0 }),
                        allowed => allowed.map(|allowed| allowed - 1),
                    };
                }
                let basic = certificate.extensions.basic_constraints;
                if let Some(limit) = basic.and_then(|basic| basic.path_len) {
                    cas_allowed = Some(cas_allowed.map_or(limit, |allowed| allowed.min(limit)));
                }
                let below = certificate.extensions.name_constraints.unwrap_or_default();
                push(&mut constraints, below, budget)
            };
            step(&key).map_err(|kind| kind.at(depth))?;
            keys.push(key);
            key = working_key(certificate.spki, &key);
        }
        let policies = match self.certificates.first() {
            Some(leaf) => policies.finish(&leaf.extensions, self.options.policies.initial),
            None => Ok(PolicySet::Any),
        };
        let policies = policies.map_err(|kind| kind.at(0))?;
        self.check_revocation(&keys)?;
        Ok(policies)
    }

    /// Asks for each certificate from the anchor down whether it was revoked; `keys` are those of
    /// their issuers, in this order.
    fn check_revocation(&self, keys: &[SubjectPublicKeyInfo<'a>]) -> Result<(), PathError> {
        let Some(revocation) = &self.options.revocation else {
            return Ok(());
        };
        let mut above = None;
        for (key, (depth, certificate)) in
            keys.iter().zip(self.certificates.iter().enumerate().rev())
        {
            let above = above.replace(*key);
            if revocation.only_target && depth > 0 {
                continue;
            }
            let certificate_above = self.certificates.get(depth + 1);
            let certificate_above = certificate_above.map(|node| -> &FullCertificate<'a> { node });
            let issuer = Issuer {
                name: certificate.issuer,
                key: *key,
                certificate: certificate_above.or(self.root),
                above,
            };
            revocation::check(self, revocation, certificate, &issuer)
                .map_err(|kind| kind.at(depth))?;
        }
        Ok(())
    }
}

/// Adds constraints that say something.
fn push<'t>(
    all: &mut Vec<Trees<'t>>,
    constraints: NameConstraints<'t>,
    budget: &Budget,
) -> Result<(), Kind> {
    if constraints != NameConstraints::default() {
        all.push(Trees::new(&constraints, budget)?);
    }
    Ok(())
}

/// Whether the signature of the certificate at this depth waits for the issuer's parameters.
fn inherits_from(certificates: &[&Node<'_>], depth: usize, anchor: &TrustAnchor<'_>) -> bool {
    let issuer = certificates.get(depth + 1);
    inherits(issuer.map_or(&anchor.key, |issuer| &issuer.spki))
}

/// A key with the parameters of its issuer's where it has none and is of the same algorithm
/// (RFC 5280, 6.1.4 (e) and (f)).
fn working_key<'a>(
    key: SubjectPublicKeyInfo<'a>,
    above: &SubjectPublicKeyInfo<'a>,
) -> SubjectPublicKeyInfo<'a> {
    let mut key = key;
    if inherits(&key) && key.algorithm.oid == above.algorithm.oid {
        key.algorithm.parameters = above.algorithm.parameters;
    }
    key
}
