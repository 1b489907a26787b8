// Rows printed by a separate thread: the same bytes as without it, and failures that reach the caller.
#include "politex/record/row_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/no_threads.hpp"
#include "politex/base/error.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

/// Writes enough blocks for the thread and compares the file with the rows printed one by one.
bool many_blocks_are_right() {
  std::string name = (fs::temp_directory_path() / "politex-rows-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  std::string expected = "a,b,c\n";
  NumberPrinter printer;
  bool right = true;
  {
    RowWriter writer(OutputFile(root / "rows.csv", 0), 3);
    writer.text("a,b,c\n");
    for (int i = 0; i < 30'000; ++i) {
      const std::vector<double> cells = {static_cast<double>(i), 1.0 / (i + 1), -0.1 * i};
      std::array<char, most_csv_bytes(3)> line;
      expected.append(line.data(), print_csv_row(cells, printer, line.data()));
      writer.row(cells);
      if (i % 7001 == 0) {
        writer.flush();
        right = right && writer.size() == static_cast<std::int64_t>(expected.size());
      }
    }
  }
  right = right && bytes_of(root / "rows.csv") == expected;
  fs::remove_all(root);
  return right;
}

TEST(RowWriter, ManyBlocksKeepTheirOrderAndBytes) { EXPECT_TRUE(many_blocks_are_right()); }

TEST(RowWriter, NeedsNoThread) {
  const auto outcome = without_threads([] { return many_blocks_are_right() ? 0 : 1; });
  if (!outcome) GTEST_SKIP() << "this process may not become another user";
  EXPECT_EQ(*outcome, 0);
}

TEST(RowWriter, AFailureOfTheThreadReachesTheCaller) {
  std::string name = (fs::temp_directory_path() / "politex-rows-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  RowWriter writer(OutputFile(root / "rows.csv", 0), 2);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{400'000, before.rlim_max};  // the first blocks are printed without the thread
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::vector<double> cells = {0.1, 0.2};
  EXPECT_THROW(
      {
        for (int i = 0; i < 200'000; ++i) writer.row(cells);
        writer.flush();
      },
      Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  fs::remove_all(root);
}

}  // namespace
}  // namespace politex
