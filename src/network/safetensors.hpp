// Networks in files: the safetensors format, which Python's package of that name reads.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "politex/network/network.hpp"

namespace politex::inline network {

using Metadata = std::map<std::string, std::string>;

/// The bytes of a file: 8 bytes of header length, a JSON header, the matrices without padding. Hidden weights are
/// [from][to], the head's [1 + actions][from]: its first row is the value, the others are the advantages.
std::string to_safetensors(const DuelingNetwork& network, const Metadata& metadata);

struct NetworkFile {
  DuelingNetwork network;
  Metadata metadata;
};
/// Throws ConfigError that names `key` and `file` if the bytes are not such a network.
NetworkFile from_safetensors(const std::string& key, const std::string& file, const std::string& bytes);

}  // namespace politex::inline network
