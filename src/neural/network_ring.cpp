#include "politex/neural/network_ring.hpp"

#include "politex/base/saved.hpp"
#include "politex/network/float_bytes.hpp"

namespace politex::neural {

NetworkRing::NetworkRing(const Shape& shape, const PolicySettings& settings)
    : shape_(shape), settings_(settings), policy_(shape.actions, settings) {}

void NetworkRing::push(const DuelingNetwork& network, double phase_length) {
  networks_.push_back(network);
  lengths_.push_back(phase_length);
  if (networks_.size() > static_cast<std::size_t>(settings_.ring)) {
    networks_.erase(networks_.begin());
    lengths_.erase(lengths_.begin());
  }
  policy_.push(std::make_shared<FrozenNetwork>(network), phase_length);
}

void NetworkRing::save(ByteWriter& to) const {
  to.put(lengths_);
  for (const DuelingNetwork& network : networks_) put_floats(to, network.parameters());
}

void NetworkRing::restore(ByteReader& from) {
  const auto lengths = from.get<std::vector<double>>();
  networks_.clear();
  lengths_.clear();
  policy_ = RingPolicy(shape_.actions, settings_);
  check_saved(lengths.size() <= static_cast<std::size_t>(settings_.ring), "networks of the ring");
  for (const double length : lengths) {
    check_saved(length >= 1.0 && length <= most_count, "networks of the ring");
    DuelingNetwork network(shape_);
    get_floats(from, network.parameters());
    push(network, length);
  }
}

}  // namespace politex::neural
