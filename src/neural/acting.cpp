#include "politex/neural/acting.hpp"

#include <utility>

namespace politex::neural {
namespace {

// The learner's process only stores the state of environments of other processes; the acting ranks step them.
BlockMaker made_here(const BlockMaker& maker, const Fleet* fleet) {
  BlockMaker here = maker;
  if (fleet != nullptr && fleet->size() > 1 && maker.keep) here.make = maker.keep;
  return here;
}

}  // namespace

Acting::Acting(const Settings& settings, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer,
               Fleet* fleet)
    : actors_(settings.actors, made_here(maker, fleet), std::move(explorer), settings.seed) {
  if (fleet == nullptr || fleet->size() < 2) return;
  remote_ = std::make_unique<RemoteActors>(*fleet, settings.actors.environments, maker.together);
  actors_.step_nothing();
}

void Acting::begin(const Orders& orders, const PhasePlan& phase, const NetworkRing& ring) {
  if (remote_ && ordered_ <= orders.first) {  // once per phase, or more often if the explorer learns
    const std::size_t news = remote_->fresh() ? ring.networks().size() : static_cast<std::size_t>(joined_);
    remote_->begin_phase({.first = orders.first,
                          .last = orders.end,
                          .chunk = orders.chunk,
                          .number = phase.number(),
                          .follow = phase.follow()},
                         ring.networks().last(news), ring.lengths().last(news), actors_);
    ordered_ = orders.end;
    joined_ = false;
  }
  actors_.begin({.first = orders.first,
                 .last = orders.last,
                 .policy = &ring.policy(),
                 .replay = orders.replay,
                 .phase = static_cast<std::uint32_t>(phase.number()),
                 .follow = phase.follow()});
  if (remote_) remote_->begin_chunk(orders.first, actors_);
}

void Acting::wait_for(std::int64_t count) {
  if (remote_) remote_->wait_for(count, actors_);
  actors_.wait_for(count);
}

void Acting::restore(ByteReader& from) {
  if (remote_) remote_->forget();
  ordered_ = 0;
  actors_.restore(from);
}

}  // namespace politex::neural
