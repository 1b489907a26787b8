// What the paper's theory says, judged by the table of measurements and by nothing else.
#pragma once

#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/theory_table.hpp"

namespace politex::lab {

/// In the order of the figure's parts.
std::vector<Claim> theory_claims(const TheoryTable& table);

/// The slope of the paper's expression for a regret term between the T's of (c), with the lengths as they are rounded:
/// n m s' for E, m s sqrt(n) + n sqrt(m) s for PR, n m for V, sqrt(T) for W, the sum of the first three for regret; NaN
/// for other terms. `schedule` is theory or theory_text.
double expression_slope(const std::string& term, const std::string& schedule, const std::vector<double>& steps);

/// Per replicate: the slope of log y on log x, where x is itself measured; Student's interval over replicates.
Interval power_between(const Samples& x, const Samples& y);

}  // namespace politex::lab
