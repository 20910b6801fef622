// The table of operations, and the functions that Rust calls.

#include "engine.h"

#include <botan/block_cipher.h>
#include <botan/hash.h>
#include <botan/system_rng.h>
#include <botan/version.h>


#include <algorithm>
#include <cstring>

namespace engine {

const std::vector<Curve> curves = {
   {"p224", "secp224r1", "SHA-224"},
   {"p256", "secp256r1", "SHA-256"},
   {"p384", "secp384r1", "SHA-384"},
   {"p521", "secp521r1", "SHA-512"},
   {"secp256k1", "secp256k1", "SHA-256"},
   {"brainpoolp256r1", "brainpool256r1", "SHA-256"},
   {"brainpoolp384r1", "brainpool384r1", "SHA-384"},
   {"brainpoolp512r1", "brainpool512r1", "SHA-512"},
};

Botan::RandomNumberGenerator& rng() {
   return Botan::system_rng();
}

namespace {

const Table& table() {
   static const Table all = [] {
      Table t;
      add_hashes(t);
      add_ciphers(t);
      add_signatures(t);
      add_exchange(t);
      return t;
   }();
   return all;
}

// Puts a sentence where the caller has room for it.
void tell(const char* what, char* out, size_t room) {
   if(room != 0) {
      const size_t len = std::min(std::strlen(what), room - 1);
      std::memcpy(out, what, len);
      out[len] = 0;
   }
}

}  // namespace

}  // namespace engine

extern "C" {

// A named byte string.
struct adamant_field {
      const char* name;
      const uint8_t* data;
      size_t len;
};

const char* adamant_botan_version() {
   return Botan::version_cstr();
}

// The implementations that were chosen for this CPU.
void adamant_botan_paths(char* out, size_t room) {
   std::string text;
   for(const char* name : {"SHA-1", "SHA-256", "SHA-512", "SHA-3(256)", "SM3"}) {
      if(const auto hash = Botan::HashFunction::create(name)) {
         text += (text.empty() ? "" : ", ") + std::string(name) + " " + hash->provider();
      }
   }
   for(const char* name : {"AES-128", "SM4"}) {
      if(const auto cipher = Botan::BlockCipher::create(name)) {
         text += ", " + std::string(name) + " " + cipher->provider();
      }
   }
   engine::tell(text.c_str(), out, room);
}

// Calls back with every name.
void adamant_botan_list(void* context, void (*each)(void* context, const char* name)) {
   for(const auto& [name, prepare] : engine::table()) {
      each(context, name.c_str());
   }
}

// An operation, or null and a sentence.
void* adamant_botan_prepare(
   const char* name, size_t bytes, const adamant_field* fields, size_t count, char* error, size_t room) {
   try {
      engine::Item input;
      for(size_t i = 0; i != count; ++i) {
         const auto& f = fields[i];
         input[f.name] = engine::Bytes(f.data, f.data + f.len);
      }
      return engine::table().at(name)(bytes, input).release();
   } catch(const std::exception& e) {
      engine::tell(e.what(), error, room);
      return nullptr;
   }
}

// True where it succeeded, with the nanoseconds that do not count, else a sentence.
bool adamant_botan_run(void* operation, uint64_t iterations, uint64_t* setting_up, char* error, size_t room) {
   try {
      *setting_up = static_cast<engine::Task*>(operation)->run(iterations);
      return true;
   } catch(const std::exception& e) {
      engine::tell(e.what(), error, room);
      return false;
   }
}

// Calls back with every output.
bool adamant_botan_outputs(void* operation,
                           void* context,
                           void (*each)(void* context, const char* name, const uint8_t* data, size_t len),
                           char* error,
                           size_t room) {
   try {
      for(const auto& [name, value] : static_cast<engine::Task*>(operation)->outputs()) {
         each(context, name.c_str(), value.data(), value.size());
      }
      return true;
   } catch(const std::exception& e) {
      engine::tell(e.what(), error, room);
      return false;
   }
}

void adamant_botan_free(void* operation) {
   delete static_cast<engine::Task*>(operation);
}

}  // extern "C"
