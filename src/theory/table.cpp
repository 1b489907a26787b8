#include "politex/theory/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"

namespace politex::inline theory {

Samples TheoryTable::samples(std::string_view figure, std::string_view environment, std::string_view curve,
                             std::string_view quantity) const {
  std::map<double, std::vector<double>> by_x;
  for (const TheoryPoint& point : points) {
    if (point.figure == figure && point.environment == environment && point.curve == curve &&
        point.quantity == quantity)
      by_x[point.x].push_back(point.value);
  }
  Samples samples;
  for (auto& [x, values] : by_x) {
    samples.x.push_back(x);
    samples.values.push_back(std::move(values));
  }
  return samples;
}

std::string theory_csv(const TheoryTable& table) {
  std::string text = "figure,environment,curve,quantity,x,seed,value\n";
  for (const TheoryPoint& p : table.points) {
    text += fmt::format("{},{},\"{}\",{},{},{},{}\n", p.figure, p.environment, p.curve, p.quantity, p.x, p.seed,
                        std::isfinite(p.value) ? fmt::format("{}", p.value) : "");
  }
  return text;
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double above = 0.0, below = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (x[i] - mean_x) * (y[i] - mean_y);
    below += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return above / below;
}

std::vector<double> powers_of(const Samples& samples, double from) {
  std::vector<double> log_x;
  std::vector<const std::vector<double>*> kept;
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    if (samples.x[i] < from) continue;
    log_x.push_back(std::log(samples.x[i]));
    kept.push_back(&samples.values[i]);
    if (kept.back()->size() != kept.front()->size()) throw Error("a theory figure has points of unequal seeds");
  }
  std::vector<double> slopes;
  if (kept.size() < 2) return slopes;
  for (std::size_t k = 0; k < kept.front()->size(); ++k) {
    std::vector<double> log_y;
    for (const auto* values : kept) log_y.push_back(std::log(std::abs((*values)[k])));
    if (const double slope = slope_of(log_x, log_y); std::isfinite(slope)) slopes.push_back(slope);
  }
  return slopes;
}

std::vector<double> decays_of(const Samples& samples, double from, double to, double floor) {
  std::vector<double> rates;
  const std::size_t replicates = samples.values.empty() ? 0 : samples.values.front().size();
  for (std::size_t k = 0; k < replicates; ++k) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
      if (samples.x[i] < from || samples.x[i] > to || !(samples.values[i][k] > floor)) continue;
      x.push_back(samples.x[i]);
      y.push_back(std::log(samples.values[i][k]));
    }
    if (x.size() > 1) rates.push_back(-slope_of(x, y));
  }
  return rates;
}

double largest_of(const Samples& samples) {
  double most = unknown;
  for (const auto& values : samples.values)
    for (const double value : values) most = std::fmax(most, std::abs(value));
  return most;
}

Samples ratio(const Samples& above, const Samples& below) {
  if (above.x != below.x) throw Error("the theory table has points without their counterparts");
  Samples result{.x = above.x, .values = above.values};
  for (std::size_t i = 0; i < result.x.size(); ++i)
    for (std::size_t k = 0; k < result.values[i].size(); ++k) result.values[i][k] /= below.values[i].at(k);
  return result;
}

}  // namespace politex::inline theory
