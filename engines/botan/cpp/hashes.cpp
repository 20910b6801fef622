// Digests, message authentication codes, key derivation, password hashing.

#include "engine.h"

#include <botan/hash.h>
#include <botan/kdf.h>
#include <botan/mac.h>
#include <botan/pwdhash.h>

namespace engine {

namespace {

struct Hash {
      const char* name;
      const char* botan;
      // Whether HMAC, HKDF and PBKDF2 go with it.
      bool keyed;
};

const std::vector<Hash> hashes = {
   {"sha224", "SHA-224", true},
   {"sha256", "SHA-256", true},
   {"sha384", "SHA-384", true},
   {"sha512", "SHA-512", true},
   {"sha512-256", "SHA-512-256", true},
   {"sha3-224", "SHA-3(224)", true},
   {"sha3-256", "SHA-3(256)", true},
   {"sha3-384", "SHA-3(384)", true},
   {"sha3-512", "SHA-3(512)", true},
   {"keccak-256", "Keccak-1600(256)", false},
   {"shake128", "SHAKE-128(256)", false},
   {"shake256", "SHAKE-256(512)", false},
   {"sm3", "SM3", true},
   {"sha1", "SHA-1", true},
   {"md5", "MD5", true},
   {"ripemd160", "RIPEMD-160", true},
   {"blake2b-512", "BLAKE2b(512)", true},
   {"blake2b-384", "BLAKE2b(384)", false},
   {"blake2b-256", "BLAKE2b(256)", false},
   {"blake2s-256", "BLAKE2s(256)", true},
   {"blake2s-128", "BLAKE2s(128)", false},
   {"whirlpool", "Whirlpool", false},
   {"streebog-256", "Streebog-256", false},
   {"streebog-512", "Streebog-512", false},
};

struct Mac {
      const char* name;
      const char* botan;
      // Whether each message has a nonce.
      bool nonce;
      // Whether each message has a key of its own.
      bool once;
};

const std::vector<Mac> macs = {
   {"cmac-aes-128", "CMAC(AES-128)", false, false},
   {"cmac-aes-192", "CMAC(AES-192)", false, false},
   {"cmac-aes-256", "CMAC(AES-256)", false, false},
   {"cmac-sm4", "CMAC(SM4)", false, false},
   {"cmac-3des", "CMAC(TripleDES)", false, false},
   {"gmac-aes-128", "GMAC(AES-128)", true, false},
   {"gmac-aes-192", "GMAC(AES-192)", true, false},
   {"gmac-aes-256", "GMAC(AES-256)", true, false},
   {"gmac-sm4", "GMAC(SM4)", true, false},
   {"kmac128", "KMAC-128(256)", true, false},
   {"kmac256", "KMAC-256(512)", true, false},
   {"poly1305", "Poly1305", false, true},
   {"siphash-2-4", "SipHash(2,4)", false, false},
   {"siphash-1-3", "SipHash(1,3)", false, false},
};

void add_mac(Table& table, const std::string& name, const std::string& botan, bool nonce, bool once) {
   if(!Botan::MessageAuthenticationCode::create(botan)) {
      return;
   }
   table[name + "/mac"] = [=](size_t, const Item& input) {
      auto mac = std::shared_ptr(Botan::MessageAuthenticationCode::create_or_throw(botan));
      const Bytes key = field(input, "key");
      const Bytes message = field(input, "message");
      // The customisation of KMAC travels as a nonce there, and is empty.
      const bool has_nonce = nonce && !name.starts_with("kmac");
      const Bytes iv = has_nonce ? field(input, "nonce") : Bytes();
      mac->set_key(key);
      auto tag = std::make_shared<Bytes>(mac->output_length());
      const auto compute = [=] {
         if(once) {
            mac->set_key(key);
         }
         if(nonce) {
            mac->start(iv);
         }
         mac->update(message);
         mac->final(std::span{*tag});
      };
      return task(compute, [=] {
         compute();
         return Item{{"tag", *tag}};
      });
   };
}

void add_keyed(Table& table, const Hash& hash) {
   const std::string name = hash.name;
   const std::string in_brackets = std::string("(").append(hash.botan).append(")");
   add_mac(table, "hmac-" + name, "HMAC" + in_brackets, false, false);
   if(Botan::KDF::create("HKDF" + in_brackets)) {
      table["hkdf-" + name + "/derive"] = [=](size_t bytes, const Item& input) {
         auto kdf = std::shared_ptr(Botan::KDF::create_or_throw("HKDF" + in_brackets));
         const Bytes ikm = field(input, "ikm");
         const Bytes salt = field(input, "salt");
         const Bytes info = field(input, "info");
         auto okm = std::make_shared<Bytes>(bytes);
         const auto compute = [=] { kdf->derive_key(std::span{*okm}, ikm, salt, info); };
         return task(compute, [=] {
            compute();
            return Item{{"okm", *okm}};
         });
      };
   }
}

// The function that hashes passwords, from its parameters.
using Parameters = std::function<std::unique_ptr<Botan::PasswordHash>(const Botan::PasswordHashFamily&, const Item&)>;

void add_password(Table& table, const std::string& name, const std::string& botan, const Parameters& parameters) {
   if(!Botan::PasswordHashFamily::create(botan)) {
      return;
   }
   table[name + "/derive"] = [=](size_t bytes, const Item& input) {
      const auto family = Botan::PasswordHashFamily::create_or_throw(botan);
      auto hash = std::shared_ptr(parameters(*family, input));
      const Bytes password_bytes = field(input, "password");
      const std::string password(password_bytes.begin(), password_bytes.end());
      const Bytes salt = field(input, "salt");
      auto okm = std::make_shared<Bytes>(bytes);
      const auto compute = [=] { hash->hash(std::span{*okm}, password, salt); };
      return task(compute, [=] {
         compute();
         return Item{{"okm", *okm}};
      });
   };
}

}  // namespace

void add_hashes(Table& table) {
   for(const auto& hash : hashes) {
      const std::string botan = hash.botan;
      if(!Botan::HashFunction::create(botan)) {
         continue;
      }
      table[std::string(hash.name) + "/digest"] = [=](size_t, const Item& input) {
         auto function = std::shared_ptr(Botan::HashFunction::create_or_throw(botan));
         const Bytes message = field(input, "message");
         auto digest = std::make_shared<Bytes>(function->output_length());
         const auto compute = [=] {
            function->update(message);
            function->final(std::span{*digest});
         };
         return task(compute, [=] {
            compute();
            return Item{{"digest", *digest}};
         });
      };
      if(hash.keyed) {
         add_keyed(table, hash);
         add_password(table,
                      "pbkdf2-hmac-" + std::string(hash.name),
                      "PBKDF2(" + botan + ")",
                      [](const Botan::PasswordHashFamily& family, const Item& input) {
                         return family.from_params(number(input, "iterations"));
                      });
      }
   }
   for(const auto& mac : macs) {
      add_mac(table, mac.name, mac.botan, mac.nonce, mac.once);
   }
   add_password(table, "scrypt", "Scrypt", [](const Botan::PasswordHashFamily& family, const Item& input) {
      return family.from_params(number(input, "n"), number(input, "r"), number(input, "p"));
   });
   for(const auto& [name, botan] :
       {std::pair{"argon2d", "Argon2d"}, {"argon2i", "Argon2i"}, {"argon2id", "Argon2id"}}) {
      add_password(table, name, botan, [](const Botan::PasswordHashFamily& family, const Item& input) {
         return family.from_params(number(input, "memory"), number(input, "passes"), number(input, "lanes"));
      });
   }
}

}  // namespace engine
