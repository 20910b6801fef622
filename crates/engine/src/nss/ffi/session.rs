//! What a session does, each call of PKCS#11 in safe words.

use std::ffi::c_ulong;

use super::{INVALID, InOut, Init, Mechanism, RawAttribute, Softoken, Template, count, done, len};

/// An object of a session.
#[derive(Clone, Copy)]
pub(in crate::nss) struct Object(c_ulong);

/// A session. Objects created in it go with it.
pub(in crate::nss) struct Session {
    pub(super) lib: Softoken,
    pub(super) handle: c_ulong,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session is open.
        unsafe { (self.lib.functions.close_session)(self.handle) };
    }
}

/// The two directions of a cipher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::nss) enum Direction {
    Encrypt,
    Decrypt,
}

use Direction::{Decrypt, Encrypt};

impl Session {
    pub(in crate::nss) fn create(&self, template: &Template) -> Result<Object, String> {
        let (raw, mut object) = (template.raw(), 0);
        // SAFETY: as many attributes as said, and a place for the handle.
        let result = unsafe {
            let functions = self.lib.functions;
            (functions.create_object)(self.handle, raw.as_ptr(), count(&raw), &raw mut object)
        };
        done("C_CreateObject", result)?;
        Ok(Object(object))
    }

    pub(in crate::nss) fn destroy(&self, object: Object) -> Result<(), String> {
        // SAFETY: any number may be asked to be destroyed.
        let result = unsafe { (self.lib.functions.destroy_object)(self.handle, object.0) };
        done("C_DestroyObject", result)
    }

    /// An attribute, at most as long as `out`.
    pub(in crate::nss) fn read<'a>(
        &self,
        object: Object,
        kind: c_ulong,
        out: &'a mut [u8],
    ) -> Result<&'a [u8], String> {
        let mut raw = RawAttribute {
            kind,
            value: out.as_mut_ptr().cast(),
            len: out.len() as c_ulong,
        };
        // SAFETY: one attribute, whose place has as many bytes as said.
        let result = unsafe {
            (self.lib.functions.get_attribute_value)(self.handle, object.0, &raw mut raw, 1)
        };
        done("C_GetAttributeValue", result)?;
        Ok(&out[..raw.len as usize])
    }

    pub(in crate::nss) fn generate(
        &self,
        mechanism: &Mechanism,
        template: &Template,
    ) -> Result<Object, String> {
        let (raw, attributes, mut object) = (mechanism.raw(), template.raw(), 0);
        // SAFETY: a mechanism, as many attributes as said, and a place for the handle.
        let result = unsafe {
            (self.lib.functions.generate_key)(
                self.handle,
                &raw const raw,
                attributes.as_ptr(),
                count(&attributes),
                &raw mut object,
            )
        };
        done("C_GenerateKey", result)?;
        Ok(Object(object))
    }

    /// A public key and its private one.
    pub(in crate::nss) fn generate_pair(
        &self,
        mechanism: &Mechanism,
        public: &Template,
        private: &Template,
    ) -> Result<[Object; 2], String> {
        let (raw, public, private) = (mechanism.raw(), public.raw(), private.raw());
        let (mut public_key, mut private_key) = (0, 0);
        // SAFETY: a mechanism, as many attributes as said, and places for the handles.
        let result = unsafe {
            (self.lib.functions.generate_key_pair)(
                self.handle,
                &raw const raw,
                public.as_ptr(),
                count(&public),
                private.as_ptr(),
                count(&private),
                &raw mut public_key,
                &raw mut private_key,
            )
        };
        done("C_GenerateKeyPair", result)?;
        Ok([Object(public_key), Object(private_key)])
    }

    pub(in crate::nss) fn derive(
        &self,
        mechanism: &Mechanism,
        key: Object,
        template: &Template,
    ) -> Result<Object, String> {
        let (raw, attributes, mut object) = (mechanism.raw(), template.raw(), 0);
        // SAFETY: as above.
        let result = unsafe {
            (self.lib.functions.derive_key)(
                self.handle,
                &raw const raw,
                key.0,
                attributes.as_ptr(),
                count(&attributes),
                &raw mut object,
            )
        };
        done("C_DeriveKey", result)?;
        Ok(Object(object))
    }

    pub(in crate::nss) fn digest(
        &self,
        mechanism: &Mechanism,
        message: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let raw = mechanism.raw();
        // SAFETY: the mechanism lives as long as the call.
        let result = unsafe { (self.lib.functions.digest_init)(self.handle, &raw const raw) };
        done("C_DigestInit", result)?;
        self.in_out("C_Digest", self.lib.functions.digest, message, out)
    }

    /// A signature or the tag of a MAC.
    pub(in crate::nss) fn sign(
        &self,
        mechanism: &Mechanism,
        key: Object,
        message: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        self.init("C_SignInit", self.lib.functions.sign_init, mechanism, key)?;
        self.in_out("C_Sign", self.lib.functions.sign, message, out)
    }

    pub(in crate::nss) fn verify(
        &self,
        mechanism: &Mechanism,
        key: Object,
        message: &[u8],
        signature: &[u8],
    ) -> Result<bool, String> {
        let init = self.lib.functions.verify_init;
        self.init("C_VerifyInit", init, mechanism, key)?;
        // SAFETY: as many bytes as said.
        let result = unsafe {
            (self.lib.functions.verify)(
                self.handle,
                message.as_ptr(),
                len(message),
                signature.as_ptr(),
                len(signature),
            )
        };
        if INVALID.contains(&result) {
            return Ok(false);
        }
        done("C_Verify", result).map(|()| true)
    }

    /// All of a message in one call.
    pub(in crate::nss) fn crypt(
        &self,
        direction: Direction,
        mechanism: &Mechanism,
        key: Object,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        self.begin(direction, mechanism, key)?;
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.in_out("C_Encrypt", functions.encrypt, data, out),
            Decrypt => self.in_out("C_Decrypt", functions.decrypt, data, out),
        }
    }

    /// Begins a message of several parts.
    pub(in crate::nss) fn begin(
        &self,
        direction: Direction,
        mechanism: &Mechanism,
        key: Object,
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.init("C_EncryptInit", functions.encrypt_init, mechanism, key),
            Decrypt => self.init("C_DecryptInit", functions.decrypt_init, mechanism, key),
        }
    }

    /// The next part of a message.
    pub(in crate::nss) fn update(
        &self,
        direction: Direction,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let functions = self.lib.functions;
        match direction {
            Encrypt => self.in_out("C_EncryptUpdate", functions.encrypt_update, data, out),
            Decrypt => self.in_out("C_DecryptUpdate", functions.decrypt_update, data, out),
        }
    }

    /// Ends a message of several parts, if one goes on.
    pub(in crate::nss) fn end(&self, direction: Direction) {
        let (mut out, mut len) = ([0; 64], 64);
        let end = match direction {
            Encrypt => self.lib.functions.encrypt_final,
            Decrypt => self.lib.functions.decrypt_final,
        };
        // SAFETY: the place has as many bytes as said.
        unsafe { end(self.handle, out.as_mut_ptr(), &raw mut len) };
    }

    /// Makes an AEAD ready for messages that all have this key.
    pub(in crate::nss) fn begin_messages(
        &self,
        direction: Direction,
        kind: c_ulong,
        key: Object,
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        let (call, init) = match direction {
            Encrypt => ("C_MessageEncryptInit", functions.message_encrypt_init),
            Decrypt => ("C_MessageDecryptInit", functions.message_decrypt_init),
        };
        self.init(call, init, &Mechanism::plain(kind), key)
    }

    /// Seals or opens a message; the parameter tells where nonce and tag lie.
    pub(in crate::nss) fn message(
        &self,
        direction: Direction,
        parameter: &mut Envelope,
        aad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<(), String> {
        let functions = self.lib.functions;
        let (call, function) = match direction {
            Encrypt => ("C_EncryptMessage", functions.encrypt_message),
            Decrypt => ("C_DecryptMessage", functions.decrypt_message),
        };
        let mut room = len(out);
        let mut gcm;
        let mut poly1305;
        let (nonce, nonce_len) = (parameter.nonce.as_ptr(), len(&parameter.nonce));
        let tag = parameter.tag.as_mut_ptr();
        let (place, place_len) = if parameter.is_gcm {
            // `CKG_NO_GENERATE`.
            gcm = GcmMessage(nonce, nonce_len, 0, 0, tag, 128);
            ((&raw mut gcm).cast(), size_of_val(&gcm))
        } else {
            poly1305 = Poly1305Message(nonce, nonce_len, tag);
            ((&raw mut poly1305).cast(), size_of_val(&poly1305))
        };
        // SAFETY: as many bytes as said everywhere; the parameter has the layout of the mechanism
        // and points to a nonce and the 16 bytes of a tag.
        let result = unsafe {
            function(
                self.handle,
                place,
                place_len as c_ulong,
                aad.as_ptr(),
                len(aad),
                data.as_ptr(),
                len(data),
                out.as_mut_ptr(),
                &raw mut room,
            )
        };
        done(call, result)
    }

    fn init(
        &self,
        call: &str,
        init: Init,
        mechanism: &Mechanism,
        key: Object,
    ) -> Result<(), String> {
        let raw = mechanism.raw();
        // SAFETY: the mechanism, and what it points to, live as long as the call.
        done(call, unsafe { init(self.handle, &raw const raw, key.0) })
    }

    fn in_out(
        &self,
        call: &str,
        function: InOut,
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, String> {
        let mut out_len = len(out);
        // SAFETY: as many bytes as said on both sides.
        let result = unsafe {
            function(
                self.handle,
                data.as_ptr(),
                len(data),
                out.as_mut_ptr(),
                &raw mut out_len,
            )
        };
        done(call, result)?;
        Ok(out_len as usize)
    }
}

/// `CK_GCM_MESSAGE_PARAMS`.
#[repr(C)]
struct GcmMessage(*const u8, c_ulong, c_ulong, c_ulong, *mut u8, c_ulong);
/// `CK_SALSA20_CHACHA20_POLY1305_MSG_PARAMS`.
#[repr(C)]
struct Poly1305Message(*const u8, c_ulong, *mut u8);

/// Nonce and tag of a message under an AEAD.
pub(in crate::nss) struct Envelope {
    pub(in crate::nss) is_gcm: bool,
    pub(in crate::nss) nonce: Vec<u8>,
    pub(in crate::nss) tag: [u8; 16],
}
