//! What the bindings leave out: `slhdsa.h`; `xwing.h`, whose private key is 7840 bytes of the
//! library's own; and the functions of `bcm_interface.h`, in C++, that give expanded private keys.

use boring_sys::*;

#[repr(C, align(8))]
pub(crate) struct XwingPrivateKey([u8; 7840]);

type Generate = unsafe extern "C" fn(*mut u8, *mut u8);
pub(crate) type Sign =
    unsafe extern "C" fn(*mut u8, *const u8, *const u8, usize, *const u8, usize) -> i32;
pub(crate) type Verify =
    unsafe extern "C" fn(*const u8, usize, *const u8, *const u8, usize, *const u8, usize) -> i32;

/// The functions of a parameter set of SLH-DSA.
#[derive(Clone, Copy)]
pub(crate) struct SlhDsa {
    pub(crate) generate: Generate,
    pub(crate) sign: Sign,
    pub(crate) verify: Verify,
}
pub(crate) const SHA2_128S: SlhDsa = SlhDsa {
    generate: SLHDSA_SHA2_128S_generate_key,
    sign: SLHDSA_SHA2_128S_sign,
    verify: SLHDSA_SHA2_128S_verify,
};
pub(crate) const SHAKE_256F: SlhDsa = SlhDsa {
    generate: SLHDSA_SHAKE_256F_generate_key,
    sign: SLHDSA_SHAKE_256F_sign,
    verify: SLHDSA_SHAKE_256F_verify,
};

unsafe extern "C" {
    #[link_name = "_ZN4bssl32BCM_mlkem768_marshal_private_keyEP6cbb_stPK20MLKEM768_private_key"]
    pub(crate) fn marshal_ml_kem_768(out: *mut CBB, private: *const MLKEM768_private_key) -> i32;
    #[link_name = "_ZN4bssl33BCM_mlkem1024_marshal_private_keyEP6cbb_stPK21MLKEM1024_private_key"]
    pub(crate) fn marshal_ml_kem_1024(out: *mut CBB, private: *const MLKEM1024_private_key) -> i32;
    #[link_name = "_ZN4bssl31BCM_mldsa44_marshal_private_keyEP6cbb_stPK19MLDSA44_private_key"]
    pub(crate) fn marshal_ml_dsa_44(out: *mut CBB, private: *const MLDSA44_private_key) -> i32;
    #[link_name = "_ZN4bssl31BCM_mldsa65_marshal_private_keyEP6cbb_stPK19MLDSA65_private_key"]
    pub(crate) fn marshal_ml_dsa_65(out: *mut CBB, private: *const MLDSA65_private_key) -> i32;
    #[link_name = "_ZN4bssl31BCM_mldsa87_marshal_private_keyEP6cbb_stPK19MLDSA87_private_key"]
    pub(crate) fn marshal_ml_dsa_87(out: *mut CBB, private: *const MLDSA87_private_key) -> i32;
    fn SLHDSA_SHA2_128S_generate_key(public: *mut u8, private: *mut u8);
    fn SLHDSA_SHA2_128S_sign(
        out: *mut u8,
        private: *const u8,
        message: *const u8,
        len: usize,
        context: *const u8,
        context_len: usize,
    ) -> i32;
    fn SLHDSA_SHA2_128S_verify(
        signature: *const u8,
        signature_len: usize,
        public: *const u8,
        message: *const u8,
        len: usize,
        context: *const u8,
        context_len: usize,
    ) -> i32;
    fn SLHDSA_SHAKE_256F_generate_key(public: *mut u8, private: *mut u8);
    fn SLHDSA_SHAKE_256F_sign(
        out: *mut u8,
        private: *const u8,
        message: *const u8,
        len: usize,
        context: *const u8,
        context_len: usize,
    ) -> i32;
    fn SLHDSA_SHAKE_256F_verify(
        signature: *const u8,
        signature_len: usize,
        public: *const u8,
        message: *const u8,
        len: usize,
        context: *const u8,
        context_len: usize,
    ) -> i32;
    pub(crate) fn XWING_generate_key(public: *mut u8, private: *mut XwingPrivateKey) -> i32;
    pub(crate) fn XWING_encap(out: *mut u8, secret: *mut u8, public: *const u8) -> i32;
    pub(crate) fn XWING_decap(
        secret: *mut u8,
        ciphertext: *const u8,
        private: *const XwingPrivateKey,
    ) -> i32;
    pub(crate) fn XWING_marshal_private_key(out: *mut CBB, private: *const XwingPrivateKey) -> i32;
    pub(crate) fn XWING_parse_private_key(private: *mut XwingPrivateKey, from: *mut CBS) -> i32;
}
