#include "politex/solvers/td_equations.hpp"

#include <Eigen/Dense>
#include <optional>

#include "politex/solvers/td_rows.hpp"

namespace politex::inline solvers {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct TdEquations::Work {
  Matrix matrix, gram, factored;
  Vector right, change, unknowns;
  Eigen::PartialPivLU<Matrix> lu;
  std::optional<TdRows> rows;  // instead of the dense equations
  Solved solved;               // of the dense equations
};

TdEquations::TdEquations(int dimension, Average average, const SolverOptions& options)
    : work_(std::make_unique<Work>()), dimension_(dimension), average_(average) {
  if (!solves_td_densely(options, {.blocks = 1, .width = dimension, .exclusive = 0})) {
    work_->rows.emplace(dimension, average == Average::unknown, options);
    return;
  }
  const int unknowns = dimension + (average == Average::unknown ? 1 : 0);
  work_->matrix.setZero(unknowns, unknowns);
  work_->gram.setZero(dimension, dimension);
  work_->factored.setZero(unknowns, unknowns);
  work_->right.setZero(unknowns);
  work_->change.setZero(dimension);
  work_->unknowns.setZero(unknowns);
  work_->lu = Eigen::PartialPivLU<Matrix>(unknowns);
  work_->solved.count(Solver::direct);
}

const Solved& TdEquations::solved() const noexcept { return work_->rows ? work_->rows->solved() : work_->solved; }

TdEquations::~TdEquations() = default;
TdEquations::TdEquations(TdEquations&&) noexcept = default;
TdEquations& TdEquations::operator=(TdEquations&&) noexcept = default;

void TdEquations::reset() noexcept {
  if (work_->rows) return work_->rows->reset();
  work_->matrix.setZero();
  work_->gram.setZero();
  work_->right.setZero();
}

void TdEquations::add_own(const FeatureRow& psi, double scale) {
  if (work_->rows) return work_->rows->own(psi, scale);
  for (std::size_t i = 0; i < psi.indices.size(); ++i)
    for (std::size_t j = 0; j < psi.indices.size(); ++j) {
      const double value = scale * psi.values[i] * psi.values[j];
      work_->matrix(psi.offset + psi.indices[i], psi.offset + psi.indices[j]) += value;
      work_->gram(psi.offset + psi.indices[i], psi.offset + psi.indices[j]) += value;
    }
  if (average_ == Average::given) return;
  for (std::size_t i = 0; i < psi.indices.size(); ++i) {
    work_->matrix(psi.offset + psi.indices[i], dimension_) += scale * psi.values[i];
    work_->matrix(dimension_, psi.offset + psi.indices[i]) += scale * psi.values[i];
  }
  work_->matrix(dimension_, dimension_) += scale;
}

void TdEquations::add_next(const FeatureRow& psi, const FeatureRow& next, double scale) {
  if (work_->rows) return work_->rows->next(next, scale);
  for (std::size_t i = 0; i < psi.indices.size(); ++i)
    for (std::size_t j = 0; j < next.indices.size(); ++j)
      work_->matrix(psi.offset + psi.indices[i], next.offset + next.indices[j]) -=
          scale * psi.values[i] * next.values[j];
  if (average_ == Average::given) return;
  for (std::size_t j = 0; j < next.indices.size(); ++j)
    work_->matrix(dimension_, next.offset + next.indices[j]) -= scale * next.values[j];
}

void TdEquations::add_target(const FeatureRow& psi, double scale) {
  if (work_->rows) return work_->rows->target(scale);
  for (std::size_t i = 0; i < psi.indices.size(); ++i)
    work_->right[psi.offset + psi.indices[i]] += scale * psi.values[i];
  if (average_ == Average::unknown) work_->right[dimension_] += scale;
}

double TdEquations::solve(TdSolve how, double ridge, std::span<double> w) {
  if (work_->rows) return work_->rows->solve(ridge, w);
  if (how == TdSolve::min_norm) {
    work_->unknowns = Eigen::CompleteOrthogonalDecomposition<Matrix>(work_->matrix).solve(work_->right);
  } else {
    work_->factored = work_->matrix;
    work_->factored.diagonal().head(dimension_).array() += ridge;  // never on lambda
    work_->lu.compute(work_->factored);
    work_->unknowns = work_->lu.solve(work_->right);
  }
  Eigen::Map<Vector>(w.data(), dimension_) = work_->unknowns.head(dimension_);
  return average_ == Average::unknown ? work_->unknowns[dimension_] : 0.0;
}

void TdEquations::iterate(double ridge, double step, std::int64_t iterations, std::span<double> w) {
  Eigen::Map<Vector> out(w.data(), static_cast<Eigen::Index>(w.size()));
  work_->factored = work_->gram;
  work_->factored.diagonal().array() += ridge;
  const Eigen::LLT<Matrix> cholesky(work_->factored);
  for (std::int64_t k = 0; k < iterations; ++k) {
    work_->change = work_->right;
    work_->change.noalias() -= work_->matrix * out;
    cholesky.solveInPlace(work_->change);
    out += step * work_->change;
  }
}

}  // namespace politex::inline solvers
