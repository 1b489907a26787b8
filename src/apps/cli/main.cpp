// The program `politex`: command line and exit status. Only this file includes CLI11, which is slow to compile.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <sstream>

#include "commands.hpp"
#include "politex/apps/main_with.hpp"
#include "politex/base/build_info.hpp"
#include "politex/base/error.hpp"
#include "politex/base/processor.hpp"
#include "politex/mpi/join.hpp"
#include "politex/record/live_line.hpp"
#include "politex/run/own_environments.hpp"
#include "politex/settings/nearest.hpp"
#include "program.hpp"

namespace politex::cli {
namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int bad_input = 2;

struct Options {
  ListOptions list;
  RunArguments run;
  SweepArguments sweep;
  ExactArguments exact;
  ExploreArguments explore;
  EvaluateArguments evaluate;
  PolicyArguments policy;
  ReproduceArguments reproduce;
  ReportArguments report;
  ServeArguments serve;
  BenchArguments bench;
};

std::string version_text() {
  const BuildInfo build = build_info();
  return fmt::format("politex {} (build {}; {}, {}; {})", build.version, build.id, build.compiler,
                     build.instruction_set, mpi::library());
}

// Options are checked before anything is read or written.

void takes_seconds(CLI::Option* option) {
  option->type_name("SECONDS")->check([](const std::string& text) {
    double number = -1.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() && number >= 0.0) return std::string();
    return fmt::format("{} is not accepted; accepted: a number of seconds, 0 or more", text);
  });
}

void takes_whole(CLI::Option* option, const char* name, int least, int most) {
  option->type_name(name)->check([least, most](const std::string& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && number >= least && number <= most) return std::string();
    return fmt::format("{} is not accepted; accepted: a whole number, {} to {}", text, least, most);
  });
}

void takes_path(CLI::Option* option, const char* name) {
  option->type_name(name)->check([](const std::string& text) {
    return std::string(text.empty() ? "\"\" is not accepted; accepted: a path" : "");
  });
}

void add_list(CLI::App& app, ListOptions& options) {
  CLI::App* command = app.add_subcommand("list", "every name, every option, its default and its meaning");
  command->add_option("topic", options.topic,
                      "environments, algorithms, explorers, heuristics, features or experiments");
  command->add_flag("--json", options.json, "one JSON object on standard output");
  command->add_flag("--markdown", options.markdown, "the reference of all names and keys, as Markdown");
  command->footer("Examples:\n  politex list\n  politex list environments\n  politex list --json\n");
}

void add_run(CLI::App& app, RunArguments& options) {
  CLI::App* command = app.add_subcommand("run", "run a configuration file, or resume a stopped run");
  command->add_option("file", options.file, "a TOML file; `politex list experiments` shows the shipped ones");
  command->add_option("settings", options.overrides,
                      "key=value: overrides a key of the file; `politex list` shows all");
  takes_path(command->add_option("--out", options.out,
                                 "directory to write to (default: a new one, results/<file stem>-<seed>; nothing "
                                 "with --json)"),
             "DIR");
  takes_path(command->add_option("--resume", options.resume, "resume the run in this directory"), "DIR");
  takes_seconds(command->add_option("--checkpoint-seconds", options.checkpoint_seconds,
                                    "minimum time between two checkpoints (default 10)"));
  command->add_flag("--json", options.json, "the summary as one JSON object on standard output");
  command->add_flag("--quiet", options.quiet, "no progress line");
  command->footer(
      "Examples:\n"
      "  politex run experiments/deep_sea/tuned.toml\n"
      "  politex run experiments/deep_sea/tuned.toml seed=2 size=30 eta=0.2 --out results/mine\n"
      "  politex run experiments/deep_sea/figure.toml algorithm.name=rlsvi --json\n"
      "  politex run --resume results/mine\n"
      "  mpirun -n 5 politex run experiments/cartpole/ee_politex.toml   (one rank learns, four act; the same bits)\n");
}

void add_jobs(CLI::App& command, int& jobs) {
  takes_whole(command.add_option("--jobs", jobs, "threads (default, or 0: all cores); does not affect results"), "N", 0,
              4096);
}

void add_sweep(CLI::App& app, SweepArguments& options) {
  CLI::App* command = app.add_subcommand(
      "sweep", "run a grid of settings x seeds on all cores; rerun the same command to finish missing runs");
  command->add_option("file", options.file, "a TOML file")->required();
  command->add_option("grid", options.grid, "key=v1,v2,...: the settings of the grid");
  takes_whole(command->add_option("--seeds", options.seeds, "seeds 1 to N for every setting")->required(), "N", 1,
              1'000'000);
  takes_path(command->add_option("--out", options.out, "directory to write to")->required(), "DIR");
  add_jobs(*command, options.jobs);
  takes_whole(command->add_option(
                  "--tune", options.tune,
                  "try K settings of the grid for every algorithm, choose the best of each on seeds 1 to N, and report "
                  "it on fresh seeds 1001 to 1000+N; the grid must have one task (one value for steps and for each key "
                  "of [environment]), and N is at most 1000"),
              "K", 1, 1'000'000);
  takes_seconds(command->add_option("--checkpoint-seconds", options.checkpoint_seconds,
                                    "minimum time between two checkpoints (default 10)"));
  command->add_flag("--json", options.json, "sweep.json on standard output");
  command->add_flag("--quiet", options.quiet, "no progress line");
  command->footer(
      "Examples:\n"
      "  politex sweep experiments/deep_sea/tuned.toml --seeds 10 size=5,10,20 eta=0.05,0.1,0.2 --out results/grid\n"
      "  mpirun -n 8 politex sweep experiments/deep_sea/tuned.toml --seeds 100 --out results/grid   (the same files)\n"
      "  politex sweep experiments/deep_sea/figure.toml --seeds 5 --tune 6 algorithm.name=ee_politex,politex "
      "eta=0.1,0.5,1 ridge=0.01,0.1 --out results/tuned\n");
}

void add_exact(CLI::App& app, ExactArguments& options) {
  CLI::App* command = app.add_subcommand(
      "exact", "compute gain, bias, optimum, stationary distribution and the paper's assumptions exactly");
  command
      ->add_option("environment", options.environment, "a finite environment: deep_sea, river_swim, garnet, finite_mdp")
      ->required();
  command->add_option("settings", options.overrides,
                      "key=value of [environment] or [features]; `politex list` shows all");
  command->add_option(
      "--policy", options.policy,
      "optimal (default), uniform, always:A, a heuristic such as threshold:11, or a policy file (JSON)");
  command->add_flag("--json", options.json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  politex exact deep_sea size=20\n"
      "  politex exact deep_sea size=10 teleport=0.01 --policy always:1\n"
      "  politex exact river_swim --policy uniform --json\n"
      "  politex exact finite_mdp file=model.json features.name=tabular\n");
}

void add_explore(CLI::App& app, ExploreArguments& options) {
  CLI::App* command = app.add_subcommand("explore", "learn an exploration policy and write it to a file");
  command
      ->add_option("file", options.file,
                   "a TOML file with algorithm.name = \"dqn\" or \"goals\", or a finite environment with an explorer "
                   "that learns")
      ->required();
  command->add_option("settings", options.overrides, "key=value: overrides a key of the file");
  takes_path(command->add_option("--out", options.out, "the policy file (default: results/<file stem>-<seed>.policy)"),
             "FILE");
  command->add_flag("--quiet", options.quiet, "no progress line");
  command->footer(
      "Examples:\n"
      "  politex explore experiments/cartpole/explorer.toml --out my.policy\n"
      "  politex run experiments/cartpole/ee_politex.toml explorer.name=file explorer.file=my.policy\n");
}

void takes_large(CLI::Option* option, const char* name, std::int64_t least, std::int64_t most) {
  option->type_name(name)->check([least, most](const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && number >= least && number <= most) return std::string();
    return fmt::format("{} is not accepted; accepted: a whole number, {} to {}", text, least, most);
  });
}

void takes_share(CLI::Option* option) {
  option->type_name("ALPHA")->check([](const std::string& text) {
    double number = -1.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() && number >= 1e-6 && number <= 0.5)
      return std::string();
    return fmt::format("{} is not accepted; accepted: a number, 0.000001 to 0.5", text);
  });
}

void add_evaluate(CLI::App& app, EvaluateArguments& options) {
  CLI::App* command = app.add_subcommand(
      "evaluate", "the average cost of a policy with an interval, alone or compared with another policy");
  command
      ->add_option("policy", options.policy,
                   "a policy file, the directory of a run, or a name: uniform, optimal, always:1, ...")
      ->required();
  command->add_option("environment", options.environment, "an environment's name, or a TOML file with [environment]")
      ->required();
  command->add_option("settings", options.overrides, "key=value of [environment]");
  takes_path(command->add_option("--log", options.log,
                                 "estimate from this log instead (CSV with the columns state, action, cost, next, "
                                 "propensity); finite environments"),
             "FILE");
  command->add_option("--against", options.against,
                      "another policy: the difference is paired by common random numbers, and the verdict (better, "
                      "worse, not_yet) may be looked at after any number of steps");
  takes_large(command->add_option("--steps", options.steps,
                                  "simulated steps of each policy (default: 20000000 on tables, 2000000 in other "
                                  "environments, 50000 in other processes)"),
              "N", 1, 10'000'000'000);
  takes_large(command->add_option("--seed", options.seed, "seed of the simulation (default 1)"), "S", 0,
              std::numeric_limits<std::int64_t>::max());
  takes_share(
      command->add_option("--alpha", options.alpha, "error rate of the intervals and the verdict (default .05)"));
  command->add_flag("--simulate", options.simulate, "simulate even where an exact answer is possible");
  add_jobs(*command, options.jobs);
  command->add_flag("--json", options.json, "one JSON object on standard output");
  command->footer(
      "Examples:\n"
      "  politex evaluate uniform river_swim\n"
      "  politex evaluate results/mine deep_sea size=20 --against always:1 --json\n"
      "  politex evaluate my.policy n_model load=0.9 --against optimal --simulate --steps 100000000\n"
      "  politex evaluate my.policy river_swim --log log.csv --against uniform\n"
      "  politex evaluate results/swing experiments/cartpole/ee_politex.toml --steps 1000000\n");
}

void add_policy(CLI::App& app, PolicyArguments& options) {
  CLI::App* command = app.add_subcommand("policy", "export a policy in a form that runs without politex");
  CLI::App* write = command->add_subcommand("export", "write a policy as a table, as thresholds, as a C header, ...");
  command->require_subcommand(1);
  write->add_option("policy", options.policy, "a policy file, or the directory of a run")->required();
  write
      ->add_option(
          "--to", options.format,
          "csv (a table), thresholds (policies that are monotone in the state), c (a header), safetensors or onnx (a "
          "network)")
      ->required();
  takes_path(write->add_option("--out", options.out, "the file to write")->required(), "FILE");
  write->footer(
      "Examples:\n  politex policy export results/mine --to csv --out policy.csv\n"
      "  politex policy export my.policy --to c --out policy.h\n"
      "  politex policy export results/swing --to safetensors --out swing.safetensors\n");
}

void add_reproduce(CLI::App& app, ReproduceArguments& options) {
  CLI::App* command =
      app.add_subcommand("reproduce", "reproduce a figure of the paper, with a report that checks its claims");
  command->add_option("figure", options.figure, "deep_sea (default), theory, cartpole, ms_pacman, exploration, or all");
  command->add_flag("--quick", options.quick, "fewer seeds and sizes: seconds instead of minutes");
  command->add_flag("--long", options.long_run, "run the longer variant, if the figure has one");
  command->add_flag("--compare", options.compare, "also run the figure's ablations, if it has any");
  command->add_flag("--difficulty", options.difficulty, "cartpole: success and reward from loose to strict rewards");
  takes_whole(command->add_option("--seeds", options.seeds, "seeds 1 to N (default: as many as the figure uses)"), "N",
              2, 1000);
  takes_path(command->add_option("--out", options.out, "directory to write to (default results/FIGURE)"), "DIR");
  add_jobs(*command, options.jobs);
  command->footer(
      "Examples:\n  politex reproduce deep_sea\n  politex reproduce deep_sea --quick --out /tmp/figure\n"
      "  politex reproduce cartpole --quick\n  politex reproduce exploration\n  POLITEX_PYTHON=venv/bin/python politex "
      "reproduce ms_pacman --long\n");
}

void add_report(CLI::App& app, ReportArguments& options) {
  CLI::App* command =
      app.add_subcommand("report", "learning curves, comparisons and figures of finished or running runs");
  command->add_option("DIR", options.directories, "runs, sweeps, or directories that contain them")->required();
  takes_path(
      command->add_option("--out", options.out, "directory to write to (default: DIR, or results/report for several)"),
      "DIR");
  command->footer(
      "Examples:\n  politex report results/mine\n  politex report results/a results/b --out results/a-and-b\n");
}

void add_serve(CLI::App& app, ServeArguments& options) {
  CLI::App* command =
      app.add_subcommand("serve", "show a live dashboard of all runs below a directory in your browser");
  command->add_option("DIR", options.directory, "directory for runs, which may still be empty")->required();
  takes_whole(command->add_option("--port", options.port, "port (default 8080; 0: any free port)"), "PORT", 0, 65535);
  command->add_option("--host", options.host, "address to listen on (default 127.0.0.1: this machine only)");
  command->add_option("--token", options.token,
                      "text that a browser must bring (default: a random one for addresses that other machines reach)");
  command->add_flag("--read-only", options.read_only,
                    "for scripts that say so: the dashboard never writes, with or without it");
  command->footer("Examples:\n  politex serve results\n  politex serve results --port 9000\n");
}

void add_bench(CLI::App& app, BenchArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "bench", "measure the speed on this machine: the bare step, and every preset compared with it");
  command->add_option("--only", arguments.only,
                      "one part: steps, engine, neural, cores (the neural learner on two), or games (learning "
                      "compared with the emulator alone)");
  command->add_flag("--json", arguments.json, "one JSON object on standard output");
  command->footer("Examples:\n  politex bench\n  politex bench --only engine\n  politex bench --json\n");
}

void describe(CLI::App& app, Options& options) {
  app.name("politex");
  app.description("Exploration-Enhanced Politex: reinforcement learning for average-cost problems that never reset.");
  app.set_version_flag("--version", version_text());
  app.set_help_flag("-h,--help", "show this text");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  politex run experiments/deep_sea/tuned.toml seed=2\n"
      "  politex exact deep_sea size=20\n"
      "  politex reproduce deep_sea --quick\n"
      "\n`politex COMMAND --help` shows the options and examples of a command.\n"
      "Exit status: 0 done, 1 a run failed, 2 bad input (nothing written), 130/143 interrupted.\n");
  add_list(app, options.list);
  add_run(app, options.run);
  add_sweep(app, options.sweep);
  add_exact(app, options.exact);
  add_explore(app, options.explore);
  add_evaluate(app, options.evaluate);
  add_policy(app, options.policy);
  add_reproduce(app, options.reproduce);
  add_report(app, options.report);
  add_serve(app, options.serve);
  add_bench(app, options.bench);
}

// Under mpirun, refuses commands that cannot use several processes.
void require_one_process(const CLI::App& app, Fleet* fleet) {
  together(fleet, [&] {
    if (speaks(fleet))
      throw ConfigError{"mpirun", fmt::format("politex {} runs in one process; accepted under mpirun: sweep, run",
                                              app.get_subcommands().front()->get_name())};
  });
}

int dispatch(const CLI::App& app, const Options& options, Fleet* fleet) {
  if (app.got_subcommand("sweep")) return sweep_command(options.sweep, fleet);
  if (app.got_subcommand("run")) return run_command(options.run, fleet);
  if (several(fleet)) require_one_process(app, fleet);
  if (app.got_subcommand("list")) return list_command(options.list);
  if (app.got_subcommand("explore")) return explore_command(options.explore);
  if (app.got_subcommand("evaluate")) return evaluate_command(options.evaluate);
  if (app.got_subcommand("policy")) return policy_command(options.policy);
  if (app.got_subcommand("exact")) return exact_command(options.exact);
  if (app.got_subcommand("bench")) return bench_command(options.bench);
  if (app.got_subcommand("report")) return report_command(options.report);
  if (app.got_subcommand("serve")) return serve_command(options.serve);
  return reproduce_command(options.reproduce);
}

// CLI11 has a separate status for every kind of mistake; here all of them are bad input.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, int count, char** arguments) {
  if (error.get_exit_code() == 0) {  // --help, --version
    std::ostringstream text;
    app.exit(error, text, text);
    print_out(text.str());
    return done;
  }
  std::vector<std::string_view> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
  const std::string_view first = count > 1 ? arguments[1] : "";
  const bool known = std::find(commands.begin(), commands.end(), first) != commands.end();
  if (first.empty())
    show_text(stderr, app.help());
  else if (!known && !first.starts_with('-'))
    print_message(fmt::format("unknown command \"{}\"; did you mean \"{}\"? Accepted: {}", first.substr(0, 80),
                              nearest(first, commands), fmt::join(commands, ", ")));
  else
    print_message(fmt::format("{}; see politex {}--help", error.what(), known ? fmt::format("{} ", first) : ""));
  return bad_input;
}

// Parses the arguments, which all ranks of a job must accept; returns a status if nothing is left to do.
std::optional<int> read_arguments(CLI::App& app, int count, char** arguments, Fleet* fleet) {
  std::optional<int> status;
  together(fleet, [&] {
    try {
      app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
      const bool asked = error.get_exit_code() == 0;  // --help or --version
      if (!asked && !speaks(fleet)) throw ConfigError{"arguments", error.what()};
      status = speaks(fleet) ? report_parse_error(app, error, count, arguments) : done;
      if (!asked && fleet != nullptr) throw Dismissed();  // on every rank
    }
  });
  return status;
}

int run_commands(int count, char** arguments, Fleet* fleet) {
  CLI::App app;
  Options options;
  describe(app, options);
  try {
    if (const auto status = read_arguments(app, count, arguments, fleet)) return *status;
    require_same(fleet, "politex", version_text() + "\ncommand " + app.get_subcommands().front()->get_name());
    return dispatch(app, options, fleet);
  } catch (const Dismissed&) {
    return speaks(fleet) ? bad_input : done;
  } catch (const LostRank& error) {
    if (speaks(fleet)) print_message(error.what());
    return failed;
  } catch (const ConfigError& error) {
    print_message(error.what());
    return bad_input;
  } catch (const std::bad_alloc&) {
    print_message("out of memory");
  } catch (const std::exception& error) {
    print_message(error.what());
  }
  if (!speaks(fleet)) fleet->abandon();  // rank 0 would wait forever
  return failed;
}

int run_program(int count, char** arguments) {
  std::unique_ptr<Fleet> fleet;
  try {
    fleet = mpi::join();
  } catch (const std::exception& error) {
    if (mpi::launched_rank() != 0) return done;
    print_message(error.what());
    return bad_input;
  }
  return run_commands(count, arguments, fleet.get());
}

// If a standard stream is closed, opens /dev/null so that no data file gets its descriptor.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      ::open("/dev/null", O_RDONLY);  // read-only, so that writing still fails with an error
}

/// Before any other code of this program, whose start may contain such an instruction already.
[[gnu::constructor(101)]] void refuse_other_processors() {
  const char* const why = missing_instructions();
  if (why == nullptr) return;
  for (const std::string_view text : {std::string_view("politex: "), std::string_view(why), std::string_view("\n")})
      [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(bad_input);
}

// Without memory nothing else may be possible.
void say_out_of_memory() {
  constexpr std::string_view text = "politex: out of memory\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

// A destructor of a library may need memory, and cannot say so. What is on disk is complete at any time.
[[noreturn]] void end_at_once() {
  if (const auto error = std::current_exception()) try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      say_out_of_memory();
      ::_exit(1);
    } catch (...) {
    }
  constexpr std::string_view text = "politex: ended by an internal error; the files are as of the last checkpoint\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

/// Without memory for the variables of libraries, which are made before main().
[[gnu::constructor(102)]] void say_what_ended_us() { std::set_terminate(end_at_once); }

}  // namespace

int program(int count, char** arguments, std::span<const EnvironmentEntry* const> environments) {
  open_standard_streams();
  // Makes a closed pipe an error of the write. Unlike SIG_IGN, a handler is not inherited by programs that we start.
  std::signal(SIGPIPE, [](int) {});
#ifdef __GLIBC__
  // Keeps freed memory for the next run of a sweep: returning it to the system costs more than the records of a short
  // run.
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
  mallopt(M_TRIM_THRESHOLD, 128 * mebibyte);
#endif
  // Makes a write beyond the file-size limit an error instead of a deadly signal.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    bring_environments(environments);
    return run_program(count, arguments);
  } catch (const ConfigError& error) {  // of an environment that was brought
    print_message(error.what());
    return bad_input;
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
    return 1;
  } catch (...) {  // e.g. standard error could not be written
    return 1;
  }
}

}  // namespace politex::cli

namespace politex {

int main_with(int count, char** arguments, std::initializer_list<const EnvironmentEntry*> environments) {
  return cli::program(count, arguments, {environments.begin(), environments.size()});
}

}  // namespace politex
