#include "commands.hpp"
#include "politex/bench/bench.hpp"

namespace politex::cli {

int bench_command(const BenchArguments& arguments) {
  const BenchResult result = run_bench(bench_part(arguments.only));
  print_out(arguments.json ? bench_json(result) + "\n" : bench_text(result));
  return 0;
}

}  // namespace politex::cli
