// Compiled twice by tests/browser/live_test.py: with Eigen for x86-64-v3, and with the packets of
// src/live/four_lanes.inc on the same processor. Prints a hash of every result; the two outputs must be equal. `fused
// COUNT` compares the exact multiply-add with the one of the processor instead.
#include <Eigen/Dense>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

std::uint64_t counter = 0;

/// 64 random bits (splitmix64).
std::uint64_t bits() {
  std::uint64_t z = counter += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Uniform in [-.5, .5).
double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53 - 0.5; }

std::uint64_t bits_of(double x) {
  std::uint64_t all;
  std::memcpy(&all, &x, sizeof x);
  return all;
}

double double_of(std::uint64_t all) {
  double x;
  std::memcpy(&x, &all, sizeof x);
  return x;
}

template <class Result>
void show(const char* name, int size, const Result& result) {
  std::uint64_t hash = 14695981039346656037u;
  for (Eigen::Index c = 0; c < result.cols(); ++c)
    for (Eigen::Index r = 0; r < result.rows(); ++r) {
      hash = (hash ^ bits_of(result(r, c))) * 1099511628211u;
      hash ^= hash >> 29;
    }
  std::printf("%s %d %016llx\n", name, size, static_cast<unsigned long long>(hash));
}

/// What the solvers of the live page ask of Eigen, for matrices with `size` rows.
void operations(int size) {
  counter = static_cast<std::uint64_t>(size) << 32;
  Matrix any(size, size), definite(size, size);
  Vector x(size), y(size);
  for (Eigen::Index k = 0; k < any.size(); ++k) any.data()[k] = uniform();
  for (Eigen::Index k = 0; k < size; ++k) {
    x[k] = uniform();
    y[k] = uniform();
  }
  for (Eigen::Index r = 0; r < size; ++r)
    for (Eigen::Index c = 0; c < size; ++c) {
      double sum = r == c ? 1.0 : 0.0;
      for (Eigen::Index k = 0; k < size; ++k) sum += any(r, k) * any(c, k);
      definite(r, c) = sum;
    }
  Matrix corner = definite;
  const Eigen::LLT<Eigen::Ref<Matrix>> in_place(corner);
  show("factor", size, Matrix(corner.triangularView<Eigen::Lower>()));
  Vector z = x;
  corner.triangularView<Eigen::Lower>().solveInPlace(z);
  show("lower", size, z);
  corner.transpose().triangularView<Eigen::Upper>().solveInPlace(z);
  show("upper", size, z);
  const Eigen::LLT<Matrix> cholesky(definite);
  z = x;
  cholesky.solveInPlace(z);
  show("cholesky", size, z);
  z = x;
  z.noalias() -= any * y;
  show("product", size, z);
  z = x;
  z += 0.3 * y;
  show("sum", size, z);
  const Eigen::PartialPivLU<Matrix> lu(any);
  show("lu", size, lu.matrixLU());
  show("lu_solution", size, Vector(lu.solve(x)));
  show("least_norm", size, Vector(Eigen::CompleteOrthogonalDecomposition<Matrix>(any).solve(x)));
}

#ifdef EIGEN_DONT_VECTORIZE

/// A factor of every kind: usual, short (its products are exact), huge or tiny, special.
double factor() {
  const std::uint64_t kind = bits() % 8;
  if (kind < 3) return std::ldexp(uniform(), static_cast<int>(bits() % 120) - 60);
  if (kind < 5)
    return std::ldexp(static_cast<double>(bits() % (1u << 27)) - 0x1p26, static_cast<int>(bits() % 64) - 32);
  if (kind == 5) return double_of(bits());  // any bits
  if (kind == 6) return std::ldexp(uniform(), static_cast<int>(bits() % 2100) - 1070);
  constexpr double special[] = {0.0,      -0.0,     1.0,     -1.0,     0x1p-1074, 0x1p-1022,
                                0x1p1023, 0x1p-900, 0x1p900, HUGE_VAL, -HUGE_VAL, NAN};
  return special[bits() % 12];
}

/// A summand of every kind: as large as the product and of the other sign, at a tie of the sum, any.
double summand(double a, double b) {
  const double product = a * b;
  const int exponent = std::isfinite(product) && product != 0.0 ? std::ilogb(product) : 0;
  const std::uint64_t kind = bits() % 8;
  if (kind == 0) return -product;
  if (kind == 1) return double_of(bits_of(-product) + bits() % 5 - 2);
  if (kind == 2) return std::ldexp(bits() % 2 ? 1.0 : -1.0, exponent - 53 + static_cast<int>(bits() % 3) - 1);
  if (kind == 3)
    return std::ldexp(static_cast<double>(bits() % 9) - 4.0, exponent + static_cast<int>(bits() % 110) - 2);
  if (kind == 4) return std::ldexp(uniform(), exponent + static_cast<int>(bits() % 220) - 110);
  if (kind == 5) return double_of(bits());
  return factor();
}

struct Triple {
  double a, b, c;
};

/// A sum that is as close to the middle between two doubles as 2^-60 of their distance, or exactly there: the product
/// is 2^e, or very close to it, and half of the last digit of the summand.
Triple near_tie() {
  const double away = static_cast<double>(bits() % (bits() % 4 == 0 ? 1024 : 12)) * 0x1p-30;
  const int e = static_cast<int>(bits() % 200) - 100, part = static_cast<int>(bits() % 100) - 50;
  const double other = bits() % 4 == 0 ? 1.0 : 1.0 - away;
  const double digits = static_cast<double>((std::uint64_t{1} << 52) + (bits() >> 12));
  const int last = e + 1 - static_cast<int>(bits() % 8 == 0);
  return {std::ldexp(1.0 + away, part), std::ldexp(bits() % 2 ? other : -other, e - part),
          std::ldexp(bits() % 2 ? digits : -digits, last)};
}

Triple input() {
  if (bits() % 4 == 0) return near_tie();
  const double a = factor(), b = factor();
  return {a, b, summand(a, b)};
}

template <class Packet>
long wrong_packets(long count) {
  constexpr int lanes = Eigen::internal::LanesOf<Packet>::count;
  long wrong = 0;
  for (long k = 0; k < count; k += lanes) {
    Packet a, b, c;
    for (int lane = 0; lane < lanes; ++lane) {
      const Triple one = input();
      a[lane] = one.a;
      b[lane] = one.b;
      c[lane] = one.c;
    }
    const Packet found = Eigen::internal::fused(a, b, c);
    for (int lane = 0; lane < lanes; ++lane) {
      const double right = std::fma(a[lane], b[lane], c[lane]);
      if (bits_of(found[lane]) == bits_of(right) || (std::isnan(found[lane]) && std::isnan(right))) continue;
      if (++wrong <= 5) std::printf("fused(%a, %a, %a) = %a, fma %a\n", a[lane], b[lane], c[lane], found[lane], right);
    }
  }
  return wrong;
}

/// The same inputs one at a time: in a packet, one unusual lane sends all of them to the C library.
long wrong_alone(long count) {
  using Eigen::internal::Packet2d;
  long wrong = 0;
  for (long k = 0; k < count; ++k) {
    const auto [a, b, c] = input();
    const double found = Eigen::internal::fused(Packet2d{a, a}, Packet2d{b, b}, Packet2d{c, c})[0];
    const double right = std::fma(a, b, c);
    if (bits_of(found) == bits_of(right) || (std::isnan(found) && std::isnan(right))) continue;
    if (++wrong <= 5) std::printf("fused(%a, %a, %a) = %a, fma %a\n", a, b, c, found, right);
  }
  return wrong;
}

#endif

}  // namespace

int main(int argc, char** argv) {
#ifdef EIGEN_DONT_VECTORIZE
  if (argc == 3 && std::string_view(argv[1]) == "fused") {
    const long count = std::atol(argv[2]);
    using namespace Eigen::internal;
    const long wrong = wrong_packets<Packet4d>(count / 4) + wrong_packets<Packet2d>(count / 4) + wrong_alone(count / 2);
    std::printf("%ld of %ld differ\n", wrong, count);
    return wrong == 0 ? 0 : 1;
  }
#endif
  const int most = argc > 1 ? std::atoi(argv[1]) : 210;
  for (int size = 1; size <= most; ++size) operations(size);
}
