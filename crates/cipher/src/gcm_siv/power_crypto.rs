//! AES and POLYVAL with POWER8's instructions, one after the other.

super::compose::composed!(power_crypto, power_crypto);
