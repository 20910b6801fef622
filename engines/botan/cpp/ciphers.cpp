// Block and stream ciphers, their modes, authenticated encryption, key wrapping.
//
// Botan's modes work in place, and are timed so, again and again on what came out; but what is
// authenticated opens only once, so that opening works on copies of the ciphertext that are laid
// ready outside the timing, as in the engines of the other libraries that work in place.

#include "engine.h"

#include <botan/aead.h>
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/nist_keywrap.h>
#include <botan/stream_cipher.h>

namespace engine {

namespace {

struct Block {
      const char* name;
      const char* botan;
};

const std::vector<Block> blocks = {
   {"aes-128", "AES-128"},
   {"aes-192", "AES-192"},
   {"aes-256", "AES-256"},
   {"sm4", "SM4"},
   {"3des", "TripleDES"},
   {"des", "DES"},
   {"camellia-128", "Camellia-128"},
   {"camellia-256", "Camellia-256"},
   {"aria-128", "ARIA-128"},
   {"aria-256", "ARIA-256"},
};

const std::string encrypt = "encrypt";
const std::string decrypt = "decrypt";

// What goes in and what comes out.
std::pair<std::string, std::string> ends(bool forward) {
   return forward ? std::pair{"message", "ciphertext"} : std::pair{"ciphertext", "message"};
}

void add_ecb(Table& table, const Block& block) {
   const std::string botan = block.botan;
   for(const bool forward : {true, false}) {
      table[std::string(block.name) + "-ecb/" + (forward ? encrypt : decrypt)] = [=](size_t, const Item& input) {
         auto cipher = std::shared_ptr(Botan::BlockCipher::create_or_throw(botan));
         cipher->set_key(field(input, "key"));
         const auto [from, to] = ends(forward);
         const Bytes data = field(input, from);
         const size_t count = data.size() / cipher->block_size();
         if(count * cipher->block_size() != data.size()) {
            throw std::runtime_error("these are no whole blocks");
         }
         auto out = std::make_shared<Bytes>(data.size());
         const auto compute = [=] {
            if(forward) {
               cipher->encrypt_n(data.data(), out->data(), count);
            } else {
               cipher->decrypt_n(data.data(), out->data(), count);
            }
         };
         return task(compute, [=, name = to] {
            compute();
            return Item{{name, *out}};
         });
      };
   }
}

// Modes that are stream ciphers, which need no copy.
void add_stream(Table& table, const std::string& name, const std::string& botan, const std::string& iv_name) {
   if(!Botan::StreamCipher::create(botan)) {
      return;
   }
   for(const bool forward : {true, false}) {
      table[name + "/" + (forward ? encrypt : decrypt)] = [=](size_t, const Item& input) {
         auto cipher = std::shared_ptr(Botan::StreamCipher::create_or_throw(botan));
         cipher->set_key(field(input, "key"));
         const Bytes iv = field(input, iv_name);
         const auto [from, to] = ends(forward);
         const Bytes data = field(input, from);
         auto out = std::make_shared<Bytes>(data.size());
         const auto compute = [=] {
            cipher->set_iv(iv);
            cipher->cipher(data, *out);
         };
         return task(compute, [=, name = to] {
            compute();
            return Item{{name, *out}};
         });
      };
   }
}

void add_mode(Table& table, const std::string& name, const std::string& botan) {
   if(!Botan::Cipher_Mode::create(botan, Botan::Cipher_Dir::Encryption)) {
      return;
   }
   for(const bool forward : {true, false}) {
      table[name + "/" + (forward ? encrypt : decrypt)] = [=](size_t, const Item& input) {
         const auto direction = forward ? Botan::Cipher_Dir::Encryption : Botan::Cipher_Dir::Decryption;
         auto mode = std::shared_ptr(Botan::Cipher_Mode::create_or_throw(botan, direction));
         mode->set_key(field(input, "key"));
         const Bytes iv = field(input, "iv");
         const auto [from, to] = ends(forward);
         const Bytes data = field(input, from);
         auto buffer = std::make_shared<Botan::secure_vector<uint8_t>>(data.begin(), data.end());
         const auto compute = [=] {
            mode->start(iv);
            mode->finish(*buffer);
         };
         return task(compute, [=, name = to] {
            buffer->assign(data.begin(), data.end());
            compute();
            return Item{{name, bytes(*buffer)}};
         });
      };
   }
}

void add_aead(Table& table, const std::string& name, const std::string& botan) {
   constexpr size_t tag_len = 16;
   if(!Botan::AEAD_Mode::create(botan, Botan::Cipher_Dir::Encryption)) {
      return;
   }
   table[name + "/seal"] = [=](size_t, const Item& input) {
      auto mode = std::shared_ptr(Botan::AEAD_Mode::create_or_throw(botan, Botan::Cipher_Dir::Encryption));
      mode->set_key(field(input, "key"));
      const Bytes nonce = field(input, "nonce");
      const Bytes aad = field(input, "aad");
      const Bytes message = field(input, "message");
      auto buffer = std::make_shared<Botan::secure_vector<uint8_t>>(message.begin(), message.end());
      mode->set_associated_data(aad);
      const auto compute = [=] {
         if(!aad.empty()) {
            mode->set_associated_data(aad);
         }
         mode->start(nonce);
         mode->finish(*buffer);
      };
      const auto once = [=] {
         compute();
         buffer->resize(message.size());
      };
      return task(once, [=] {
         buffer->assign(message.begin(), message.end());
         compute();
         const auto all = std::span{*buffer};
         return Item{{"ciphertext", bytes(all.first(message.size()))}, {"tag", bytes(all.subspan(message.size()))}};
      });
   };
   table[name + "/open"] = [=](size_t, const Item& input) {
      auto mode = std::shared_ptr(Botan::AEAD_Mode::create_or_throw(botan, Botan::Cipher_Dir::Decryption));
      mode->set_key(field(input, "key"));
      const Bytes nonce = field(input, "nonce");
      const Bytes aad = field(input, "aad");
      Bytes sealed = field(input, "ciphertext");
      const Bytes& tag = field(input, "tag");
      if(tag.size() != tag_len) {
         throw std::runtime_error("tag has to have 16 bytes");
      }
      sealed.insert(sealed.end(), tag.begin(), tag.end());
      mode->set_associated_data(aad);
      const auto set_up = [=](Botan::secure_vector<uint8_t>& buffer) { buffer.assign(sealed.begin(), sealed.end()); };
      const auto compute = [=](Botan::secure_vector<uint8_t>& buffer) {
         if(!aad.empty()) {
            mode->set_associated_data(aad);
         }
         mode->start(nonce);
         mode->finish(buffer);
      };
      return consuming(sealed.size(), set_up, compute, [](const Botan::secure_vector<uint8_t>& buffer) {
         return Item{{"message", bytes(buffer)}};
      });
   };
}

void add_wrap(Table& table, const Block& block) {
   const std::string botan = block.botan;
   for(const bool forward : {true, false}) {
      table[std::string(block.name) + "-kw/" + (forward ? "wrap" : "unwrap")] = [=](size_t, const Item& input) {
         auto cipher = std::shared_ptr(Botan::BlockCipher::create_or_throw(botan));
         cipher->set_key(field(input, "key"));
         const auto [from, to] = ends(forward);
         const Bytes data = field(input, from);
         auto out = std::make_shared<Bytes>();
         const auto compute = [=] {
            *out = forward ? Botan::nist_key_wrap(data, *cipher) : bytes(Botan::nist_key_unwrap(data, *cipher));
         };
         return task(compute, [=, name = to] {
            compute();
            return Item{{name, *out}};
         });
      };
   }
}

}  // namespace

void add_ciphers(Table& table) {
   for(const auto& block : blocks) {
      const std::string name = block.name;
      const std::string botan = block.botan;
      if(!Botan::BlockCipher::create(botan)) {
         continue;
      }
      add_ecb(table, block);
      add_stream(table, name + "-ctr", "CTR-BE(" + botan + ")", "iv");
      add_stream(table, name + "-ofb", "OFB(" + botan + ")", "iv");
      add_mode(table, name + "-cbc", botan + "/CBC/NoPadding");
      add_mode(table, name + "-cfb", botan + "/CFB");
      if(Botan::BlockCipher::create(botan)->block_size() != 16) {
         continue;
      }
      add_mode(table, name + "-xts", botan + "/XTS");
      add_aead(table, name + "-gcm", botan + "/GCM");
      // With 3 bytes of length, which leaves 12 for the nonce.
      add_aead(table, name + "-ccm", botan + "/CCM(16,3)");
      add_aead(table, name + "-ocb", botan + "/OCB");
      add_aead(table, name + "-eax", botan + "/EAX");
      if(name != "aes-192") {
         add_aead(table, name + "-gcm-siv", botan + "/GCM-SIV");
      }
      if(name.starts_with("aes")) {
         add_wrap(table, block);
      }
   }
   add_aead(table, "chacha20-poly1305", "ChaCha20Poly1305");
   add_aead(table, "xchacha20-poly1305", "ChaCha20Poly1305");
   add_stream(table, "chacha20", "ChaCha(20)", "nonce");
}

}  // namespace engine
