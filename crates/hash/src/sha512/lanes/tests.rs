use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::sha512::Backend, state: [u64; 8], block: 128
}
