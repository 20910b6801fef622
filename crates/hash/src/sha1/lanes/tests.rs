use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::sha1::Backend, state: [u32; 5], block: 64
}
