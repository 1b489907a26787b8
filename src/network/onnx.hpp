// Networks for other programs: the ONNX format, which runtimes for many languages and devices read.
#pragma once

#include <string>

#include "politex/network/network.hpp"

namespace politex::inline network {

/// The bytes of a model with the input "observation" (float, [rows, inputs]) and the outputs "q" ([rows, actions];
/// costs: smaller is better) and "action" ([rows]; the one of the smallest q). Throws ConfigError that names `key`
/// where the network has convolutions.
std::string to_onnx(const std::string& key, const DuelingNetwork& network);

}  // namespace politex::inline network
