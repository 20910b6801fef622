//! AES with the S-boxes as tables, 256 bytes for each direction, and MixColumns computed.

/// Every byte times x.
fn double(column: u32) -> u32 {
    ((column & 0x7f7f_7f7f) << 1) ^ ((column >> 7 & 0x0101_0101) * 0x1b)
}

/// MixColumns (FIPS 197, 5.1.3): row r is 2 r_0 + 3 r_1 + r_2 + r_3 of the rows from r on.
fn mix(column: u32) -> u32 {
    let next = column.rotate_right(8);
    double(column ^ next) ^ next ^ (column ^ next).rotate_right(16)
}

fn encrypt(column: [u8; 4]) -> u32 {
    let s_box = &super::tables::S_BOX;
    mix(u32::from_le_bytes(
        column.map(|byte| s_box[usize::from(byte)]),
    ))
}

/// The inverse of MixColumns (5.3.3) is MixColumns preceded by a map of rows two apart.
fn decrypt(column: [u8; 4]) -> u32 {
    let s_box = &super::tables::INVERSE;
    let column = u32::from_le_bytes(column.map(|byte| s_box[usize::from(byte)]));
    mix(column ^ double(double(column ^ column.rotate_right(16))))
}

super::tables::row! { encrypt, decrypt }
