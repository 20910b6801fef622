//! Curves y^2 = x^3 + a x + b over prime fields: the short Weierstrass form of SP 800-186.

pub mod p256;
