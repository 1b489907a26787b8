// The numbers behind the theory figure: one long table, from which the plots, the claims and the report are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::inline theory {

/// One measurement. Seeds are the replicates: all else equal, points differ in nothing but their seed.
struct TheoryPoint {
  std::string figure;       // "a" to "f"
  std::string environment;  // "DeepSea"
  std::string curve;        // "last cost"
  std::string quantity;     // "error"
  double x = 0.0;
  int seed = 0;
  double value = 0.0;
};

/// values[i][k] is replicate k at x[i].
struct Samples {
  std::vector<double> x;
  std::vector<std::vector<double>> values;
};

struct TheoryTable {
  std::vector<TheoryPoint> points;
  bool quick = false;
  int seeds = 0;

  /// In the order of x, then of the points; empty where there are none.
  Samples samples(std::string_view figure, std::string_view environment, std::string_view curve,
                  std::string_view quantity) const;
};

/// figure,environment,curve,quantity,x,seed,value
std::string theory_csv(const TheoryTable& table);

/// Least-squares slope of y on x.
double slope_of(const std::vector<double>& x, const std::vector<double>& y);

/// The slope of log |value| on log x of every replicate, for x of at least `from`. Replicates with a value of 0 have
/// none.
std::vector<double> powers_of(const Samples& samples, double from = 0.0);

/// -d log(value) / dx of every replicate; x in [from, to], values above `floor`.
std::vector<double> decays_of(const Samples& samples, double from, double to, double floor = 1e-12);

/// The largest absolute value; NaN where there is none.
double largest_of(const Samples& samples);

/// Ratios of two samples, replicate by replicate.
Samples ratio(const Samples& above, const Samples& below);

}  // namespace politex::inline theory
