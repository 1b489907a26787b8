// The inner loops of a multilayer perceptron on one thread. Matrices are row-major; `units` is a multiple of 16. The
// result for a row does not depend on the other rows: a batch of one and a batch of a thousand give the same bits.
#pragma once

namespace politex::inline network::kernels {

/// to[r][u] = max(0, bias[u] + sum_i from[r][i] weights[i][u]), summed in the order of i.
void dense_relu(const float* from, int rows, int inputs, const float* weights, const float* bias, int units, float* to);

/// The same without the relu.
void dense(const float* from, int rows, int inputs, const float* weights, const float* bias, int units, float* to);

/// to[r][o] = bias[o] + sum_u from[r][u] weights[o][u]; `bias` may be null. Rows of `to` are `stride` apart.
void dots(const float* from, int rows, int units, const float* weights, const float* bias, int outputs, float* to,
          int stride);

/// Back through `dots` and the relu before it: gradient[o][u] += sum_r slope[r][o] from[r][u], and
/// back[r][u] = sum_o slope[r][o] weights[o][u] where from[r][u] > 0, else 0. Rows of `slope` are `stride` apart.
void dots_backward(const float* slope, int stride, const float* from, int rows, int units, const float* weights,
                   int outputs, float* gradient, float* back);

/// Back through the affine part of `dense_relu`: gradient[i][u] += sum_r from[r][i] slope[r][u], and
/// bias_gradient[u] += sum_r slope[r][u].
void dense_backward(const float* from, int rows, int inputs, const float* slope, int units, float* gradient,
                    float* bias_gradient);

/// Zeroes back[r][u] where from[r][u] is not positive.
void mask(const float* from, int count, float* back);

}  // namespace politex::inline network::kernels
