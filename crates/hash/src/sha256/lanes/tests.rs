use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::sha256::Backend, state: [u32; 8], block: 64
}
