#include "politex/solvers/block_solvers.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <vector>

#include "politex/base/error.hpp"

namespace politex::inline solvers {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int64_t>;

/// X' t
DenseVector right_side(const CompactRows& rows) {
  DenseVector right = DenseVector::Zero(static_cast<Eigen::Index>(rows.unknowns()));
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k)
      right[rows.index[k]] += rows.value[k] * rows.target[r];
  return right;
}

/// The rows of every unknown: entries of the transposed matrix.
struct Columns {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> row;
  std::vector<double> value;

  explicit Columns(const CompactRows& rows)
      : first(rows.unknowns() + 1, 0), row(rows.entries()), value(rows.entries()) {
    for (const std::int32_t unknown : rows.index) ++first[static_cast<std::size_t>(unknown) + 1];
    for (std::size_t u = 0; u < rows.unknowns(); ++u) first[u + 1] += first[u];
    std::vector<std::size_t> at(first.begin(), first.end() - 1);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k) {
        const std::size_t here = at[static_cast<std::size_t>(rows.index[k])]++;
        row[here] = static_cast<std::int32_t>(r);
        value[here] = rows.value[k];
      }
  }
};

/// The lower triangle of X' C X + ridge I.
SparseMatrix sparse_gram(const CompactRows& rows, double ridge) {
  const Columns columns(rows);
  const std::size_t size = rows.unknowns();
  // The entries of every row by ascending unknown: those from an unknown on are the rest of the row.
  std::vector<std::int32_t> index(rows.entries());
  std::vector<double> value(rows.entries());
  std::vector<std::size_t> at(rows.first.begin(), rows.first.end() - 1);
  for (std::size_t u = 0; u < size; ++u)
    for (std::size_t k = columns.first[u]; k < columns.first[u + 1]; ++k) {
      const std::size_t here = at[static_cast<std::size_t>(columns.row[k])]++;
      index[here] = static_cast<std::int32_t>(u);
      value[here] = columns.value[k];
    }
  at.assign(rows.first.begin(), rows.first.end() - 1);
  SparseMatrix gram(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  std::vector<double> sums(size, 0.0);
  std::vector<std::int32_t> seen_by(size, -1), touched;
  for (std::size_t u = 0; u < size; ++u) {
    touched.clear();
    for (std::size_t k = columns.first[u]; k < columns.first[u + 1]; ++k) {
      const auto row = static_cast<std::size_t>(columns.row[k]);
      const double scaled = rows.weight[row] * columns.value[k];
      std::size_t begin = at[row]++;
      while (begin > rows.first[row] && index[begin - 1] == static_cast<std::int32_t>(u)) --begin;  // a column twice
      for (std::size_t j = begin; j < rows.first[row + 1]; ++j) {
        const auto other = static_cast<std::size_t>(index[j]);
        if (seen_by[other] != static_cast<std::int32_t>(u)) {
          seen_by[other] = static_cast<std::int32_t>(u);
          sums[other] = 0.0;
          touched.push_back(static_cast<std::int32_t>(other));
        }
        sums[other] += scaled * value[j];
      }
    }
    std::ranges::sort(touched);
    gram.startVec(static_cast<Eigen::Index>(u));
    for (const std::int32_t other : touched)
      gram.insertBack(other, static_cast<Eigen::Index>(u)) =
          sums[static_cast<std::size_t>(other)] + (static_cast<std::size_t>(other) == u ? ridge : 0.0);
  }
  gram.finalize();
  return gram;
}

void copy(const DenseVector& from, std::span<double> to) { std::copy(from.begin(), from.end(), to.begin()); }

constexpr std::string_view not_definite = "the least-squares system is not positive definite; increase algorithm.ridge";

}  // namespace

Solver cheapest(const CompactRows& rows, double ridge) {
  const auto n = static_cast<double>(rows.rows()), u = static_cast<double>(rows.unknowns()),
             entries = static_cast<double>(rows.entries());
  const double each = n > 0.0 ? entries / n : 0.0;
  // Operations, in those of a dense factor: sparse ones wait for memory. The factor of the sparse equations is that of
  // a plane of cells, which tiles of two coordinates are; more coordinates fill it more.
  constexpr double most_dense = 4000.0, slower = 6.0, usual_iterations = 60.0;
  const double gram = slower * entries * each;
  double least = slower * usual_iterations * 2.0 * entries;
  Solver best = Solver::iterative;
  const auto offer = [&](Solver solver, double cost) {
    if (cost < least) {
      least = cost;
      best = solver;
    }
  };
  if (u <= most_dense) offer(Solver::direct, gram + u * u * u / 3.0);
  if (n <= most_dense) offer(Solver::dual, slower * n * entries / 2.0 + n * n * n / 3.0);
  if (ridge > 0.0 && each < 64.0) offer(Solver::sparse, 2.0 * gram + 4.0 * std::pow(each * u, 1.5));
  return best;
}

void solve_dense(const CompactRows& rows, double ridge, std::span<double> w) {
  const auto size = static_cast<Eigen::Index>(rows.unknowns());
  DenseMatrix gram = DenseMatrix::Zero(size, size);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t i = rows.first[r]; i < rows.first[r + 1]; ++i) {
      const double scaled = rows.weight[r] * rows.value[i];
      for (std::size_t j = rows.first[r]; j < rows.first[r + 1]; ++j)
        gram(rows.index[j], rows.index[i]) += scaled * rows.value[j];
    }
  if (ridge == 0.0) {
    copy(Eigen::CompleteOrthogonalDecomposition<DenseMatrix>(gram).solve(right_side(rows)), w);
    return;
  }
  gram.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::Ref<DenseMatrix>> cholesky(gram);
  if (cholesky.info() != Eigen::Success) throw Error(std::string(not_definite));
  copy(cholesky.solve(right_side(rows)), w);
}

void solve_sparse(const CompactRows& rows, double ridge, std::span<double> w) {
  if (ridge == 0.0) throw Error("algorithm.solver = \"sparse\" needs algorithm.ridge above 0");
  const Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> cholesky(sparse_gram(rows, ridge));
  if (cholesky.info() != Eigen::Success) throw Error(std::string(not_definite));
  copy(cholesky.solve(right_side(rows)), w);
}

void solve_dual(const CompactRows& rows, double ridge, std::span<double> w) {
  // With A = sqrt(C) X: w = A' (A A' + ridge I)^-1 (t / sqrt(c)).
  const auto size = static_cast<Eigen::Index>(rows.rows());
  DenseMatrix products(size, size);
  DenseVector right(size);
  std::vector<double> row(rows.unknowns(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k)
      row[static_cast<std::size_t>(rows.index[k])] += rows.value[k];
    for (std::size_t other = r; other < rows.rows(); ++other)
      products(static_cast<Eigen::Index>(other), static_cast<Eigen::Index>(r)) =
          std::sqrt(rows.weight[r] * rows.weight[other]) * rows.dot(other, row);
    for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k) row[static_cast<std::size_t>(rows.index[k])] = 0.0;
    right[static_cast<Eigen::Index>(r)] = rows.target[r] / std::sqrt(rows.weight[r]);
  }
  DenseVector solution;
  if (ridge == 0.0) {
    const DenseMatrix full = products.selfadjointView<Eigen::Lower>();
    solution = Eigen::CompleteOrthogonalDecomposition<DenseMatrix>(full).solve(right);
  } else {
    products.diagonal().array() += ridge;
    const Eigen::LLT<Eigen::Ref<DenseMatrix>> cholesky(products);
    if (cholesky.info() != Eigen::Success) throw Error(std::string(not_definite));
    solution = cholesky.solve(right);
  }
  std::ranges::fill(w, 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double scaled = std::sqrt(rows.weight[r]) * solution[static_cast<Eigen::Index>(r)];
    for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k)
      w[static_cast<std::size_t>(rows.index[k])] += rows.value[k] * scaled;
  }
}

void solve_iteratively(const CompactRows& rows, double ridge, const SolverOptions& options, std::span<double> w,
                       Solved& solved) {
  const auto size = static_cast<Eigen::Index>(rows.unknowns());
  const auto product = [&](const DenseVector& of, DenseVector& out) {
    out.noalias() = ridge * of;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      double total = 0.0;
      for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k) total += rows.value[k] * of[rows.index[k]];
      total *= rows.weight[r];
      for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k) out[rows.index[k]] += rows.value[k] * total;
    }
  };
  const DenseVector right = right_side(rows);
  DenseVector inverse = DenseVector::Ones(size);
  Eigen::Map<DenseVector> x(w.data(), size);
  if (ridge > 0.0) {
    inverse.setConstant(ridge);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      for (std::size_t k = rows.first[r]; k < rows.first[r + 1]; ++k)
        inverse[rows.index[k]] += rows.weight[r] * rows.value[k] * rows.value[k];
    inverse = inverse.cwiseInverse();
  } else {
    x.setZero();
  }
  const double from_zero = right.dot(inverse.cwiseProduct(right));
  const double goal = options.tolerance * options.tolerance * from_zero;
  const std::int64_t most = options.iterations > 0 ? options.iterations : 1000 + 10 * size;
  DenseVector image(size), residual(size), scaled(size), direction(size);
  product(x, image);
  residual = right - image;
  scaled = inverse.cwiseProduct(residual);
  direction = scaled;
  double size_now = residual.dot(scaled);
  std::int64_t done = 0;
  // Weights of another problem may be further away than 0, by more than rounding could repair.
  if (!(size_now <= from_zero)) {
    x.setZero();
    residual = right;
    direction = scaled = inverse.cwiseProduct(right);
    size_now = from_zero;
  }
  for (; size_now > goal && done < most; ++done) {
    product(direction, image);
    const double step = size_now / direction.dot(image);
    x += step * direction;
    residual -= step * image;
    scaled = inverse.cwiseProduct(residual);
    const double size_next = residual.dot(scaled);
    direction = scaled + (size_next / size_now) * direction;
    size_now = size_next;
  }
  const double relative = goal > 0.0 ? std::sqrt(size_now / goal) * options.tolerance : 0.0;
  solved.iterations += done;
  solved.residual = std::max(solved.residual, relative);
  // Written so that a residual that is not a number fails, too.
  if (!(size_now <= goal)) throw_not_converged("the least squares", done, relative, options);
}

}  // namespace politex::inline solvers
