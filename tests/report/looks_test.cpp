// A curve has the same look on the page (report.js), in figures for print (page/plot.cpp) and in plain drawings.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "politex/page/plot.hpp"
#include "politex/report/assets.hpp"

namespace politex {
namespace {

/// The entries of `const looks = [['#0072B2'], ['ink', [7, 4]], ...]`: a colour, and whether it is dashed.
std::vector<std::pair<std::string, bool>> looks_of_the_page() {
  const std::string script(report_js().text);
  const std::size_t begin = script.find("const looks = [");
  const std::string list = script.substr(begin, script.find(";", begin) - begin);
  const std::regex entry(R"(\['(#[0-9A-F]{6}|ink)'(, \[[0-9, ]+\])?\])");
  std::vector<std::pair<std::string, bool>> looks;
  for (auto found = std::sregex_iterator(list.begin(), list.end(), entry); found != std::sregex_iterator(); ++found)
    looks.emplace_back((*found)[1] == "ink" ? "#000000" : (*found)[1].str(), (*found)[2].matched);
  return looks;
}

TEST(Looks, ThePageAndTheFiguresForPrintHaveOnePalette) {
  const auto page = looks_of_the_page();
  ASSERT_EQ(page.size(), different_looks);
  for (std::size_t i = 0; i < page.size(); ++i) {
    EXPECT_EQ(page[i].first, look(i).colour) << i;
    EXPECT_EQ(page[i].second, look(i).dashed) << i;
  }
}

}  // namespace
}  // namespace politex
