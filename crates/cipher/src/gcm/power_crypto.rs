//! AES-GCM with POWER8's instructions, one half after the other.

super::compose::composed!(power_crypto, power_crypto);
