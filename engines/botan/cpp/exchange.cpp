// Agreement, encapsulation, the groups of the curves, the arithmetic of large numbers.

#include "engine.h"

#include <botan/bigint.h>
#include <botan/dh.h>
#include <botan/dl_group.h>
#include <botan/ec_apoint.h>
#include <botan/ec_group.h>
#include <botan/ec_scalar.h>
#include <botan/ecdh.h>
#include <botan/kyber.h>
#include <botan/pubkey.h>
#include <botan/x25519.h>
#include <botan/x448.h>

namespace engine {

namespace {

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

// How the keys of an agreement are made, read and told.
struct Agreement {
      std::function<std::unique_ptr<Botan::Private_Key>()> generate;
      std::function<std::unique_ptr<Botan::Private_Key>(const Bytes&)> read;
      std::function<Item(const Botan::Private_Key&)> tell;
};

Item tell_raw(const Botan::Private_Key& key) {
   return {{"private_key", bytes(key.raw_private_key_bits())}, {"public_key", key.raw_public_key_bits()}};
}

// Botan takes the peer's key as bytes each time: there is no form of it that is parsed before, so
// both operations are the same.
void add_agreement(Table& table, const std::string& name, const Agreement& agreement) {
   table[name + "/keygen"] = [=](size_t, const Item&) {
      auto key = std::make_shared<std::unique_ptr<Botan::Private_Key>>();
      const auto compute = [=] { *key = agreement.generate(); };
      return task(compute, [=] {
         compute();
         return agreement.tell(**key);
      });
   };
   for(const std::string operation : {"/derive", "/derive-encoded"}) {
      table[name + operation] = [=](size_t, const Item& input) {
         auto key = std::shared_ptr(agreement.read(field(input, "private_key")));
         auto agree = std::make_shared<Botan::PK_Key_Agreement>(*key, rng(), "Raw");
         const Bytes peer = field(input, "peer_public_key");
         auto secret = std::make_shared<Botan::SymmetricKey>();
         // The agreement refers to the key.
         const auto compute = [=, held = key] { *secret = agree->derive_key(0, peer); };
         return task(compute, [=] {
            compute();
            return Item{{"shared_secret", bytes(secret->bits_of())}};
         });
      };
   }
}

void add_curve(Table& table, const Curve& curve) {
   const auto group = Botan::EC_Group::from_name(curve.botan);
   add_agreement(table,
                 std::string("ecdh-") + curve.name,
                 {
                    [=] { return std::make_unique<Botan::ECDH_PrivateKey>(rng(), group); },
                    [=](const Bytes& key) { return std::make_unique<Botan::ECDH_PrivateKey>(group, scalar(group, key)); },
                    tell_raw,
                 });
   // But where the group itself is used the peer is a point.
   table[std::string("ecdh-") + curve.name + "/derive"] = [=](size_t, const Item& input) {
      const auto key = scalar(group, field(input, "private_key"));
      const auto peer = point(group, field(input, "peer_public_key"));
      auto secret = std::make_shared<Botan::secure_vector<uint8_t>>();
      const auto compute = [=] { *secret = peer.mul_x_only(key, rng()); };
      return task(compute, [=] {
         compute();
         return Item{{"shared_secret", bytes(*secret)}};
      });
   };
}

void add_multiplication(Table& table, const std::string& name, const std::string& botan) {
   const auto group = Botan::EC_Group::from_name(botan);
   const auto product = [=](auto compute) {
      auto result = std::make_shared<Botan::EC_AffinePoint>(Botan::EC_AffinePoint::identity(group));
      const auto once = [=] { *result = compute(); };
      return task(once, [=] {
         once();
         return Item{{"point", result->template serialize_uncompressed<Bytes>()}};
      });
   };
   table[name + "/mul-base"] = [=](size_t, const Item& input) {
      const auto k = scalar(group, field(input, "scalar"));
      return product([=] { return Botan::EC_AffinePoint::g_mul(k, rng()); });
   };
   table[name + "/mul"] = [=](size_t, const Item& input) {
      const auto k = scalar(group, field(input, "scalar"));
      const auto p = point(group, field(input, "point"));
      return product([=] { return p.mul(k, rng()); });
   };
}

void add_dh(Table& table, const std::string& name, const std::string& botan) {
   const auto group = Botan::DL_Group::from_name(botan);
   add_agreement(table,
                 name,
                 {
                    [=] { return std::make_unique<Botan::DH_PrivateKey>(rng(), group); },
                    [=](const Bytes& key) {
                       return std::make_unique<Botan::DH_PrivateKey>(group, Botan::BigInt::from_bytes(key));
                    },
                    [=](const Botan::Private_Key& key) {
                       const size_t len = group.p_bytes();
                       const auto& x = key.get_int_field("x");
                       const auto& y = key.get_int_field("y");
                       return Item{{"private_key", x.serialize<Bytes>(len)}, {"public_key", y.serialize<Bytes>(len)}};
                    },
                 });
}

void add_ml_kem(Table& table, const std::string& name, Botan::KyberMode mode) {
   table[name + "/keygen"] = [=](size_t, const Item&) {
      auto key = std::make_shared<std::unique_ptr<Botan::Kyber_PrivateKey>>();
      const auto compute = [=] { *key = std::make_unique<Botan::Kyber_PrivateKey>(rng(), mode); };
      return task(compute, [=] {
         compute();
         const auto& made = **key;
         return Item{
            {"private_key", bytes(made.private_key_bits_with_format(Botan::MlPrivateKeyFormat::Expanded))},
            {"seed", bytes(made.private_key_bits_with_format(Botan::MlPrivateKeyFormat::Seed))},
            {"public_key", made.raw_public_key_bits()},
         };
      });
   };
   const auto encapsulated = [](const auto& ciphertext, const auto& secret) {
      return Item{{"ciphertext", bytes(*ciphertext)}, {"shared_secret", bytes(*secret)}};
   };
   table[name + "/encapsulate"] = [=](size_t, const Item& input) {
      auto key = std::make_shared<Botan::Kyber_PublicKey>(field(input, "public_key"), mode);
      auto encryptor = std::make_shared<Botan::PK_KEM_Encryptor>(*key, "Raw");
      auto ciphertext = std::make_shared<Bytes>(encryptor->encapsulated_key_length());
      auto secret = std::make_shared<Bytes>(encryptor->shared_key_length(32));
      const auto compute = [=, held = key] {
         encryptor->encrypt(std::span{*ciphertext}, std::span{*secret}, rng(), 32);
      };
      return task(compute, [=] {
         compute();
         return encapsulated(ciphertext, secret);
      });
   };
   table[name + "/encapsulate-encoded"] = [=](size_t, const Item& input) {
      const Bytes encoded = field(input, "public_key");
      auto ciphertext = std::make_shared<Bytes>();
      auto secret = std::make_shared<Bytes>();
      const auto compute = [=] {
         const Botan::Kyber_PublicKey key(encoded, mode);
         Botan::PK_KEM_Encryptor encryptor(key, "Raw");
         ciphertext->resize(encryptor.encapsulated_key_length());
         secret->resize(encryptor.shared_key_length(32));
         encryptor.encrypt(std::span{*ciphertext}, std::span{*secret}, rng(), 32);
      };
      return task(compute, [=] {
         compute();
         return encapsulated(ciphertext, secret);
      });
   };
   table[name + "/decapsulate"] = [=](size_t, const Item& input) {
      auto key = std::make_shared<Botan::Kyber_PrivateKey>(field(input, "private_key"), mode);
      auto decryptor = std::make_shared<Botan::PK_KEM_Decryptor>(*key, rng(), "Raw");
      const Bytes ciphertext = field(input, "ciphertext");
      auto secret = std::make_shared<Bytes>(decryptor->shared_key_length(32));
      const auto compute = [=, held = key] { decryptor->decrypt(std::span{*secret}, ciphertext, 32); };
      return task(compute, [=] {
         compute();
         return Item{{"shared_secret", *secret}};
      });
   };
}

void add_arithmetic(Table& table, size_t bits) {
   const std::string name = "bignum-" + std::to_string(bits);
   const auto operation = [](const std::string& result_name, size_t len, auto compute) {
      return [=](size_t, const Item& input) {
         const auto a = Botan::BigInt::from_bytes(field(input, "a"));
         const auto b = Botan::BigInt::from_bytes(field(input, "b"));
         auto result = std::make_shared<Botan::BigInt>();
         const auto once = [=] { *result = compute(a, b); };
         return task(once, [=] {
            once();
            return Item{{result_name, result->serialize<Bytes>(len)}};
         });
      };
   };
   using Botan::BigInt;
   table[name + "/add"] = operation("sum", bits / 8 + 1, [](const BigInt& a, const BigInt& b) { return a + b; });
   table[name + "/mul"] = operation("product", bits / 4, [](const BigInt& a, const BigInt& b) { return a * b; });
}

}  // namespace

void add_exchange(Table& table) {
   for(const auto& curve : curves) {
      add_curve(table, curve);
      add_multiplication(table, curve.name, curve.botan);
   }
   add_multiplication(table, "sm2", "sm2p256v1");
   add_agreement(table,
                 "x25519",
                 {
                    [] { return std::make_unique<Botan::X25519_PrivateKey>(rng()); },
                    [](const Bytes& key) { return std::make_unique<Botan::X25519_PrivateKey>(std::span{key}); },
                    tell_raw,
                 });
   add_agreement(table,
                 "x448",
                 {
                    [] { return std::make_unique<Botan::X448_PrivateKey>(rng()); },
                    [](const Bytes& key) { return std::make_unique<Botan::X448_PrivateKey>(std::span{key}); },
                    tell_raw,
                 });
   for(const std::string bits : {"2048", "3072", "4096", "6144", "8192"}) {
      add_dh(table, "dh-ffdhe" + bits, "ffdhe/ietf/" + bits);
      add_dh(table, "dh-modp" + bits, "modp/ietf/" + bits);
   }
   using Mode = Botan::KyberMode;
   add_ml_kem(table, "ml-kem-512", Mode::ML_KEM_512);
   add_ml_kem(table, "ml-kem-768", Mode::ML_KEM_768);
   add_ml_kem(table, "ml-kem-1024", Mode::ML_KEM_1024);
   for(const size_t bits : {256, 512, 1024, 2048, 4096}) {
      add_arithmetic(table, bits);
   }
}

}  // namespace engine
