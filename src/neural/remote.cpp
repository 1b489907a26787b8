#include "politex/neural/remote.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/network/float_bytes.hpp"
#include "politex/neural/novelty_explorer.hpp"

namespace politex::neural {
namespace {

constexpr std::int64_t block_rounds = 16;
constexpr int most_credits = 16;
constexpr std::uint64_t any_epoch = ~std::uint64_t{0};

enum class Order : std::uint64_t { phase, end };
enum class Report : std::uint64_t { block, trouble };

/// Written as a vector of one: written alone, g++ 12 warns of an overflow that does not exist.
struct ReportHead {
  Report what = Report::block;  // trouble: an error message follows, the other members are unused
  std::uint64_t epoch = 0;
  std::int64_t chunk_first = 0;
  std::int64_t from = 0, to = 0;  // rounds
  std::int64_t last = 0;          // 1: the environments follow
};

struct OrderHead {
  Order what = Order::phase;  // end: nothing follows
  std::uint64_t epoch = 0;
  RemoteActors::PhaseOrder phase;
};

/// From the learner to one rank, between two orders.
struct CreditMessage {
  std::uint64_t epoch = 0;
  std::int64_t credits = 0;  // 0: stop playing the phase
};

std::shared_ptr<NoveltyExplorer> own_copy(const Explorer* explorer, const Space& space) {
  const auto* learned = dynamic_cast<const NoveltyExplorer*>(explorer);
  return learned != nullptr ? std::make_shared<NoveltyExplorer>(learned->options(), space) : nullptr;
}

void send(Fleet& fleet, int to, const CreditMessage& message) {
  ByteWriter bytes;
  bytes.put(message);
  fleet.send(to, credits_channel, bytes.bytes());
}

}  // namespace

EnvironmentRange share_of(const Fleet& fleet, int rank, int environments, int together) {
  const int size = std::clamp(together, 1, environments);
  const std::int64_t all = fleet.size() - 1, blocks = environments / size;
  const auto edge = [&](std::int64_t place) { return static_cast<int>(place * blocks / all) * size; };
  return rank == 0 ? EnvironmentRange{} : EnvironmentRange{edge(rank - 1), edge(rank)};
}

RemoteActors::RemoteActors(Fleet& fleet, int environments, int together)
    : fleet_(fleet),
      environments_(environments),
      together_(together),
      rounds_(static_cast<std::size_t>(fleet.size()), 0) {}

void RemoteActors::forget() {
  if (epoch_ > 0)
    for (int rank = 1; rank < fleet_.size(); ++rank) send(fleet_, rank, {epoch_, 0});
  fresh_ = true;
}

void RemoteActors::begin_phase(const PhaseOrder& phase, std::span<const DuelingNetwork> networks,
                               std::span<const double> lengths, const Actors& actors) {
  ++epoch_;
  early_.clear();
  ByteWriter order;
  order.put(OrderHead{Order::phase, epoch_, phase});
  order.put(fresh_);
  for (int e = 0; fresh_ && e < environments_; ++e) {
    ByteWriter one;
    actors.save_environment(e, one);
    order.put(one.bytes());
  }
  ByteWriter explorer;
  if (const auto* learned = dynamic_cast<const NoveltyExplorer*>(actors.explorer())) learned->save(explorer);
  order.put(explorer.bytes());
  order.put(static_cast<std::uint64_t>(networks.size()));
  for (std::size_t i = 0; i < networks.size(); ++i) {
    order.put(lengths[i]);
    put_floats(order, networks[i].parameters());
  }
  fresh_ = false;
  fleet_.broadcast(order.bytes());
}

void RemoteActors::begin_chunk(std::int64_t first, Actors& actors) {
  chunk_first_ = first;
  for (std::int64_t& rounds : rounds_) rounds = first / environments_;
  std::deque<Fleet::Message> early;
  early.swap(early_);
  for (Fleet::Message& message : early) take(std::move(message), actors);
}

void RemoteActors::wait_for(std::int64_t count, Actors& actors) {
  const std::int64_t rounds = (count + environments_ - 1) / environments_;
  const auto complete = [&] {
    for (int rank = 1; rank < fleet_.size(); ++rank) {
      const EnvironmentRange share = share_of(fleet_, rank, environments_, together_);
      if (share.begin < share.end && rounds_[static_cast<std::size_t>(rank)] < rounds) return false;
    }
    return true;
  };
  while (!complete()) take(fleet_.receive(blocks_channel), actors);
}

void RemoteActors::take(Fleet::Message message, Actors& actors) {
  ByteReader reader(message.bytes);
  const ReportHead head = reader.get<std::vector<ReportHead>>().at(0);
  if (head.what == Report::trouble)
    throw ExternalError(fmt::format("rank {}: {}", message.from, reader.get<std::string>()));
  if (head.epoch != epoch_) return;  // of an earlier phase
  if (head.chunk_first != chunk_first_)
    early_.push_back(std::move(message));
  else
    place(message, actors);
}

void RemoteActors::place(const Fleet::Message& message, Actors& actors) {
  ByteReader reader(message.bytes);
  const ReportHead head = reader.get<std::vector<ReportHead>>().at(0);
  const EnvironmentRange share = share_of(fleet_, message.from, environments_, together_);
  actors.chunk().unpack(share, head.from, head.to, reader);
  for (int e = share.begin; head.last != 0 && e < share.end; ++e) actors.restore_environment(e, reader);
  rounds_[static_cast<std::size_t>(message.from)] = head.to;
  ++traffic_.blocks;
  traffic_.bytes += static_cast<std::int64_t>(message.bytes.size());
  send(fleet_, message.from, {epoch_, 1});
}

struct ActingRank::Share {
  Share(const Settings& all, const BlockMaker& maker, std::shared_ptr<const Explorer> explorer, EnvironmentRange mine)
      : range(mine),
        environments(all.actors.environments),
        learned(own_copy(explorer.get(), maker.space)),
        actors(all.actors, maker, learned ? learned : std::move(explorer), all.seed, mine),
        shape(shape_of(all, actors.space())),
        settings(all.policy),
        policy(actors.space().actions, all.policy) {}

  /// Reads what begin_phase() wrote after the phase.
  void read(ByteReader& order) {
    if (order.get<bool>()) {
      policy = RingPolicy(actors.space().actions, settings);
      for (int e = 0; e < environments; ++e) {
        const auto bytes = order.get<Bytes>();
        ByteReader one(bytes);
        if (range.begin <= e && e < range.end) actors.restore_environment(e, one);
      }
    }
    const auto saved_explorer = order.get<Bytes>();
    ByteReader shown(saved_explorer);
    if (learned) learned->restore(shown, novelty_shapes(shape, learned->options()).values);
    for (auto left = order.get<std::uint64_t>(); left > 0; --left) {
      const auto length = order.get<double>();
      DuelingNetwork network(shape);
      get_floats(order, network.parameters());
      policy.push(std::make_shared<FrozenNetwork>(network), length);
    }
  }

  EnvironmentRange range;
  int environments;
  std::shared_ptr<NoveltyExplorer> learned;  // as the learner's process shows it; null: the explorer does not learn
  Actors actors;
  Shape shape;
  PolicySettings settings;
  RingPolicy policy;
};

ActingRank::ActingRank(Fleet& fleet, const Settings& settings, const BlockMaker& maker,
                       std::shared_ptr<const Explorer> explorer)
    : fleet_(fleet) {
  refuse_ranks(maker, &fleet);
  const EnvironmentRange share = share_of(fleet, fleet.rank(), settings.actors.environments, maker.together);
  if (share.begin < share.end) share_ = std::make_unique<Share>(settings, maker, std::move(explorer), share);
}

ActingRank::~ActingRank() = default;

void ActingRank::serve() {
  while (true) {
    const Bytes bytes = fleet_.broadcast({});
    ByteReader order(bytes);
    const auto head = order.get<OrderHead>();
    if (head.what == Order::end) return;
    if (!share_) continue;
    try {
      share_->read(order);
      play(head.phase, head.epoch);
    } catch (const LostRank&) {
      throw;
    } catch (const std::exception& error) {
      share_->actors.finish();
      ByteWriter report;
      report.put(std::vector{ReportHead{.what = Report::trouble}});
      report.put(std::string(error.what()));
      fleet_.send(0, blocks_channel, report.bytes());
    }
  }
}

void ActingRank::play(const RemoteActors::PhaseOrder& phase, std::uint64_t epoch) {
  credits_ = most_credits;
  for (std::int64_t first = phase.first; first < phase.last; first += phase.chunk) {
    const std::int64_t last = std::min(first + phase.chunk, phase.last);
    share_->actors.begin({.first = first,
                          .last = last,
                          .policy = &share_->policy,
                          .replay = nullptr,
                          .phase = static_cast<std::uint32_t>(phase.number),
                          .follow = phase.follow});
    const bool whole = play_chunk(first, last, epoch);
    share_->actors.finish();
    if (!whole) return;
  }
}

bool ActingRank::play_chunk(std::int64_t first, std::int64_t last, std::uint64_t epoch) {
  const std::int64_t environments = share_->environments;
  const std::int64_t end = (last + environments - 1) / environments;
  for (std::int64_t from = first / environments; from < end;) {
    const std::int64_t to = std::min(from + block_rounds, end);
    share_->actors.wait_for(to * environments);
    ByteWriter block;
    block.put(std::vector{ReportHead{Report::block, epoch, first, from, to, to == end ? 1 : 0}});
    share_->actors.chunk().pack(share_->range, from, to, block);
    for (int e = share_->range.begin; to == end && e < share_->range.end; ++e)
      share_->actors.save_environment(e, block);
    if (!may_send(epoch)) return false;
    fleet_.send(0, blocks_channel, block.bytes());
    from = to;
  }
  return true;
}

// Takes a credit, waiting for one if there is none. False: stop playing the phase.
bool ActingRank::may_send(std::uint64_t epoch) {
  while (true) {
    std::optional<Fleet::Message> message = fleet_.try_receive(credits_channel);
    if (!message && credits_ > 0) break;
    if (!message) message = fleet_.receive(credits_channel);
    const auto word = ByteReader(message->bytes).get<CreditMessage>();
    if (word.epoch != epoch && word.epoch != any_epoch) continue;
    if (word.credits == 0) return false;
    credits_ += static_cast<int>(word.credits);
  }
  --credits_;
  return true;
}

Dismissal::~Dismissal() {
  if (fleet_ == nullptr || fleet_->size() < 2) return;
  try {
    for (int rank = 1; rank < fleet_->size(); ++rank) send(*fleet_, rank, {any_epoch, 0});
    ByteWriter order;
    order.put(OrderHead{.what = Order::end, .epoch = any_epoch, .phase = {}});
    fleet_->broadcast(order.bytes());
  } catch (const std::exception&) {
    return;  // a rank was lost: the launcher ends the others
  }
}

}  // namespace politex::neural
