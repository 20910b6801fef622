//! AES with tables of columns, a kilobyte for each direction: SubBytes and MixColumns of a byte are
//! one look-up.

fn look_up(table: &[u32; 256], bytes: [u8; 4]) -> u32 {
    let [a, b, c, d] = bytes.map(|byte| table[usize::from(byte)]);
    a ^ b.rotate_left(8) ^ c.rotate_left(16) ^ d.rotate_left(24)
}

fn encrypt(column: [u8; 4]) -> u32 {
    look_up(&super::tables::COLUMNS, column)
}

fn decrypt(column: [u8; 4]) -> u32 {
    look_up(&super::tables::INVERSE_COLUMNS, column)
}

super::tables::row! { encrypt, decrypt }
