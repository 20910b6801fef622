// Signatures and the generation of their keys.

#include "engine.h"

#include <botan/dilithium.h>
#include <botan/ec_apoint.h>
#include <botan/ec_group.h>
#include <botan/ec_scalar.h>
#include <botan/ecdsa.h>
#include <botan/ed25519.h>
#include <botan/ed448.h>
#include <botan/pubkey.h>
#include <botan/rsa.h>
#include <botan/sm2.h>
#include <botan/sp_parameters.h>
#include <botan/sphincsplus.h>

#include <optional>

namespace engine {

namespace {

using Botan::Signature_Format;
using Private = std::shared_ptr<const Botan::Private_Key>;
using Public = std::shared_ptr<const Botan::Public_Key>;

// How the keys of a scheme are made, read and told.
struct Scheme {
      std::function<std::unique_ptr<Botan::Private_Key>()> generate;
      std::function<Private(const Item&)> private_key;
      std::function<Public(const Bytes&)> public_key;
      std::function<Item(const Botan::Private_Key&)> tell;
};

void add_keygen(Table& table, const std::string& name, const Scheme& scheme) {
   table[name + "/keygen"] = [=](size_t, const Item&) {
      auto key = std::make_shared<std::unique_ptr<Botan::Private_Key>>();
      const auto compute = [=] { *key = scheme.generate(); };
      return task(compute, [=] {
         compute();
         return scheme.tell(**key);
      });
   };
}

// `suffix` tells paddings apart.
void add_signing(Table& table,
                 const std::string& name,
                 const std::string& suffix,
                 const Scheme& scheme,
                 const std::string& padding,
                 const std::string& verify_padding,
                 Signature_Format format) {
   table[name + "/sign" + suffix] = [=](size_t, const Item& input) {
      const Private key = scheme.private_key(input);
      auto signer = std::make_shared<Botan::PK_Signer>(*key, rng(), padding, format);
      const Bytes message = field(input, "message");
      auto signature = std::make_shared<Bytes>();
      // The signer refers to the key.
      const auto compute = [=, held = key] { *signature = signer->sign_message(message, rng()); };
      return task(compute, [=] {
         compute();
         return Item{{"signature", *signature}};
      });
   };
   const auto outcome = [](bool valid) { return Item{{"valid", Bytes{static_cast<uint8_t>(valid)}}}; };
   table[name + "/verify" + suffix] = [=](size_t, const Item& input) {
      const Public key = scheme.public_key(field(input, "public_key"));
      auto verifier = std::make_shared<Botan::PK_Verifier>(*key, verify_padding, format);
      const Bytes message = field(input, "message");
      const Bytes signature = field(input, "signature");
      auto valid = std::make_shared<bool>(false);
      const auto compute = [=, held = key] { *valid = verifier->verify_message(message, signature); };
      return task(compute, [=] {
         compute();
         return outcome(*valid);
      });
   };
   if(!suffix.empty()) {
      return;
   }
   table[name + "/verify-encoded"] = [=](size_t, const Item& input) {
      const Bytes encoded = field(input, "public_key");
      const Bytes message = field(input, "message");
      const Bytes signature = field(input, "signature");
      auto valid = std::make_shared<bool>(false);
      const auto compute = [=] {
         const Public key = scheme.public_key(encoded);
         *valid = Botan::PK_Verifier(*key, verify_padding, format).verify_message(message, signature);
      };
      return task(compute, [=] {
         compute();
         return outcome(*valid);
      });
   };
}

Botan::EC_Scalar scalar(const Botan::EC_Group& group, const Bytes& bytes) {
   const auto found = Botan::EC_Scalar::deserialize(group, bytes);
   if(!found) {
      throw std::runtime_error("the scalar is not one of this group");
   }
   return *found;
}

Botan::EC_AffinePoint point(const Botan::EC_Group& group, const Bytes& bytes) {
   const auto found = Botan::EC_AffinePoint::deserialize(group, bytes);
   if(!found) {
      throw std::runtime_error("the point is not one of this group");
   }
   return *found;
}

template <typename PrivateKey, typename PublicKey>
Scheme on_curve(const std::string& botan) {
   const auto group = Botan::EC_Group::from_name(botan);
   return {
      [=] { return std::make_unique<PrivateKey>(rng(), group); },
      [=](const Item& input) {
         return std::make_shared<PrivateKey>(group, scalar(group, field(input, "private_key")));
      },
      [=](const Bytes& encoded) { return std::make_shared<PublicKey>(group, point(group, encoded)); },
      [=](const Botan::Private_Key& key) {
         // The scalar as long as the order, the point uncompressed.
         return Item{{"private_key", bytes(key.raw_private_key_bits())}, {"public_key", key.raw_public_key_bits()}};
      },
   };
}

template <typename PrivateKey, typename PublicKey>
Scheme of_bytes() {
   return {
      [] { return std::make_unique<PrivateKey>(rng()); },
      [](const Item& input) {
         const Bytes& seed = field(input, "private_key");
         if constexpr(std::is_same_v<PrivateKey, Botan::Ed25519_PrivateKey>) {
            return std::make_shared<PrivateKey>(PrivateKey::from_seed(seed));
         } else {
            return std::make_shared<PrivateKey>(std::span<const uint8_t>(seed));
         }
      },
      [](const Bytes& encoded) { return std::make_shared<PublicKey>(std::span<const uint8_t>(encoded)); },
      [](const Botan::Private_Key& key) {
         const auto seed = key.raw_private_key_bits();
         // Of Ed25519 Botan keeps the public key behind the seed.
         const size_t len = std::is_same_v<PrivateKey, Botan::Ed25519_PrivateKey> ? 32 : seed.size();
         return Item{{"private_key", bytes(std::span{seed}.first(len))}, {"public_key", key.raw_public_key_bits()}};
      },
   };
}

// Keys of ML-DSA are seeds in Botan.
Scheme ml_dsa(Botan::DilithiumMode mode) {
   return {
      [=] { return std::make_unique<Botan::Dilithium_PrivateKey>(rng(), mode); },
      [=](const Item& input) { return std::make_shared<Botan::Dilithium_PrivateKey>(field(input, "seed"), mode); },
      [=](const Bytes& encoded) { return std::make_shared<Botan::Dilithium_PublicKey>(encoded, mode); },
      [](const Botan::Private_Key& key) {
         return Item{{"seed", bytes(key.raw_private_key_bits())}, {"public_key", key.raw_public_key_bits()}};
      },
   };
}

Scheme slh_dsa(const Botan::Sphincs_Parameters& parameters) {
   return {
      [=] { return std::make_unique<Botan::SphincsPlus_PrivateKey>(rng(), parameters); },
      [=](const Item& input) {
         return std::make_shared<Botan::SphincsPlus_PrivateKey>(field(input, "private_key"), parameters);
      },
      [=](const Bytes& encoded) { return std::make_shared<Botan::SphincsPlus_PublicKey>(encoded, parameters); },
      [](const Botan::Private_Key& key) {
         return Item{{"private_key", bytes(key.raw_private_key_bits())}, {"public_key", key.raw_public_key_bits()}};
      },
   };
}

Scheme rsa(size_t bits) {
   const Botan::AlgorithmIdentifier none;
   return {
      [=] { return std::make_unique<Botan::RSA_PrivateKey>(rng(), bits); },
      [=](const Item& input) { return std::make_shared<Botan::RSA_PrivateKey>(none, field(input, "private_key")); },
      [=](const Bytes& encoded) { return std::make_shared<Botan::RSA_PublicKey>(none, encoded); },
      [](const Botan::Private_Key& key) {
         return Item{{"private_key", bytes(key.private_key_bits())}, {"public_key", key.public_key_bits()}};
      },
   };
}

void add_rsa(Table& table, size_t bits) {
   const std::string name = "rsa-" + std::to_string(bits);
   const Scheme scheme = rsa(bits);
   const auto standard = Signature_Format::Standard;
   add_keygen(table, name, scheme);
   const std::string pkcs1 = "PKCS1v15(SHA-256)";
   const std::string pss = "PSS(SHA-256,MGF1,32)";
   add_signing(table, name, "-pkcs1", scheme, pkcs1, pkcs1, standard);
   add_signing(table, name, "-pss", scheme, pss, pss, standard);
   table[name + "/encrypt-oaep"] = [=](size_t, const Item& input) {
      const Public key = scheme.public_key(field(input, "public_key"));
      auto encryptor = std::make_shared<Botan::PK_Encryptor_EME>(*key, rng(), "OAEP(SHA-256)");
      const Bytes message = field(input, "message");
      auto out = std::make_shared<Bytes>();
      const auto compute = [=, held = key] { *out = encryptor->encrypt(message, rng()); };
      return task(compute, [=] {
         compute();
         return Item{{"ciphertext", *out}};
      });
   };
   table[name + "/decrypt-oaep"] = [=](size_t, const Item& input) {
      const Private key = scheme.private_key(input);
      auto decryptor = std::make_shared<Botan::PK_Decryptor_EME>(*key, rng(), "OAEP(SHA-256)");
      const Bytes ciphertext = field(input, "ciphertext");
      auto out = std::make_shared<Botan::secure_vector<uint8_t>>();
      const auto compute = [=, held = key] { *out = decryptor->decrypt(ciphertext); };
      return task(compute, [=] {
         compute();
         return Item{{"message", bytes(*out)}};
      });
   };
}

void add_sm2(Table& table) {
   const auto scheme = on_curve<Botan::SM2_PrivateKey, Botan::SM2_PublicKey>("sm2p256v1");
   const std::string identity = "1234567812345678,SM3";
   add_keygen(table, "sm2", scheme);
   add_signing(table, "sm2", "", scheme, identity, identity, Signature_Format::DerSequence);
   table["sm2/encrypt"] = [=](size_t, const Item& input) {
      const Public key = scheme.public_key(field(input, "public_key"));
      auto encryptor = std::make_shared<Botan::PK_Encryptor_EME>(*key, rng(), "SM3");
      const Bytes message = field(input, "message");
      auto out = std::make_shared<Bytes>();
      const auto compute = [=, held = key] { *out = encryptor->encrypt(message, rng()); };
      return task(compute, [=] {
         compute();
         return Item{{"ciphertext", *out}};
      });
   };
   table["sm2/decrypt"] = [=](size_t, const Item& input) {
      const Private key = scheme.private_key(input);
      auto decryptor = std::make_shared<Botan::PK_Decryptor_EME>(*key, rng(), "SM3");
      const Bytes ciphertext = field(input, "ciphertext");
      auto out = std::make_shared<Botan::secure_vector<uint8_t>>();
      const auto compute = [=, held = key] { *out = decryptor->decrypt(ciphertext); };
      return task(compute, [=] {
         compute();
         return Item{{"message", bytes(*out)}};
      });
   };
}

}  // namespace

void add_signatures(Table& table) {
   for(const auto& curve : curves) {
      const auto scheme = on_curve<Botan::ECDSA_PrivateKey, Botan::ECDSA_PublicKey>(curve.botan);
      const std::string name = std::string("ecdsa-") + curve.name;
      add_keygen(table, name, scheme);
      add_signing(table, name, "", scheme, curve.hash, curve.hash, Signature_Format::DerSequence);
   }
   add_sm2(table);
   const auto standard = Signature_Format::Standard;
   const auto ed25519 = of_bytes<Botan::Ed25519_PrivateKey, Botan::Ed25519_PublicKey>();
   add_keygen(table, "ed25519", ed25519);
   add_signing(table, "ed25519", "", ed25519, "Pure", "Pure", standard);
   const auto ed448 = of_bytes<Botan::Ed448_PrivateKey, Botan::Ed448_PublicKey>();
   add_keygen(table, "ed448", ed448);
   add_signing(table, "ed448", "", ed448, "Pure", "Pure", standard);
   for(const size_t bits : {2048, 3072, 4096}) {
      add_rsa(table, bits);
   }
   using Mode = Botan::DilithiumMode;
   for(const auto& [name, mode] :
       {std::pair{"ml-dsa-44", Mode::ML_DSA_4x4}, {"ml-dsa-65", Mode::ML_DSA_6x5}, {"ml-dsa-87", Mode::ML_DSA_8x7}}) {
      const auto scheme = ml_dsa(mode);
      add_keygen(table, name, scheme);
      add_signing(table, name, "", scheme, "Randomized", "", standard);
   }
   for(const std::string hash : {"sha2", "shake"}) {
      for(const std::string set : {"128s", "128f", "192s", "192f", "256s", "256f"}) {
         const std::string upper = hash == "sha2" ? "SHA2" : "SHAKE";
         const auto parameters = Botan::Sphincs_Parameters::create("SLH-DSA-" + upper + "-" + set);
         if(!parameters.is_available()) {
            continue;
         }
         const auto scheme = slh_dsa(parameters);
         const std::string name = "slh-dsa-" + hash + "-" + set;
         add_keygen(table, name, scheme);
         add_signing(table, name, "", scheme, "Randomized", "", standard);
      }
   }
}

}  // namespace engine
