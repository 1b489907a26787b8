#include "politex/bench/plain_learner.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex::inline bench {
using namespace neural;
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;

Matrix matrix_of(const DuelingNetwork& network, std::size_t block) {
  const Block& at = network.blocks()[block];
  return View(network.parameters().data() + at.offset, at.rows, at.columns)
      .topLeftCorner(at.used_rows, at.used_columns);
}

/// A matrix with its gradient and Adam's moments.
struct Weights {
  Matrix value, gradient, first, second;

  explicit Weights(Matrix initial)
      : value(std::move(initial)),
        gradient(Matrix::Zero(value.rows(), value.cols())),
        first(gradient),
        second(gradient) {}

  void step(const Adam::Settings& adam, float scale, double count) {
    const auto beta1 = static_cast<float>(adam.beta1), beta2 = static_cast<float>(adam.beta2);
    const double correction = std::sqrt(1 - std::pow(adam.beta2, count));
    const auto rate = static_cast<float>(adam.rate * correction / (1 - std::pow(adam.beta1, count)));
    first = beta1 * first + (1 - beta1) * scale * gradient;
    second = beta2 * second + (1 - beta2) * (scale * gradient).cwiseAbs2();
    value.array() -= rate * first.array() / (second.array().sqrt() + static_cast<float>(adam.epsilon * correction));
  }
};

}  // namespace

struct PlainLearner::Parts {
  LearnerSettings settings;
  Weights hidden, hidden_bias, head, head_bias;
  Matrix target_hidden, target_hidden_bias, target_head, target_head_bias;
  Matrix activation, values, next_values, chooser, slope, back;
  std::int64_t steps = 0;

  Parts(const DuelingNetwork& network, const LearnerSettings& given)
      : settings(given),
        hidden(matrix_of(network, 0)),
        hidden_bias(matrix_of(network, 1)),
        head(matrix_of(network, 2)),
        head_bias(matrix_of(network, 3)) {
    copy();
  }

  void copy() {
    target_hidden = hidden.value;
    target_hidden_bias = hidden_bias.value;
    target_head = head.value;
    target_head_bias = head_bias.value;
  }

  /// Q by rows; leaves the hidden activations behind.
  void forward(const View& seen, const Matrix& w, const Matrix& b, const Matrix& v, const Matrix& c, Matrix& q) {
    activation.noalias() = seen * w;
    activation = (activation.rowwise() + b.row(0)).cwiseMax(0.0F);
    Matrix outputs = activation * v.transpose();
    outputs.rowwise() += c.row(0);
    const auto actions = outputs.cols() - 1;
    q = outputs.rightCols(actions);
    q.colwise() += outputs.col(0) - q.rowwise().mean();
  }
};

PlainLearner::PlainLearner(const DuelingNetwork& network, const LearnerSettings& settings) {
  if (network.shape().hidden.size() != 1) throw Error("the plain learner has one hidden layer");
  parts_ = std::make_unique<Parts>(network, settings);
}

PlainLearner::~PlainLearner() = default;

void PlainLearner::step(const Batch& batch) {
  Parts& p = *parts_;
  const auto rows = static_cast<Eigen::Index>(batch.rows.size());
  const View states(batch.states.data(), rows, p.hidden.value.rows()), nexts(batch.nexts.data(), rows, states.cols());
  p.forward(nexts, p.target_hidden, p.target_hidden_bias, p.target_head, p.target_head_bias, p.next_values);
  p.forward(nexts, p.hidden.value, p.hidden_bias.value, p.head.value, p.head_bias.value, p.chooser);
  p.forward(states, p.hidden.value, p.hidden_bias.value, p.head.value, p.head_bias.value, p.values);

  p.slope = Matrix::Zero(rows, p.values.cols() + 1);  // of the head: value, then advantages
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Eigen::Index best = 0;
    p.chooser.row(i).minCoeff(&best);
    const double factor = std::pow(p.settings.discount, batch.lengths[at]);
    const auto wanted = batch.costs[at] + static_cast<float>(factor) * p.next_values(i, best);
    const Eigen::Index taken = batch.actions[at];
    const float slope = (p.values(i, taken) - wanted) * batch.weights[at] / static_cast<float>(rows);
    p.slope.row(i).rightCols(p.values.cols()).setConstant(-slope / static_cast<float>(p.values.cols()));
    p.slope(i, taken + 1) += slope;
    p.slope(i, 0) = slope;
  }
  p.head.gradient.noalias() = p.slope.transpose() * p.activation;
  p.head_bias.gradient = p.slope.colwise().sum();
  p.back.noalias() = p.slope * p.head.value;
  p.back = (p.activation.array() > 0.0F).select(p.back, 0.0F);
  p.hidden.gradient.noalias() = states.transpose() * p.back;
  p.hidden_bias.gradient = p.back.colwise().sum();

  double square = 0.0;
  for (const Weights* w : {&p.hidden, &p.hidden_bias, &p.head, &p.head_bias})
    square += static_cast<double>(w->gradient.squaredNorm());
  const double clip = p.settings.adam.clip, norm = std::sqrt(square);
  const auto scale = static_cast<float>(clip > 0 && norm > clip ? clip / norm : 1.0);
  ++p.steps;
  for (Weights* w : {&p.hidden, &p.hidden_bias, &p.head, &p.head_bias})
    w->step(p.settings.adam, scale, static_cast<double>(p.steps));
  if (p.steps % p.settings.target_copy == 0) p.copy();
}

std::vector<float> PlainLearner::parameters() const {
  std::vector<float> all;
  for (const Weights* w : {&parts_->hidden, &parts_->hidden_bias, &parts_->head, &parts_->head_bias})
    all.insert(all.end(), w->value.data(), w->value.data() + w->value.size());
  return all;
}

}  // namespace politex::inline bench
