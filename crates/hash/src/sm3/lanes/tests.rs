use super::Backend;

crate::lanes::tests::kernels_agree! {
    Backend, crate::sm3::Backend, state: [u32; 8], block: 64
}
