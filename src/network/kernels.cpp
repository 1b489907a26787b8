#include "politex/network/kernels.hpp"

#include "politex/network/lanes.hpp"

// Tiles are sized so that the accumulators of the innermost loop stay in sixteen registers.
namespace politex::inline network::kernels {
namespace {

constexpr int pair = 2 * lane_count;

std::ptrdiff_t at(int row, int width) noexcept { return static_cast<std::ptrdiff_t>(row) * width; }

template <int rows, bool relu>
void dense_tile(const float* from, int inputs, const float* weights, const float* bias, int units, float* to) {
  for (int u = 0; u < units; u += pair) {
    Lanes low[rows], high[rows];
    for (int r = 0; r < rows; ++r) {
      low[r] = load(bias + u);
      high[r] = load(bias + u + lane_count);
    }
    const float* column = weights + u;
    for (int i = 0; i < inputs; ++i, column += units) {
      const Lanes w_low = load(column), w_high = load(column + lane_count);
      for (int r = 0; r < rows; ++r) {
        const Lanes x = spread(from[at(r, inputs) + i]);
        low[r] = multiply_add(x, w_low, low[r]);
        high[r] = multiply_add(x, w_high, high[r]);
      }
    }
    for (int r = 0; r < rows; ++r) {
      store(to + at(r, units) + u, relu ? positive_part(low[r]) : low[r]);
      store(to + at(r, units) + u + lane_count, relu ? positive_part(high[r]) : high[r]);
    }
  }
}

template <int rows, int outputs>
void dots_tile(const float* from, int units, const float* weights, const float* bias, float* to, int stride) {
  Lanes sum[rows][outputs] = {};
  for (int u = 0; u < units; u += lane_count) {
    for (int r = 0; r < rows; ++r) {
      const Lanes x = load(from + at(r, units) + u);
      for (int o = 0; o < outputs; ++o) sum[r][o] = multiply_add(x, load(weights + at(o, units) + u), sum[r][o]);
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int o = 0; o < outputs; ++o) to[at(r, stride) + o] = total(sum[r][o]) + (bias == nullptr ? 0.0F : bias[o]);
}

template <int outputs>
void dots_rows(const float* from, int rows, int units, const float* weights, const float* bias, float* to, int stride) {
  int r = 0;
  for (; r + 2 <= rows; r += 2)
    dots_tile<2, outputs>(from + at(r, units), units, weights, bias, to + at(r, stride), stride);
  if (r < rows) dots_tile<1, outputs>(from + at(r, units), units, weights, bias, to + at(r, stride), stride);
}

template <int outputs>
void dots_backward_tile(const float* slope, int stride, const float* from, int rows, int units, const float* weights,
                        float* gradient, float* back, bool first) {
  for (int u = 0; u < units; u += pair) {
    Lanes low[outputs], high[outputs];
    for (int o = 0; o < outputs; ++o) {
      low[o] = load(gradient + at(o, units) + u);
      high[o] = load(gradient + at(o, units) + u + lane_count);
    }
    for (int r = 0; r < rows; ++r) {
      const Lanes h_low = load(from + at(r, units) + u), h_high = load(from + at(r, units) + u + lane_count);
      float* into = back + at(r, units) + u;
      Lanes b_low = first ? Lanes{} : load(into), b_high = first ? Lanes{} : load(into + lane_count);
      for (int o = 0; o < outputs; ++o) {
        const Lanes s = spread(slope[at(r, stride) + o]);
        low[o] = multiply_add(s, h_low, low[o]);
        high[o] = multiply_add(s, h_high, high[o]);
        b_low = multiply_add(s, load(weights + at(o, units) + u), b_low);
        b_high = multiply_add(s, load(weights + at(o, units) + u + lane_count), b_high);
      }
      store(into, h_low > Lanes{} ? b_low : Lanes{});
      store(into + lane_count, h_high > Lanes{} ? b_high : Lanes{});
    }
    for (int o = 0; o < outputs; ++o) {
      store(gradient + at(o, units) + u, low[o]);
      store(gradient + at(o, units) + u + lane_count, high[o]);
    }
  }
}

template <int inputs>
void dense_backward_tile(const float* from, int width, int rows, const float* slope, int units, float* gradient) {
  for (int u = 0; u < units; u += pair) {
    Lanes low[inputs], high[inputs];
    for (int i = 0; i < inputs; ++i) {
      low[i] = load(gradient + at(i, units) + u);
      high[i] = load(gradient + at(i, units) + u + lane_count);
    }
    for (int r = 0; r < rows; ++r) {
      const Lanes s_low = load(slope + at(r, units) + u), s_high = load(slope + at(r, units) + u + lane_count);
      for (int i = 0; i < inputs; ++i) {
        const Lanes x = spread(from[at(r, width) + i]);
        low[i] = multiply_add(x, s_low, low[i]);
        high[i] = multiply_add(x, s_high, high[i]);
      }
    }
    for (int i = 0; i < inputs; ++i) {
      store(gradient + at(i, units) + u, low[i]);
      store(gradient + at(i, units) + u + lane_count, high[i]);
    }
  }
}

template <bool relu>
void dense_rows(const float* from, int rows, int inputs, const float* weights, const float* bias, int units,
                float* to) {
  int r = 0;
  for (; r + 4 <= rows; r += 4)
    dense_tile<4, relu>(from + at(r, inputs), inputs, weights, bias, units, to + at(r, units));
  for (; r < rows; ++r) dense_tile<1, relu>(from + at(r, inputs), inputs, weights, bias, units, to + at(r, units));
}

}  // namespace

void dense_relu(const float* from, int rows, int inputs, const float* weights, const float* bias, int units,
                float* to) {
  dense_rows<true>(from, rows, inputs, weights, bias, units, to);
}

void dense(const float* from, int rows, int inputs, const float* weights, const float* bias, int units, float* to) {
  dense_rows<false>(from, rows, inputs, weights, bias, units, to);
}

void dots(const float* from, int rows, int units, const float* weights, const float* bias, int outputs, float* to,
          int stride) {
  for (int o = 0; o < outputs; o += 4) {
    const float* w = weights + at(o, units);
    const float* b = bias == nullptr ? nullptr : bias + o;
    switch (outputs - o) {
      case 1:
        dots_rows<1>(from, rows, units, w, b, to + o, stride);
        break;
      case 2:
        dots_rows<2>(from, rows, units, w, b, to + o, stride);
        break;
      case 3:
        dots_rows<3>(from, rows, units, w, b, to + o, stride);
        break;
      default:
        dots_rows<4>(from, rows, units, w, b, to + o, stride);
    }
  }
}

void dots_backward(const float* slope, int stride, const float* from, int rows, int units, const float* weights,
                   int outputs, float* gradient, float* back) {
  for (int o = 0; o < outputs; o += 4) {
    const float* w = weights + at(o, units);
    float* g = gradient + at(o, units);
    switch (outputs - o) {
      case 1:
        dots_backward_tile<1>(slope + o, stride, from, rows, units, w, g, back, o == 0);
        break;
      case 2:
        dots_backward_tile<2>(slope + o, stride, from, rows, units, w, g, back, o == 0);
        break;
      case 3:
        dots_backward_tile<3>(slope + o, stride, from, rows, units, w, g, back, o == 0);
        break;
      default:
        dots_backward_tile<4>(slope + o, stride, from, rows, units, w, g, back, o == 0);
    }
  }
}

void dense_backward(const float* from, int rows, int inputs, const float* slope, int units, float* gradient,
                    float* bias_gradient) {
  for (int i = 0; i < inputs; i += 6) {
    float* g = gradient + at(i, units);
    switch (inputs - i) {
      case 1:
        dense_backward_tile<1>(from + i, inputs, rows, slope, units, g);
        break;
      case 2:
        dense_backward_tile<2>(from + i, inputs, rows, slope, units, g);
        break;
      case 3:
        dense_backward_tile<3>(from + i, inputs, rows, slope, units, g);
        break;
      case 4:
        dense_backward_tile<4>(from + i, inputs, rows, slope, units, g);
        break;
      case 5:
        dense_backward_tile<5>(from + i, inputs, rows, slope, units, g);
        break;
      default:
        dense_backward_tile<6>(from + i, inputs, rows, slope, units, g);
    }
  }
  for (int u = 0; u < units; u += pair) {
    Lanes low = load(bias_gradient + u), high = load(bias_gradient + u + lane_count);
    for (int r = 0; r < rows; ++r) {
      low += load(slope + at(r, units) + u);
      high += load(slope + at(r, units) + u + lane_count);
    }
    store(bias_gradient + u, low);
    store(bias_gradient + u + lane_count, high);
  }
}

void mask(const float* from, int count, float* back) {
  for (int i = 0; i < count; ++i) back[i] = from[i] > 0.0F ? back[i] : 0.0F;
}

}  // namespace politex::inline network::kernels
