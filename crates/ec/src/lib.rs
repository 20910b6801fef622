//! Elliptic curves: ECDSA, ECDH, Ed25519 and X25519.
