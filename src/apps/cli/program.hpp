#pragma once

namespace politex::cli {

/// The whole program `politex`: reads the command line, does what it asks, and returns the exit status.
int program(int count, char** arguments);

}  // namespace politex::cli
