//! The primes of the standards, which all come from two numbers (RFC 7919, appendix A; RFC 3526;
//! RFC 2409, 6): for b bits and the least X that makes p and (p - 1)/2 primes,
//!
//! ```text
//! p = 2^b - 2^(b - 64) + (floor(2^(b - 130) c) + X) 2^64 - 1
//! ```
//!
//! with c = e or pi. The integer in the middle begins all b - 128 bits of the longest one, and b is
//! a multiple of 64: so one row of limbs for each c is enough. The tests compute both anew.

use adamant_bignum::{Number, limbs};

/// Limbs of the middle of the longest prime.
pub(crate) const MOST: usize = 126;

/// The prime of `bits` bits for these first digits and X.
pub(crate) fn prime(digits: &[u64; MOST], bits: usize, x: u64) -> Number {
    let n = bits / 64;
    let mut p = Number::from_limbs(&[u64::MAX; MOST + 2]).resized(n);
    let middle = &mut p[1..n - 1];
    for (to, from) in middle.iter_mut().rev().zip(digits) {
        *to = *from;
    }
    // 2^64 (V + X) - 1 borrows from the middle.
    limbs::add(middle, &[x - 1]);
    p
}

/// floor(2^8062 e), the highest limb first.
#[rustfmt::skip]
pub(crate) static E: [u64; MOST] = [
    0xadf8_5458_a2bb_4a9a, 0xafdc_5620_273d_3cf1, 0xd8b9_c583_ce2d_3695, 0xa9e1_3641_1464_33fb,
    0xcc93_9dce_249b_3ef9, 0x7d2f_e363_630c_75d8, 0xf681_b202_aec4_617a, 0xd3df_1ed5_d5fd_6561,
    0x2433_f51f_5f06_6ed0, 0x8563_6555_3ded_1af3, 0xb557_135e_7f57_c935, 0x984f_0c70_e0e6_8b77,
    0xe2a6_89da_f3ef_e872, 0x1df1_58a1_36ad_e735, 0x30ac_ca4f_483a_797a, 0xbc0a_b182_b324_fb61,
    0xd108_a94b_b2c8_e3fb, 0xb96a_dab7_60d7_f468, 0x1d4f_42a3_de39_4df4, 0xae56_ede7_6372_bb19,
    0x0b07_a7c8_ee0a_6d70, 0x9e02_fce1_cdf7_e2ec, 0xc034_04cd_2834_2f61, 0x9172_fe9c_e985_83ff,
    0x8e4f_1232_eef2_8183, 0xc3fe_3b1b_4c6f_ad73, 0x3bb5_fcbc_2ec2_2005, 0xc58e_f183_7d16_83b2,
    0xc6f3_4a26_c1b2_effa, 0x886b_4238_611f_cfdc, 0xde35_5b3b_6519_035b, 0xbc34_f4de_f99c_0238,
    0x61b4_6fc9_d6e6_c907, 0x7ad9_1d26_91f7_f7ee, 0x598c_b0fa_c186_d91c, 0xaefe_1309_8513_9270,
    0xb413_0c93_bc43_7944, 0xf4fd_4452_e2d7_4dd3, 0x64f2_e21e_71f5_4bff, 0x5cae_82ab_9c9d_f69e,
    0xe86d_2bc5_2236_3a0d, 0xabc5_2197_9b0d_eada, 0x1dbf_9a42_d5c4_484e, 0x0abc_d06b_fa53_ddef,
    0x3c1b_20ee_3fd5_9d7c, 0x25e4_1d2b_669e_1ef1, 0x6e6f_52c3_164d_f4fb, 0x7930_e9e4_e588_57b6,
    0xac7d_5f42_d69f_6d18, 0x7763_cf1d_5503_4004, 0x87f5_5ba5_7e31_cc7a, 0x7135_c886_efb4_318a,
    0xed6a_1e01_2d9e_6832, 0xa907_600a_9181_30c4, 0x6dc7_78f9_71ad_0038, 0x0929_99a3_33cb_8b7a,
    0x1a1d_b93d_7140_003c, 0x2a4e_cea9_f98d_0acc, 0x0a82_91cd_cec9_7dcf, 0x8ec9_b55a_7f88_a46b,
    0x4db5_a851_f441_82e1, 0xc68a_007e_5e0d_d902, 0x0bfd_64b6_4503_6c7a, 0x4e67_7d2c_3853_2a3a,
    0x23ba_4442_caf5_3ea6, 0x3bb4_5432_9b76_24c8, 0x917b_dd64_b1c0_fd4c, 0xb38e_8c33_4c70_1c3a,
    0xcdad_0657_fccf_ec71, 0x9b1f_5c3e_4e46_041f, 0x3881_47fb_4cfd_b477, 0xa524_71f7_a9a9_6910,
    0xb855_322e_db63_40d8, 0xa00e_f092_3505_11e3, 0x0abe_c1ff_f9e3_a26e, 0x7fb2_9f8c_1830_23c3,
    0x587e_38da_0077_d9b4, 0x763e_4e4b_94b2_bbc1, 0x94c6_651e_77ca_f992, 0xeeaa_c023_2a28_1bf6,
    0xb3a7_39c1_2261_1682, 0x0ae8_db58_47a6_7cbe, 0xf9c9_091b_462d_538c, 0xd72b_0374_6ae7_7f5e,
    0x6229_2c31_1562_a846, 0x505d_c82d_b854_338a, 0xe49f_5235_c95b_9117, 0x8ccf_2dd5_cace_f403,
    0xec9d_1810_c627_2b04, 0x5b3b_71f9_dc6b_80d6, 0x3fdd_4a8e_9adb_1e69, 0x62a6_9526_d431_61c1,
    0xa41d_570d_7938_dad4, 0xa40e_329c_cff4_6aaa, 0x36ad_004c_f600_c838, 0x1e42_5a31_d951_ae64,
    0xfdb2_3fce_c950_9d43, 0x687f_eb69_edd1_cc5e, 0x0b8c_c3bd_f64b_10ef, 0x86b6_3142_a3ab_8829,
    0x555b_2f74_7c93_2665, 0xcb2c_0f1c_c01b_d702, 0x2938_8839_d2af_05e4, 0x5450_4ac7_8b75_8282,
    0x2846_c0ba_35c3_5f5c, 0x5916_0cc0_46fd_8251, 0x541f_c68c_9c86_b022, 0xbb70_9987_6a46_0e74,
    0x51a8_a931_0970_3fee, 0x1c21_7e6c_3826_e52c, 0x51aa_691e_0e42_3cfc, 0x99e9_e316_50c1_217b,
    0x6248_16cd_ad9a_95f9, 0xd5b8_0194_88d9_c0a0, 0xa1fe_3075_a577_e231, 0x83f8_1d4a_3f2f_a457,
    0x1efc_8ce0_ba8a_4fe8, 0xb685_5dfe_72b0_a66e, 0xded2_fbab_fbe5_8a30, 0xfafa_be1c_5d71_a87e,
    0x2f74_1ef8_c1fe_86fe, 0xa6bb_fde5_3067_7f0d, 0x97d1_1d49_f7a8_443d, 0x0822_e506_a9f4_614e,
    0x011e_2a94_838f_f88c, 0xd68c_8bb7_c51e_ef6d,
];

/// floor(2^8062 pi), the highest limb first.
#[rustfmt::skip]
pub(crate) static PI: [u64; MOST] = [
    0xc90f_daa2_2168_c234, 0xc4c6_628b_80dc_1cd1, 0x2902_4e08_8a67_cc74, 0x020b_bea6_3b13_9b22,
    0x514a_0879_8e34_04dd, 0xef95_19b3_cd3a_431b, 0x302b_0a6d_f25f_1437, 0x4fe1_356d_6d51_c245,
    0xe485_b576_625e_7ec6, 0xf44c_42e9_a637_ed6b, 0x0bff_5cb6_f406_b7ed, 0xee38_6bfb_5a89_9fa5,
    0xae9f_2411_7c4b_1fe6, 0x4928_6651_ece4_5b3d, 0xc200_7cb8_a163_bf05, 0x98da_4836_1c55_d39a,
    0x6916_3fa8_fd24_cf5f, 0x8365_5d23_dca3_ad96, 0x1c62_f356_2085_52bb, 0x9ed5_2907_7096_966d,
    0x670c_354e_4abc_9804, 0xf174_6c08_ca18_217c, 0x3290_5e46_2e36_ce3b, 0xe39e_772c_180e_8603,
    0x9b27_83a2_ec07_a28f, 0xb5c5_5df0_6f4c_52c9, 0xde2b_cbf6_9558_1718, 0x3995_497c_ea95_6ae5,
    0x15d2_2618_98fa_0510, 0x1572_8e5a_8aaa_c42d, 0xad33_170d_0450_7a33, 0xa855_21ab_df1c_ba64,
    0xecfb_8504_58db_ef0a, 0x8aea_7157_5d06_0c7d, 0xb397_0f85_a6e1_e4c7, 0xabf5_ae8c_db09_33d7,
    0x1e8c_94e0_4a25_619d, 0xcee3_d226_1ad2_ee6b, 0xf12f_fa06_d98a_0864, 0xd876_0273_3ec8_6a64,
    0x521f_2b18_177b_200c, 0xbbe1_1757_7a61_5d6c, 0x7709_88c0_bad9_46e2, 0x08e2_4fa0_74e5_ab31,
    0x43db_5bfc_e0fd_108e, 0x4b82_d120_a921_0801, 0x1a72_3c12_a787_e6d7, 0x8871_9a10_bdba_5b26,
    0x99c3_2718_6af4_e23c, 0x1a94_6834_b615_0bda, 0x2583_e9ca_2ad4_4ce8, 0xdbbb_c2db_04de_8ef9,
    0x2e8e_fc14_1fbe_caa6, 0x287c_5947_4e6b_c05d, 0x99b2_964f_a090_c3a2, 0x233b_a186_515b_e7ed,
    0x1f61_2970_cee2_d7af, 0xb81b_dd76_2170_481c, 0xd006_9127_d5b0_5aa9, 0x93b4_ea98_8d8f_ddc1,
    0x86ff_b7dc_90a6_c08f, 0x4df4_35c9_3402_8492, 0x36c3_fab4_d27c_7026, 0xc1d4_dcb2_6026_46de,
    0xc975_1e76_3dba_37bd, 0xf8ff_9406_ad9e_530e, 0xe5db_382f_4130_01ae, 0xb06a_53ed_9027_d831,
    0x1797_27b0_865a_8918, 0xda3e_dbeb_cf9b_14ed, 0x44ce_6cba_ced4_bb1b, 0xdb7f_1447_e6cc_254b,
    0x3320_5151_2bd7_af42, 0x6fb8_f401_378c_d2bf, 0x5983_ca01_c64b_92ec, 0xf032_ea15_d172_1d03,
    0xf482_d7ce_6e74_fef6, 0xd55e_702f_4698_0c82, 0xb5a8_4031_900b_1c9e, 0x59e7_c97f_bec7_e8f3,
    0x23a9_7a7e_36cc_88be, 0x0f1d_45b7_ff58_5ac5, 0x4bd4_07b2_2b41_54aa, 0xcc8f_6d7e_bf48_e1d8,
    0x14cc_5ed2_0f80_37e0, 0xa797_15ee_f29b_e328, 0x06a1_d58b_b7c5_da76, 0xf550_aa3d_8a1f_bff0,
    0xeb19_ccb1_a313_d55c, 0xda56_c9ec_2ef2_9632, 0x387f_e8d7_6e3c_0468, 0x043e_8f66_3f48_60ee,
    0x12bf_2d5b_0b74_74d6, 0xe694_f91e_6dbe_1159, 0x74a3_926f_12fe_e5e4, 0x3877_7cb6_a932_df8c,
    0xd8be_c4d0_73b9_31ba, 0x3bc8_32b6_8d9d_d300, 0x741f_a7bf_8afc_47ed, 0x2576_f693_6ba4_2466,
    0x3aab_639c_5ae4_f568, 0x3423_b474_2bf1_c978, 0x238f_16cb_e39d_652d, 0xe3fd_b8be_fc84_8ad9,
    0x2222_2e04_a403_7c07, 0x13eb_57a8_1a23_f0c7, 0x3473_fc64_6cea_306b, 0x4bcb_c886_2f83_85dd,
    0xfa9d_4b7f_a2c0_87e8, 0x7968_3303_ed5b_dd3a, 0x062b_3cf5_b3a2_78a6, 0x6d2a_13f8_3f44_f82d,
    0xdf31_0ee0_74ab_6a36, 0x4597_e899_a025_5dc1, 0x64f3_1cc5_0846_851d, 0xf9ab_4819_5ded_7ea1,
    0xb1d5_10bd_7ee7_4d73, 0xfaf3_6bc3_1ecf_a268, 0x3590_46f4_eb87_9f92, 0x4009_438b_481c_6cd7,
    0x889a_002e_d5ee_382b, 0xc919_0da6_fc02_6e47, 0x9558_e447_5677_e9aa, 0x9e30_50e2_7656_94df,
    0xc81f_56e8_80b9_6e71, 0x60c9_80dd_98a5_73ea,
];
