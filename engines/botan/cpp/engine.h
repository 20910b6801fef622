// Botan as an engine of the comparison: operations by name, and how Rust calls them.
//
// An operation is made from named byte strings (the inputs of the protocol), run as often as
// asked, and tells named byte strings (the outputs). Botan's errors are exceptions; the functions
// at the end of engine.cpp catch them all and hand their text over.

#pragma once

#include <botan/rng.h>
#include <botan/secmem.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace engine {

using Bytes = std::vector<uint8_t>;
using Item = std::map<std::string, Bytes>;

// A prepared operation.
class Task {
   public:
      virtual ~Task() = default;
      // What is timed. Gives the nanoseconds in it that went into setting inputs up, which do not
      // count.
      virtual uint64_t run(uint64_t iterations) = 0;
      // Does it once and tells the result.
      virtual Item outputs() = 0;
};

template <typename Once, typename Tell>
class TaskOf final : public Task {
   public:
      TaskOf(Once once, Tell tell) : m_once(std::move(once)), m_tell(std::move(tell)) {}

      uint64_t run(uint64_t iterations) override {
         for(uint64_t i = 0; i != iterations; ++i) {
            m_once();
         }
         return 0;
      }

      Item outputs() override { return m_tell(); }

   private:
      Once m_once;
      Tell m_tell;
};

// `once` is what is timed; `tell` does it once more and gives the result.
template <typename Once, typename Tell>
std::unique_ptr<Task> task(Once once, Tell tell) {
   return std::make_unique<TaskOf<Once, Tell>>(std::move(once), std::move(tell));
}

// An operation that uses its buffer up. As many are laid ready as stay in the nearest cache and
// make the clock not count, each is run once, and laid ready again.
template <typename SetUp, typename Once, typename Tell>
class ConsumingTask final : public Task {
   public:
      ConsumingTask(size_t bytes, SetUp set_up, Once once, Tell tell) :
            m_buffers(std::clamp<size_t>(16384 / std::max<size_t>(bytes, 1), 2, 64)),
            m_set_up(std::move(set_up)),
            m_once(std::move(once)),
            m_tell(std::move(tell)) {}

      uint64_t run(uint64_t iterations) override {
         std::chrono::nanoseconds setting_up{};
         for(uint64_t left = iterations; left != 0;) {
            const size_t count = std::min<uint64_t>(left, m_buffers.size());
            const auto start = std::chrono::steady_clock::now();
            for(size_t i = 0; i != count; ++i) {
               m_set_up(m_buffers[i]);
            }
            setting_up += std::chrono::steady_clock::now() - start;
            for(size_t i = 0; i != count; ++i) {
               m_once(m_buffers[i]);
            }
            left -= count;
         }
         return setting_up.count();
      }

      Item outputs() override {
         run(1);
         return m_tell(m_buffers.front());
      }

   private:
      std::vector<Botan::secure_vector<uint8_t>> m_buffers;
      SetUp m_set_up;
      Once m_once;
      Tell m_tell;
};

// `set_up` fills a buffer, for `bytes` bytes; `once` uses it up, which is what is timed; `tell` gives
// the result from it.
template <typename SetUp, typename Once, typename Tell>
std::unique_ptr<Task> consuming(size_t bytes, SetUp set_up, Once once, Tell tell) {
   return std::make_unique<ConsumingTask<SetUp, Once, Tell>>(
      bytes, std::move(set_up), std::move(once), std::move(tell));
}

using Prepare = std::function<std::unique_ptr<Task>(size_t bytes, const Item& input)>;

// The operations by their names.
using Table = std::map<std::string, Prepare>;

void add_hashes(Table& table);
void add_ciphers(Table& table);
void add_signatures(Table& table);
void add_exchange(Table& table);

// Elliptic curves in Weierstrass form, by our names and Botan's, with what ECDSA hashes with.
struct Curve {
      const char* name;
      const char* botan;
      const char* hash;
};
extern const std::vector<Curve> curves;

// The system's generator, as in Botan's own `speed`. AutoSeeded_RNG makes an agreement on P-256,
// which blinds with it, half again as long.
Botan::RandomNumberGenerator& rng();

inline const Bytes& field(const Item& input, const std::string& name) {
   const auto found = input.find(name);
   if(found == input.end()) {
      throw std::runtime_error(name + " is missing");
   }
   return found->second;
}

// A big-endian number of at most eight bytes.
inline uint64_t number(const Item& input, const std::string& name) {
   const Bytes& bytes = field(input, name);
   if(bytes.size() > 8) {
      throw std::runtime_error(name + " is no number of at most 8 bytes");
   }
   uint64_t sum = 0;
   for(const uint8_t byte : bytes) {
      sum = sum << 8 | byte;
   }
   return sum;
}

inline Bytes bytes(std::span<const uint8_t> from) {
   return Bytes(from.begin(), from.end());
}

}  // namespace engine
