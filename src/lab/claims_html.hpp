// How claims and their verdicts stand in a report.
#pragma once

#include <span>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/html.hpp"

namespace politex::lab {

/// The word of the verdict on a ground of its colour.
Html outcome_badge(const Verdict& verdict);

/// One item a claim: its statement and the verdict, for the top of a page.
std::vector<Html> verdict_items(std::span<const Claim> claims);

/// The verdict, the criterion and every check.
Html claim_html(const Claim& claim);

}  // namespace politex::lab
