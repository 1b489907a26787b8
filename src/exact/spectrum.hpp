// Spectral radii of matrices that are far from symmetric: nilpotent parts are found by structure, because rounding
// would turn their eigenvalues into large numbers.
#pragma once

#include <Eigen/Core>

namespace politex::exact {

/// Moduli of the eigenvalues, largest first. Exact zeros where the graph of the matrix or equal rows show them.
Eigen::VectorXd eigenvalue_moduli(const Eigen::MatrixXd& matrix);

/// The largest of them; 0 for an empty matrix.
double spectral_radius(const Eigen::MatrixXd& matrix);

}  // namespace politex::exact
