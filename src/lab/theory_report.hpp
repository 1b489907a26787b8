// The pictures and the page of the theory figure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/theory_grid.hpp"
#include "politex/lab/theory_table.hpp"

namespace politex::lab {

struct TheoryPicture {
  std::string name;     // of its files
  std::string caption;  // what is seen
  Plot plot;
};
std::vector<TheoryPicture> theory_pictures(const TheoryTable& table);

struct TheoryReport {
  const TheoryTable& table;
  const TheoryGrid& grid;
  const std::vector<Claim>& claims;
  std::span<const TheoryPicture> pictures;
  std::vector<std::string> drawings;  // the SVG of every picture
  std::string command;
};

/// The whole report.html; the same table gives the same bytes.
std::string theory_html(const TheoryReport& report);

}  // namespace politex::lab
