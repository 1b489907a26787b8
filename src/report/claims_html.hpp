// HTML of claims and their verdicts.
#pragma once

#include <span>
#include <vector>

#include "politex/page/html.hpp"
#include "politex/report/claims.hpp"

namespace politex::inline report {

/// The word of the verdict on a coloured background.
Html verdict_badge(const Verdict& verdict);

/// One item per claim, its statement and the verdict, for the top of a page.
std::vector<Html> verdict_items(std::span<const Claim> claims);

/// The verdict, the criterion and every check.
Html claim_html(const Claim& claim);

}  // namespace politex::inline report
