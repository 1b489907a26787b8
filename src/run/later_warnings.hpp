// Warnings that depend on what a run did: why it cannot have learned, each with its remedy. They are asked for with
// each summary; an empty text means that there is none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "politex/algorithm/block_collector.hpp"

namespace politex::inline run {

class LinearRun;

/// Every step cost the same. `collector` lives as long as the run.
std::function<std::string()> constant_cost_warning(const BlockCollector& collector, const std::string& name);
/// What the end of an episode costs was found from the costs.
std::function<std::string()> restart_cost_warning(const BlockCollector& collector, const std::string& name);
/// For runs that are extended: whether enough steps were taken is known only then. `run` outlives the function.
std::function<std::string()> nothing_learned_warning(const LinearRun& run, std::int64_t phase);
/// The policy was improved a few times only, where phases grow.
std::function<std::string()> few_phases_warning(const LinearRun& run);
/// What the feature map has to say about the rows that it made: tiles that share a weight.
std::function<std::string()> features_remark(const BlockCollector& collector);
/// The explorer met one cell only, of the grid that it counts visits of.
std::function<std::string()> one_cell_warning(const BlockCollector& collector, const std::string& name);

}  // namespace politex::inline run
