// Hand-written run directories for tests of reports.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "record/test_files.hpp"

namespace politex {

class ReportTest : public testing::Test {
 protected:
  ReportTest() : root_(std::filesystem::path(testing::TempDir()) / fmt::format("politex_report_{}", getpid())) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~ReportTest() override { std::filesystem::remove_all(root_); }

  /// A run whose phases all cost `cost` per step.
  void make_run_directory(const std::string& name, int size, const std::string& algorithm, int seed, double cost,
                          int phases = 100, bool finished = true) {
    write_text(
        root_ / name / "config.toml",
        fmt::format("steps = {}\nseed = {}\n\n[environment]\nname = \"deep_sea\"\nsize = {}\n\n[algorithm]\nname = "
                    "\"{}\"\neta = 0.5\n\n[exact]\nevery = 0\n",
                    100 * phases, seed, size, algorithm));
    std::string rows = "phase,steps,average_cost,phase_average_cost,regret\n";
    for (int i = 1; i <= phases; ++i)
      rows += fmt::format("{},{},{},{},{}\n", i, 100 * i, cost, cost, 100 * i * (cost + 1.5));
    write_text(root_ / name / "progress.csv", rows);
    if (finished) {
      write_text(
          root_ / name / "summary.json",
          fmt::format("{{\"steps\": {}, \"average_cost\": {}, \"average_cost_last_tenth\": {}, \"optimal_gain\": -1.5, "
                      "\"final_policy\": {{\"gain_from_start\": null}}, \"signature\": \"abc\"}}",
                      100 * phases, cost, cost));
    }
  }

  std::filesystem::path root_;
};

}  // namespace politex
