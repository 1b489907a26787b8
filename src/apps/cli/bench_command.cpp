#include "commands.hpp"
#include "politex/lab/bench.hpp"

namespace politex::cli {

int bench_command(bool json) {
  const lab::BenchResult result = lab::run_bench();
  print_out(json ? lab::bench_json(result) + "\n" : lab::bench_text(result));
  return 0;
}

}  // namespace politex::cli
