// A run that is cheap, has state that matters, and can be made to fail.
#pragma once

#include <string>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/run/run.hpp"

namespace politex {

class FakeRun : public Run {
 public:
  explicit FakeRun(const Config& config, std::int64_t fail_at = -1)
      : config_(config), rng_(config.seed), fail_at_(fail_at) {}

  bool done() const override { return steps_ >= config_.steps; }
  void advance() override {
    if (steps_ == fail_at_) throw Error("the fake run fails here");
    last_ = rng_.uniform() - 0.5;
    sum_ += last_;
    steps_ += 10;
    ++phase_;
    signature_.add(std::span<const double>(&sum_, 1));
  }
  std::int64_t steps_done() const override { return steps_; }
  double average_cost() const override { return sum_ / static_cast<double>(phase_); }
  std::vector<std::string> columns() const override { return {"extra"}; }
  void row(std::vector<double>& into) const override {
    into.assign({static_cast<double>(phase_), static_cast<double>(steps_), average_cost(), last_, last_ * 1e-9});
  }
  std::string picture_frame() const override { return "{\"frame\":\"of all\"}\n"; }
  bool picture(std::string& into) const override {
    if (phase_ % 100 != 0) return false;
    into += "{\"phase\":" + std::to_string(phase_) + "}\n";
    return true;
  }
  void save(ByteWriter& to) const override {
    to.put(rng_.position());
    to.put(steps_);
    to.put(phase_);
    to.put(sum_);
    to.put(last_);
    to.put(signature_.value());
  }
  void restore(ByteReader& from) override {
    rng_.seek(from.get<std::uint64_t>());
    from.get(steps_);
    from.get(phase_);
    from.get(sum_);
    from.get(last_);
    signature_.restore(from.get<std::uint64_t>());
  }
  Summary summary() override {
    Summary summary;
    summary.steps = steps_;
    summary.seed = config_.seed;
    summary.environment = config_.text("environment.name");
    summary.algorithm = config_.text("algorithm.name");
    summary.average_cost = average_cost();
    summary.average_cost_last_tenth = std::nan("");
    summary.phases = phase_;
    summary.signature = signature_.text();
    return summary;
  }

 private:
  Config config_;
  Rng rng_;
  std::int64_t fail_at_;
  std::int64_t steps_ = 0, phase_ = 0;
  double sum_ = 0.0, last_ = 0.0;
  Signature signature_;
};

}  // namespace politex
