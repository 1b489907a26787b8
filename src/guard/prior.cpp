#include "politex/guard/prior.hpp"

namespace politex::inline guard {

Keys prior_keys() {
  return {key<&PriorOptions::incumbent>("algorithm.incumbent",
                                        "the policy that learning begins with: a heuristic (c_mu, threshold:11), "
                                        "always:A, or a policy file; empty: uniform",
                                        text()),
          key<&PriorOptions::weight>("algorithm.incumbent_weight",
                                     "the logit of its action at the beginning: its odds are e^weight to 1",
                                     number_above(0, 50))};
}

}  // namespace politex::inline guard
