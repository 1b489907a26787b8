// The signature of a neural run: the actions and costs of every chunk, and every network that joins the ring.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/neural/transition.hpp"

namespace politex::neural {

class RunSignature {
 public:
  void add(const Transition& t) {
    chunk_.push_back(static_cast<float>(t.action));
    chunk_.push_back(t.cost);
  }
  /// A chunk ended. Chunks end at the same steps in a run that was extended, so that its signature is the same.
  void end_chunk() {
    signature_.add(std::span<const float>(chunk_));
    chunk_.clear();
  }
  void add_network(std::span<const float> parameters) { signature_.add(parameters); }

  std::string text() const {
    Signature now = signature_;
    if (!chunk_.empty()) now.add(std::span<const float>(chunk_));
    return now.text();
  }

  void save(ByteWriter& to) const {
    to.put(signature_.value());
    to.put(chunk_);
  }
  void restore(ByteReader& from) {
    signature_.restore(from.get<std::uint64_t>());
    from.get(chunk_);
  }

 private:
  Signature signature_;
  std::vector<float> chunk_;
};

}  // namespace politex::neural
