// Spectral radii of matrices that are far from symmetric: nilpotent parts are found by structure, because rounding
// would turn their eigenvalues into large numbers.
#pragma once

#include <span>
#include <vector>

namespace politex::exact {

/// Moduli of the eigenvalues of a square matrix, given by columns; largest first. Exact zeros where the graph of the
/// matrix or equal rows show them.
std::vector<double> eigenvalue_moduli(std::span<const double> by_columns);

/// The largest of them; 0 for an empty matrix.
double spectral_radius(std::span<const double> by_columns);

}  // namespace politex::exact
