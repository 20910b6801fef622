//! Policies along a path: the graph of RFC 9618, in which a policy of a certificate is one node
//! however many mappings lead to it, so that it never has more edges than the certificates have
//! policies and mappings.
//!
//! A node that has no child is not removed but passed over at the end, when the graph is walked
//! from the last certificate up. The names of the counters are those of RFC 5280, 6.1.2.

use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use adamant_der::Oid;

use super::budget::Budget;
use super::{PathErrorKind as Kind, Policies};
use crate::FullCertificate;
use crate::element::sorted;
use crate::extensions::{CertificateExtensions, PolicyInformation};

const ANY: Oid = PolicyInformation::ANY;

/// The cost of an edge of the graph, in octets.
const EDGE: usize = 192;

/// Policies, as the CA of the anchor names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySet {
    /// All there are.
    Any,
    /// These; without one, none.
    Only(Vec<Oid>),
}

impl PolicySet {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Only(policies) if policies.is_empty())
    }
}

/// A policy of one certificate.
struct Node {
    policy: Oid,
    /// Places of the nodes above, in the level before.
    parents: Vec<usize>,
    /// The names that the next certificate may give it.
    expected: Vec<Oid>,
}

/// `valid_policy_graph` and the counters.
pub(super) struct Graph<'b> {
    budget: &'b Budget,
    /// One for the anchor and one for each certificate, sorted by policy; that of the last
    /// certificate is empty where the graph is NULL.
    levels: Vec<Vec<Node>>,
    explicit_policy: usize,
    policy_mapping: usize,
    inhibit_any: usize,
}

impl<'b> Graph<'b> {
    /// Before the first of this many certificates.
    pub(super) fn new(inputs: &Policies<'_>, certificates: usize, budget: &'b Budget) -> Self {
        let counter = |now: bool| if now { 0 } else { certificates + 1 };
        Self {
            budget,
            levels: vec![vec![Node {
                policy: ANY,
                parents: Vec::new(),
                expected: vec![ANY],
            }]],
            explicit_policy: counter(inputs.require_explicit),
            policy_mapping: counter(inputs.inhibit_mapping),
            inhibit_any: counter(inputs.inhibit_any),
        }
    }

    fn last(&self) -> &[Node] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    /// Applies what the anchor's certificate says, as if it were the first of the path; without
    /// policies it is bound to none. Its constraints count from the certificate below.
    pub(super) fn start(&mut self, anchor: &FullCertificate<'_>) -> Result<(), Kind> {
        let extensions = &anchor.extensions;
        if extensions.certificate_policies.is_some() {
            self.add(extensions, anchor.issuer.matches(&anchor.subject))?;
        }
        self.prepare(extensions, true)
    }

    /// Adds the policies of a certificate (RFC 9618, 5.2; RFC 5280, 6.1.3 (d) to (f)).
    pub(super) fn add(
        &mut self,
        extensions: &CertificateExtensions<'_>,
        any_in_ca: bool,
    ) -> Result<(), Kind> {
        let mut level = BTreeMap::new();
        if let Some(policies) = &extensions.certificate_policies
            && !self.last().is_empty()
        {
            let mut expected = BTreeMap::<Oid, Vec<usize>>::new();
            for (place, node) in self.last().iter().enumerate() {
                for policy in &node.expected {
                    self.budget.octets(EDGE)?;
                    expected.entry(*policy).or_default().push(place);
                }
            }
            let mut any = false;
            self.budget.octets(policies.0.octets())?;
            for policy in policies.0.iter() {
                self.budget.octets(EDGE)?;
                if policy.oid == ANY {
                    any = true;
                    continue;
                }
                let parents = expected.get(&policy.oid).or_else(|| expected.get(&ANY));
                // A second time it says no more.
                if let (Some(parents), Entry::Vacant(new)) = (parents, level.entry(policy.oid)) {
                    new.insert(parents.clone());
                }
            }
            if any && (self.inhibit_any > 0 || any_in_ca) {
                for (policy, parents) in expected {
                    level.entry(policy).or_insert(parents);
                }
            }
        }
        let node = |(policy, parents)| Node {
            policy,
            parents,
            expected: vec![policy],
        };
        self.levels.push(level.into_iter().map(node).collect());
        if self.explicit_policy == 0 && self.last().is_empty() {
            return Err(Kind::NoPolicy);
        }
        Ok(())
    }

    /// Applies the mappings and constraints of a CA to what comes below (RFC 9618, 5.3;
    /// RFC 5280, 6.1.4 (a), (b), (h) to (j)).
    pub(super) fn prepare(
        &mut self,
        extensions: &CertificateExtensions<'_>,
        self_issued: bool,
    ) -> Result<(), Kind> {
        let mut mappings = Vec::new();
        for mapping in extensions.policy_mappings.iter().flat_map(|m| m.0.iter()) {
            self.budget.octets(EDGE)?;
            if mapping.issuer == ANY || mapping.subject == ANY {
                return Err(Kind::AnyPolicyMapped);
            }
            mappings.push((mapping.issuer, mapping.subject));
        }
        let mut mappings = sorted(mappings);
        mappings.dedup();
        self.map(&mappings);

        if !self_issued {
            for counter in [
                &mut self.explicit_policy,
                &mut self.policy_mapping,
                &mut self.inhibit_any,
            ] {
                *counter = counter.saturating_sub(1);
            }
        }
        let lower = |counter: &mut usize, limit: Option<u32>| {
            *counter = limit.map_or(*counter, |limit| (limit as usize).min(*counter));
        };
        if let Some(constraints) = extensions.policy_constraints {
            lower(&mut self.explicit_policy, constraints.require_explicit);
            lower(&mut self.policy_mapping, constraints.inhibit_mapping);
        }
        let limit = extensions.inhibit_any_policy.map(|inhibit| inhibit.0);
        lower(&mut self.inhibit_any, limit);
        Ok(())
    }

    /// Applies mappings, which are in order and each there once.
    fn map(&mut self, mappings: &[(Oid, Oid)]) {
        let allowed = self.policy_mapping > 0;
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        if !allowed {
            let is_mapped = |policy: &Oid| mappings.binary_search_by_key(policy, |m| m.0).is_ok();
            level.retain(|node| !is_mapped(&node.policy));
            return;
        }
        // A child of `anyPolicy` above, where the CA has a policy that only this stands for.
        let any = level.iter().find(|node| node.policy == ANY);
        let parents = any.map(|any| any.parents.clone());
        let mut added = Vec::new();
        for of_one in mappings.chunk_by(|a, b| a.0 == b.0) {
            let policy = of_one[0].0;
            let expected = of_one.iter().map(|(_, subject)| *subject).collect();
            match level.binary_search_by_key(&policy, |node| node.policy) {
                Ok(place) => level[place].expected = expected,
                Err(_) => added.extend(parents.clone().map(|parents| Node {
                    policy,
                    parents,
                    expected,
                })),
            }
        }
        level.append(&mut added);
        level.sort_unstable_by_key(|node| node.policy);
    }

    /// The policies for which the path is valid (RFC 9618, 5.4; RFC 5280, 6.1.5 (a), (b), (g)).
    pub(super) fn finish(
        mut self,
        extensions: &CertificateExtensions<'_>,
        initial: Option<&[Oid]>,
    ) -> Result<PolicySet, Kind> {
        self.explicit_policy = self.explicit_policy.saturating_sub(1);
        let constraints = extensions.policy_constraints;
        if constraints.is_some_and(|c| c.require_explicit == Some(0)) {
            self.explicit_policy = 0;
        }
        let any = self.last().iter().any(|node| node.policy == ANY);
        // RFC 5280, 6.1.1 (c): anyPolicy among them says that any will do.
        let initial = initial.filter(|initial| !initial.contains(&ANY));
        let valid = match initial {
            None if any => PolicySet::Any,
            None => PolicySet::Only(self.policies_below_any().into_iter().collect()),
            Some(initial) if any => PolicySet::Only(initial.to_vec()),
            Some(initial) => {
                let found = self.policies_below_any();
                let wanted = initial.iter().copied();
                PolicySet::Only(wanted.filter(|policy| found.contains(policy)).collect())
            }
        };
        if self.explicit_policy == 0 && valid.is_empty() {
            return Err(Kind::NoPolicy);
        }
        Ok(valid)
    }

    /// The policies with a way to the last certificate, as the CA that named them first does:
    /// the nodes right below one of `anyPolicy`.
    fn policies_below_any(&self) -> BTreeSet<Oid> {
        let mut found = BTreeSet::new();
        let mut alive = vec![true; self.last().len()];
        for pair in self.levels.windows(2).rev() {
            let [above, level] = pair else { break };
            let mut next = vec![false; above.len()];
            for (node, _) in level.iter().zip(&alive).filter(|(_, alive)| **alive) {
                node.parents.iter().for_each(|&parent| next[parent] = true);
                let below_any = node.parents.iter().any(|&p| above[p].policy == ANY);
                if below_any && node.policy != ANY {
                    found.insert(node.policy);
                }
            }
            alive = next;
        }
        found
    }
}
