#include "politex/run/shipped.hpp"

#include <algorithm>

namespace politex::inline run {

const Experiment* find_experiment(std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  constexpr std::string_view directory = "experiments/";
  if (path.starts_with(directory)) path.remove_prefix(directory.size());
  const auto found = std::ranges::find(experiments(), path, &Experiment::name);
  return found != experiments().end() ? &*found : nullptr;
}

}  // namespace politex::inline run
