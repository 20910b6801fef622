//! Hashes, MACs, modes and AEADs.

use std::ffi::c_void;
use std::ptr::null;

use adamant_engine::family::{self, Nonced, Outcome};
use adamant_engine::op::{self, exactly, field, item};
use adamant_engine::serve::Engine;
use adamant_engine::{Item, Size};

use crate::mb::{Job, Mb};

/// `IMB_CIPHER_…` and `IMB_AUTH_…`.
const CBC: u32 = 1;
const CTR: u32 = 2;
const NO_CIPHER: u32 = 3;
const DES: u32 = 7;
const CCM: u32 = 9;
const DES3: u32 = 10;
const ECB: u32 = 12;
const CHACHA20_POLY1305: u32 = 19;
const NO_HASH: u32 = 8;
const HASH_CCM: u32 = 11;
const HASH_CMAC_128: u32 = 12;
const HASH_CMAC_256: u32 = 27;
const HASH_POLY1305: u32 = 28;
const HASH_CHACHA20_POLY1305: u32 = 29;
/// `IMB_DIR_ENCRYPT` and `IMB_DIR_DECRYPT`, `IMB_ORDER_CIPHER_HASH` and `IMB_ORDER_HASH_CIPHER`.
const ENCRYPT: u32 = 1;
const DECRYPT: u32 = 2;
const CIPHER_HASH: u32 = 1;
const HASH_CIPHER: u32 = 2;

/// The SHA family: name, bytes of digest and of block, `IMB_AUTH_HMAC_…`, `IMB_AUTH_SHA_…`; in the
/// order of the manager's functions.
const HASHES: [(&str, usize, usize, u32, u32); 5] = [
    ("sha1", 20, 64, 1, 13),
    ("sha224", 28, 64, 2, 14),
    ("sha256", 32, 64, 3, 15),
    ("sha384", 48, 128, 4, 16),
    ("sha512", 64, 128, 5, 17),
];
const MD5: (&str, usize, usize, u32) = ("md5", 16, 64, 7);

/// Room for keys, tables and states, aligned as the library wants them.
#[repr(C, align(64))]
#[derive(Clone)]
struct Aligned<const N: usize>([u8; N]);

impl<const N: usize> Aligned<N> {
    fn new() -> Box<Self> {
        Box::new(Aligned([0; N]))
    }
    fn of(bytes: &[u8]) -> Box<Self> {
        let mut room = Self::new();
        room.0[..bytes.len()].copy_from_slice(bytes);
        room
    }
    fn place(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
    fn key(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

pub(crate) fn register(engine: &mut Engine, mb: Mb) {
    for (index, (name, size, block, hmac_id, hash_id)) in HASHES.into_iter().enumerate() {
        let hash = mb.functions().hash[index];
        engine.single(&format!("{name}/digest"), move |_, input| {
            let message = field(input, "message")?;
            Ok(op::filling(
                [0; 64],
                move |out: &mut [u8; 64]| {
                    // SAFETY: as many bytes as said, room for the longest digest.
                    unsafe { hash(message.as_ptr(), message.len() as u64, out.as_mut_ptr()) };
                    Ok(())
                },
                move |out| item([("digest", &out[..size])]),
            ))
        });
        batch(engine, mb, &format!("{name}/digest"), "digest", move |_| {
            Ok(Prepared {
                id: hash_id,
                size,
                of_hash: [0; 3],
                _key: Vec::new(),
            })
        });
        hmac(engine, mb, index, (name, size, block, hmac_id));
    }
    hmac(engine, mb, HASHES.len(), MD5);
    for (name, id, len) in [
        ("aes-128", HASH_CMAC_128, 16),
        ("aes-256", HASH_CMAC_256, 32),
    ] {
        mac(engine, mb, &format!("cmac-{name}"), move |key| {
            cmac(mb, id, key, len)
        });
    }
    mac(engine, mb, "poly1305", |key| {
        let key = vec![*Aligned::of(&exactly::<32>(key)?)];
        Ok(Prepared {
            id: HASH_POLY1305,
            size: 16,
            of_hash: [key[0].key() as usize, 0, 0],
            _key: key,
        })
    });
    for (index, bits) in [128, 192, 256].into_iter().enumerate() {
        for (mode, cipher) in [("ecb", ECB), ("cbc", CBC), ("ctr", CTR)] {
            let new = move |key: &[u8]| AesKey::new(mb, index, key);
            let run = move |direction| {
                move |key: &mut AesKey, iv: &[u8], data: &[u8], out: &mut [u8]| {
                    if cipher != CTR && !data.len().is_multiple_of(16) {
                        return Err("the mode wants whole blocks".into());
                    }
                    let cipher = Cipher {
                        cipher,
                        direction,
                        enc: key.enc.key(),
                        dec: key.dec.key(),
                        key_len: key.len,
                    };
                    mb.run([cipher.job(iv, data, out)])
                }
            };
            let name = format!("aes-{bits}-{mode}");
            family::encrypt(engine, &name, new, run(ENCRYPT));
            family::decrypt(engine, &name, new, run(DECRYPT));
        }
        gcm(engine, mb, index, &format!("aes-{bits}-gcm"));
        if bits != 192 {
            let new = move |key: &[u8]| AesKey::new(mb, index, key);
            aead(
                engine,
                &format!("aes-{bits}-ccm"),
                new,
                move |key, nonced, data, out, tag| {
                    let direction = if tag.seals { ENCRYPT } else { DECRYPT };
                    let cipher = Cipher {
                        cipher: CCM,
                        direction,
                        enc: key.enc.key(),
                        dec: key.dec.key(),
                        key_len: key.len,
                    };
                    let order = if tag.seals { HASH_CIPHER } else { CIPHER_HASH };
                    mb.run([cipher.aead(nonced, data, out, tag, (HASH_CCM, order))])
                },
            );
        }
    }
    for (name, cipher, keys) in [("des-cbc", DES, 1), ("3des-cbc", DES3, 3)] {
        let new = move |key: &[u8]| DesKey::new(mb, keys, key);
        let run = move |direction| {
            move |key: &mut DesKey, iv: &[u8], data: &[u8], out: &mut [u8]| {
                if !data.len().is_multiple_of(8) {
                    return Err("the mode wants whole blocks".into());
                }
                let (all, first) = (key.all.as_ptr().cast(), key.schedules[0].key());
                let place = if keys == 3 { all } else { first };
                let cipher = Cipher {
                    cipher,
                    direction,
                    enc: place,
                    dec: place,
                    key_len: 8 * keys as u64,
                };
                mb.run([cipher.job(iv, data, out)])
            }
        };
        family::encrypt(engine, name, new, run(ENCRYPT));
        family::decrypt(engine, name, new, run(DECRYPT));
    }
    let new = |key: &[u8]| exactly::<32>(key).map(|key| Aligned::<32>::of(&key));
    let chacha20 = |key: *const c_void, cipher, direction| Cipher {
        cipher,
        direction,
        enc: key,
        dec: key,
        key_len: 32,
    };
    aead(
        engine,
        "chacha20-poly1305",
        new,
        move |key, nonced, data, out, tag| {
            let [direction, order] = match tag.seals {
                true => [ENCRYPT, CIPHER_HASH],
                false => [DECRYPT, HASH_CIPHER],
            };
            let cipher = chacha20(key.key(), CHACHA20_POLY1305, direction);
            mb.run([cipher.aead(nonced, data, out, tag, (HASH_CHACHA20_POLY1305, order))])
        },
    );
}

/// What does not change from message to message of a cipher.
#[derive(Clone, Copy)]
struct Cipher {
    cipher: u32,
    direction: u32,
    enc: *const c_void,
    dec: *const c_void,
    key_len: u64,
}

impl Cipher {
    fn job<'a>(
        self,
        iv: &'a [u8],
        data: &'a [u8],
        out: &'a mut [u8],
    ) -> impl FnOnce(&mut Job) + use<'a> {
        move |job| {
            job.enc_keys = self.enc;
            job.dec_keys = self.dec;
            job.key_len = self.key_len;
            job.from = data.as_ptr();
            job.to = out.as_mut_ptr();
            job.cipher_offset = 0;
            job.cipher_len = data.len().min(out.len()) as u64;
            job.hash_offset = 0;
            job.hash_len = 0;
            job.iv = iv.as_ptr();
            job.iv_len = iv.len() as u64;
            job.cipher = self.cipher;
            job.direction = self.direction;
            job.hash = NO_HASH;
            job.order = CIPHER_HASH;
        }
    }

    fn aead<'a>(
        self,
        nonced: &'a Nonced,
        data: &'a [u8],
        out: &'a mut [u8],
        tag: &'a mut Tag,
        (hash, order): (u32, u32),
    ) -> impl FnOnce(&mut Job) + use<'a> {
        move |job| {
            self.job(&nonced.nonce, data, out)(job);
            job.hash = hash;
            job.order = order;
            job.hash_len = job.cipher_len;
            job.tag = tag.made.as_mut_ptr();
            job.tag_len = 16;
            job.of_hash = [nonced.aad.as_ptr() as usize, nonced.aad.len(), 0];
        }
    }
}

/// The tag that was made, and which way.
struct Tag {
    made: [u8; 16],
    seals: bool,
}

/// `NAME/seal` and `NAME/open` from one place to another.
fn aead<K: 'static>(
    engine: &mut Engine,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<K> + Copy + 'static,
    run: impl Fn(&mut K, &Nonced, &[u8], &mut [u8], &mut Tag) -> Outcome<()> + Copy + 'static,
) {
    family::seal(engine, name, new, move |key: &mut K, nonced, data, out| {
        let mut tag = Tag {
            made: [0; 16],
            seals: true,
        };
        run(key, nonced, data, out, &mut tag)?;
        Ok(tag.made)
    });
    family::open(
        engine,
        name,
        new,
        move |key: &mut K, nonced, data, tag, out| {
            let expected: [u8; 16] = exactly(tag)?;
            let mut tag = Tag {
                made: [0; 16],
                seals: false,
            };
            run(key, nonced, data, out, &mut tag)?;
            let pairs = tag.made.iter().zip(&expected);
            match { pairs }.fold(0, |sum, (a, b)| sum | (a ^ b)) {
                0 => Ok(()),
                _ => Err("the tag is wrong".into()),
            }
        },
    );
}

struct AesKey {
    enc: Box<Aligned<256>>,
    dec: Box<Aligned<256>>,
    len: u64,
}

impl AesKey {
    fn new(mb: Mb, index: usize, key: &[u8]) -> Outcome<Self> {
        let len = 16 + 8 * index;
        if key.len() != len {
            return Err(format!("{} bytes of key where {len} belong", key.len()));
        }
        let (mut enc, mut dec) = (Aligned::new(), Aligned::new());
        // SAFETY: the key has its length, the places have room for 15 round keys.
        unsafe { (mb.functions().expand[index])(key.as_ptr(), enc.place(), dec.place()) };
        Ok(AesKey {
            enc,
            dec,
            len: len as u64,
        })
    }
}

struct DesKey {
    schedules: Vec<Aligned<128>>,
    all: Box<[*const c_void; 3]>,
}

impl DesKey {
    fn new(mb: Mb, keys: usize, key: &[u8]) -> Outcome<Self> {
        if key.len() != 8 * keys {
            return Err(format!(
                "{} bytes of key where {} belong",
                key.len(),
                8 * keys
            ));
        }
        let schedule = |key: &[u8]| {
            let mut schedule = Aligned::<128>::new();
            // SAFETY: a key of 8 bytes, room for 16 words.
            unsafe { (mb.functions().des_schedule)(schedule.place().cast(), key.as_ptr()) };
            *schedule
        };
        let schedules: Vec<_> = key.chunks(8).map(schedule).collect();
        let mut all = Box::new([null(); 3]);
        for (place, schedule) in all.iter_mut().zip(&schedules) {
            *place = schedule.key();
        }
        Ok(DesKey { schedules, all })
    }
}

fn gcm(engine: &mut Engine, mb: Mb, index: usize, name: &str) {
    let functions = mb.functions();
    let new = move |key: &[u8]| {
        let len = 16 + 8 * index;
        if key.len() != len {
            return Err(format!("{} bytes of key where {len} belong", key.len()));
        }
        // 15 round keys and 48 powers of H at most; a context has 96 bytes.
        let mut table = Aligned::<1024>::new();
        // SAFETY: the key has its length, and the place room for its tables.
        unsafe { (functions.gcm_key[index])(key.as_ptr(), table.place()) };
        Ok((table, Aligned::<128>::new()))
    };
    let (seal, open) = (functions.gcm_enc[index], functions.gcm_dec[index]);
    type Key = (Box<Aligned<1024>>, Box<Aligned<128>>);
    aead(
        engine,
        name,
        new,
        move |(table, context): &mut Key, nonced, data, out, tag| {
            let function = if tag.seals { seal } else { open };
            let nonce: [u8; 12] = exactly(&nonced.nonce)?;
            let (from, to, len) = (data.as_ptr(), out.as_mut_ptr(), data.len().min(out.len()));
            let (aad, aad_len) = (nonced.aad.as_ptr(), nonced.aad.len() as u64);
            let (nonce, made) = (nonce.as_ptr(), tag.made.as_mut_ptr());
            let (key, context) = (table.place(), context.place());
            // SAFETY: as many bytes as said, 12 of nonce and 16 of tag.
            unsafe {
                function(
                    key, context, to, from, len as u64, nonce, aad, aad_len, made, 16,
                )
            };
            Ok(())
        },
    );
}

/// A hash or a MAC with its key.
struct Prepared {
    id: u32,
    size: usize,
    of_hash: [usize; 3],
    /// What `of_hash` points to.
    _key: Vec<Aligned<256>>,
}

impl Prepared {
    fn job<'a>(&self, message: &'a [u8], tag: &'a mut [u8; 64]) -> impl FnOnce(&mut Job) + use<'a> {
        let (id, size, of_hash) = (self.id, self.size as u64, self.of_hash);
        move |job| {
            job.cipher = NO_CIPHER;
            job.direction = ENCRYPT;
            job.order = HASH_CIPHER;
            job.hash = id;
            job.from = message.as_ptr();
            job.hash_offset = 0;
            job.hash_len = message.len() as u64;
            job.cipher_len = 0;
            job.tag = tag.as_mut_ptr();
            job.tag_len = size;
            job.of_hash = of_hash;
        }
    }
}

fn hmac(
    engine: &mut Engine,
    mb: Mb,
    index: usize,
    (name, size, block, id): (&str, usize, usize, u32),
) {
    let one_block = mb.functions().one_block[index];
    let new = move |key: &[u8]| {
        if key.len() > block {
            return Err(
                "longer keys are hashed first, which the library leaves to its user".into(),
            );
        }
        let state = |pad: u8| {
            let mut padded = Aligned::<128>::of(key);
            padded.0.iter_mut().for_each(|byte| *byte ^= pad);
            let mut state = Aligned::<256>::new();
            // SAFETY: a block, and room for a state.
            unsafe { one_block(padded.place(), state.place()) };
            state
        };
        let key = vec![*state(0x36), *state(0x5c)];
        Ok(Prepared {
            id,
            size,
            of_hash: [key[0].key() as usize, key[1].key() as usize, 0],
            _key: key,
        })
    };
    mac(engine, mb, &format!("hmac-{name}"), new);
    batch(
        engine,
        mb,
        &format!("hmac-{name}/mac"),
        "tag",
        move |input| new(&field(input, "key")?),
    );
}

fn cmac(mb: Mb, id: u32, key: &[u8], len: usize) -> Outcome<Prepared> {
    let expanded = AesKey::new(mb, (len - 16) / 8, key)?.enc;
    // The subkeys of both lengths of key are made from what the cipher makes of zeros: twice
    // doubled in the field of SP 800-38B.
    let mut zeros = [0; 16];
    let cipher = Cipher {
        cipher: ECB,
        direction: ENCRYPT,
        enc: expanded.key(),
        dec: expanded.key(),
        key_len: len as u64,
    };
    mb.run([cipher.job(&[], &[0; 16], &mut zeros)])?;
    let double = |block: [u8; 16]| {
        let value = u128::from_be_bytes(block);
        (value << 1 ^ if value >> 127 == 1 { 0x87 } else { 0 }).to_be_bytes()
    };
    let first = double(zeros);
    let key = vec![*expanded, *Aligned::of(&first), *Aligned::of(&double(first))];
    Ok(Prepared {
        id,
        size: 16,
        of_hash: [0, 1, 2].map(|i: usize| key[i].key() as usize),
        _key: key,
    })
}

fn mac(
    engine: &mut Engine,
    mb: Mb,
    name: &str,
    new: impl Fn(&[u8]) -> Outcome<Prepared> + 'static,
) {
    engine.single(&format!("{name}/mac"), move |_, input| {
        let (prepared, message) = (new(&field(input, "key")?)?, field(input, "message")?);
        let size = prepared.size;
        Ok(op::filling(
            [0; 64],
            move |tag: &mut [u8; 64]| mb.run([prepared.job(&message, tag)]),
            move |tag| item([("tag", &tag[..size])]),
        ))
    });
}

/// One of a batch: the key, the message and the place of what is made.
type Lane = (Prepared, Vec<u8>, [u8; 64]);

fn batch(
    engine: &mut Engine,
    mb: Mb,
    name: &str,
    output: &'static str,
    new: impl Fn(&Item) -> Outcome<Prepared> + 'static,
) {
    engine.batch(&format!("{name}_batch"), move |_: Size, inputs| {
        let lane = |input: &Item| Ok((new(input)?, field(input, "message")?, [0; 64]));
        let lanes = inputs.iter().map(lane).collect::<Outcome<Vec<Lane>>>()?;
        Ok(op::whole(
            lanes,
            move |lanes| {
                mb.run(
                    lanes
                        .iter_mut()
                        .map(|(prepared, message, out)| prepared.job(message, out)),
                )
            },
            move |lanes| {
                let told = |lane: &Lane| item([(output, &lane.2[..lane.0.size])]);
                lanes.iter().map(told).collect()
            },
        ))
    });
}
