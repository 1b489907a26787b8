// The whole program `politex` with environments of your own: the `main` of such a program is one call.
#pragma once

#include <initializer_list>

#include "politex/env/entry.hpp"

namespace politex {

/// Does what `politex` does for these arguments, and knows `environments` besides: run, sweep, exact, evaluate, report,
/// serve, list ... Returns the exit status. Call it once, first thing in main().
int main_with(int count, char** arguments, std::initializer_list<const EnvironmentEntry*> environments);

}  // namespace politex
