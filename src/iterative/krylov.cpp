#include "politex/iterative/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace politex::inline iterative {
namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

void center(std::span<double> v) {
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  for (double& entry : v) entry -= mean;
}

double size_of(std::span<const double> v, Residual residual) {
  if (residual == Residual::all)
    return std::accumulate(v.begin(), v.end(), 0.0, [](double sum, double entry) { return sum + std::abs(entry); });
  const auto [low, high] = std::ranges::minmax(v);
  return high - low;
}

constexpr int most_idle = 60;  // iterations without an improvement

}  // namespace

KrylovResult solve(Hierarchy& hierarchy, std::span<const double> right, Residual residual, double wanted,
                   int most_products, Numbers& x) {
  const MoveMatrix& a = hierarchy.finest();
  const auto n = right.size();
  const bool quotient = residual == Residual::up_to_a_constant;
  Numbers r(n), p(n, 0.0), v(n, 0.0), t(n), ahead(n);
  const auto multiply = [&](const Numbers& from, Numbers& to) {
    a.multiply(from, to);
    if (quotient) center(to);
  };
  multiply(x, r);
  for (std::size_t i = 0; i < n; ++i) r[i] = right[i] - r[i];
  if (quotient) center(r);
  KrylovResult result{.products = 1, .reached = size_of(r, residual)};
  const Numbers shadow = r;
  Numbers best = x;
  double rho = 1.0, alpha = 1.0, omega = 1.0, newest = result.reached;
  for (int quiet = 0; result.products < most_products && newest > wanted && quiet < most_idle;) {
    const double next = dot(shadow, r), beta = next / rho * alpha / omega;
    rho = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    hierarchy.solve_roughly(p, ahead);
    multiply(ahead, v);
    alpha = rho / dot(shadow, v);
    if (!std::isfinite(alpha)) break;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * ahead[i];
      r[i] -= alpha * v[i];
    }
    hierarchy.solve_roughly(r, ahead);
    multiply(ahead, t);
    omega = dot(t, r) / dot(t, t);
    result.products += 2;
    if (std::isfinite(omega)) {
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += omega * ahead[i];
        r[i] -= omega * t[i];
      }
    }
    newest = size_of(r, residual);
    ++quiet;
    if (newest < result.reached) {
      if (newest < 0.9 * result.reached) quiet = 0;
      result.reached = newest;
      best = x;
    }
    if (!std::isfinite(omega) || !(newest < 1e8 * (result.reached + 1e-300))) break;
  }
  x = std::move(best);
  return result;
}

}  // namespace politex::inline iterative
