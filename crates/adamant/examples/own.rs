//! Plugs in a hash engine for SHA-256 and a key store for AES. What stands for the hardware here is
//! the portable code.

use adamant::cipher::{aes::Aes256, gcm::Gcm};
use adamant::hash::{Hmac, Sha256};
use adamant::hazmat::{cipher::aes, hash::sha256};
use adamant::{Implementation, cpu::Features, family::BlockCipher};

/// The hash engine.
struct Engine;

impl sha256::Functions for Engine {
    fn implementation(&self) -> &'static Implementation {
        const { &Implementation::new("engine", Features::NONE) }
    }

    fn compress(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // Here its registers would be written and read.
        sha256::Backend::portable().compress(state, blocks);
    }
}

/// A slot of the key store: it encrypts under its key, which it gives to nobody.
struct Slot(Aes256);

impl BlockCipher for Slot {
    type Block = [u8; 16];

    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.0.encrypt_blocks(blocks);
    }
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        self.0.decrypt_blocks(blocks);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    static ENGINE: &dyn sha256::Functions = &Engine;
    sha256::check(ENGINE)?;
    let installed = sha256::Backend::install(&ENGINE).ok_or("there is another engine")?;
    let tag = Hmac::<Sha256>::mac(b"key", b"message");
    println!("HMAC by {installed:?}: {:02x?}…", &tag[..4]);

    // The check needs a key that it knows.
    let known = [7; 32];
    aes::check(&Slot(Aes256::new(&known)), &known)?;
    let cipher = Gcm::with_cipher(Slot(Aes256::new(&[1; 32])));
    let mut data = *b"attack at dawn";
    let tag = cipher.seal(&[0; 12], b"header", &mut data)?;
    cipher.open(&[0; 12], b"header", &mut data, &tag)?;
    assert_eq!(&data, b"attack at dawn");
    println!("AES-GCM by the key store: {:02x?}…", &tag[..4]);
    Ok(())
}
