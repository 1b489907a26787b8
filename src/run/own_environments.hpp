// Environments of a program that is linked to politex: main_with() puts them into the catalogue.
#pragma once

#include <span>

#include "politex/env/entry.hpp"

namespace politex::inline run {

/// Throws ConfigError for a name that is taken or is not one, for a key outside [environment], and for an entry that
/// makes no environment.
void check_own_environments(std::span<const EnvironmentEntry* const> entries);

/// Checks the entries and adds them to environments(); once, before the catalogue is first read. They must outlive the
/// program.
void bring_environments(std::span<const EnvironmentEntry* const> entries);

}  // namespace politex::inline run
