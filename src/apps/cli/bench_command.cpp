#include "commands.hpp"
#include "politex/lab/bench.hpp"

namespace politex::cli {

int bench_command(const BenchArguments& arguments) {
  const lab::BenchResult result = lab::run_bench(lab::bench_part(arguments.only));
  print_out(arguments.json ? lab::bench_json(result) + "\n" : lab::bench_text(result));
  return 0;
}

}  // namespace politex::cli
