// What the drivers of tests/interleaved have in common.
#pragma once

#include <gtest/gtest.h>

#include <iostream>

#include "interleaved/sync.hpp"

namespace politex::interleaved {

inline Schedule& schedule() { return *Schedule::current(); }

/// Explores every order of `body`; with the name of a mistake, up to the first problem that it causes.
inline Schedule::Result explored(const std::function<void()>& body, const char* with_mistake = "") {
  mistake() = with_mistake;
  Schedule all;
  Schedule::Result result = all.explore(body);
  mistake() = "";
  return result;
}

/// No order has a problem, whatever the fault that copy.cmake has built in. Prints the number of states.
inline void expect_no_problem(const std::string& name, const std::function<void()>& body, const char* fault = "") {
  const Schedule::Result result = explored(body, fault);
  std::string steps;
  const std::size_t shown = std::min<std::size_t>(result.steps.size(), 80);
  for (std::size_t i = result.steps.size() - shown; i < result.steps.size(); ++i) steps += result.steps[i] + "\n";
  EXPECT_EQ(result.problem, "") << name << "\n" << steps;
  std::cout << name << ": " << result.states << " states, " << result.runs << " runs of at most " << result.longest
            << " steps\n";
}

/// Some order shows the mistake.
inline void expect_found(const char* name, const std::function<void()>& body) {
  const Schedule::Result result = explored(body, name);
  EXPECT_NE(result.problem, "") << "nothing shows the mistake " << name << " in " << result.states << " states";
  std::cout << name << ": " << result.problem << " (run " << result.runs << ")\n";
}

}  // namespace politex::interleaved
