#include "politex/exact/recurrence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/rng.hpp"
#include "politex/exact/chain.hpp"

namespace politex::exact {
namespace {

constexpr double policies_to_try = 20'000;  // up to this number, every policy is tried
constexpr int random_policies = 16;

/// The pairs that lead to each state.
SparseRows predecessors(const FiniteModel& model) {
  std::vector<std::vector<int>> into(model.states);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      if (model.probability[e] > 0.0) into[model.next[e]].push_back(pair);
    }
  }
  SparseRows rows;
  rows.columns = model.pairs();
  for (const auto& pairs : into) {
    for (const int pair : pairs) rows.append(pair, 1.0);
    rows.end_row();
  }
  return rows;
}

class Search {
 public:
  explicit Search(const FiniteModel& model) : model_(model), into_(predecessors(model)) {}

  // The largest set of states in which some policy can stay forever without visiting `avoided`: an action that stays
  // for each of its states, -1 elsewhere.
  std::vector<int> refuge(const std::vector<char>& avoided) const {
    std::vector<int> usable(model_.states, model_.actions), lost;
    std::vector<char> spoiled(model_.pairs(), 0), gone(avoided);
    for (int x = 0; x < model_.states; ++x) {
      if (gone[x] != 0) lost.push_back(x);
    }
    while (!lost.empty()) {
      const int y = lost.back();
      lost.pop_back();
      for (const int pair : into_.indices(y)) {
        const int x = pair / model_.actions;
        if (std::exchange(spoiled[pair], 1) != 0 || gone[x] != 0 || --usable[x] > 0) continue;
        gone[x] = 1;
        lost.push_back(x);
      }
    }
    std::vector<int> action(model_.states, -1);
    for (int x = 0; x < model_.states; ++x) {
      for (Action a = 0; a < model_.actions && gone[x] == 0 && action[x] < 0; ++a) {
        if (spoiled[model_.pair(x, a)] == 0) action[x] = a;
      }
    }
    return action;
  }

  // Tries one more policy: it is a witness if it has two classes or if its class can be avoided; otherwise every
  // certificate must belong to its class.
  bool is_witness(std::vector<int> actions, SingleClass& result) {
    const auto classes = recurrent_classes(chain_of(model_, deterministic_policy(model_, actions)));
    if (classes.count > 1) return conclude(std::move(actions), classes, result);
    std::vector<char> home(model_.states, 0);
    for (int x = 0; x < model_.states; ++x) {
      home[x] = classes.of[x] == 0 ? 1 : 0;
      if (!candidates_.empty()) candidates_[x] &= home[x];
    }
    if (candidates_.empty()) candidates_ = home;
    const std::vector<int> away = refuge(home);
    if (std::ranges::max(away) < 0) return false;
    for (int x = 0; x < model_.states; ++x) {
      if (away[x] >= 0) actions[x] = away[x];
    }
    const auto both = recurrent_classes(chain_of(model_, deterministic_policy(model_, actions)));
    return conclude(std::move(actions), both, result);
  }

  // Each candidate is a certificate, or is avoided by a policy whose class then excludes it.
  bool certify(SingleClass& result) {
    for (int x = 0; x < model_.states; ++x) {
      if (candidates_[x] == 0) continue;
      std::vector<char> alone(model_.states, 0);
      alone[x] = 1;
      std::vector<int> away = refuge(alone);
      if (std::ranges::max(away) < 0) {
        result = {.answer = Answer::yes, .certificate = x, .witness = {}};
        return true;
      }
      for (int& a : away) a = std::max(a, 0);
      if (is_witness(std::move(away), result)) return true;
    }
    return false;
  }

  bool try_all(SingleClass& result) {
    if (model_.states * std::log(static_cast<double>(model_.actions)) > std::log(policies_to_try)) return false;
    std::vector<int> actions(model_.states, 0);
    for (int x = 0; x < model_.states;) {
      if (is_witness(actions, result)) return true;
      for (x = 0; x < model_.states && ++actions[x] == model_.actions; ++x) actions[x] = 0;
    }
    result.answer = Answer::yes;
    return true;
  }

 private:
  bool conclude(std::vector<int> actions, const Classes& classes, SingleClass& result) const {
    result = {.answer = Answer::no, .certificate = -1, .witness = std::move(actions)};
    result.first_home = static_cast<int>(std::ranges::find(classes.of, 0) - classes.of.begin());
    result.second_home = static_cast<int>(std::ranges::find(classes.of, 1) - classes.of.begin());
    return true;
  }

  const FiniteModel& model_;
  SparseRows into_;
  std::vector<char> candidates_;  // states in the recurrent class of every policy tried so far
};

}  // namespace

EndComponents end_components(const FiniteModel& model) {
  EndComponents result{.count = 0, .of = std::vector<int>(model.states, 0), .inside = {}};
  result.inside.assign(model.pairs(), 1);
  if (model.teleport > 0.0) {
    result.count = 1;
    return result;
  }
  // Repeatedly drop actions that leave their strong component, and states without actions.
  std::vector<int> component;
  for (bool changed = true; changed;) {
    changed = false;
    SparseRows graph;
    graph.columns = model.states;
    for (int x = 0; x < model.states; ++x) {
      for (Action a = 0; a < model.actions; ++a) {
        const int pair = model.pair(x, a);
        if (result.inside[pair] == 0) continue;
        for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
          if (model.probability[e] > 0.0) graph.append(model.next[e], 1.0);
        }
      }
      graph.end_row();
    }
    component = strong_components(graph);
    std::vector<char> kept(model.states, 0);
    for (int pair = 0; pair < model.pairs(); ++pair) kept[pair / model.actions] |= result.inside[pair];
    for (int pair = 0; pair < model.pairs(); ++pair) {
      if (result.inside[pair] == 0) continue;
      for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
        if (model.probability[e] == 0.0) continue;
        const int y = model.next[e];
        if (component[y] == component[pair / model.actions] && kept[y] != 0) continue;
        result.inside[pair] = 0;
        changed = true;
      }
    }
  }
  std::vector<int> number(model.states, -1);
  for (int x = 0; x < model.states; ++x) {
    bool keeps = false;
    for (Action a = 0; a < model.actions; ++a) keeps |= result.inside[model.pair(x, a)] != 0;
    if (keeps && number[component[x]] < 0) number[component[x]] = result.count++;
    result.of[x] = keeps ? number[component[x]] : -1;
  }
  return result;
}

SingleClass single_class(const FiniteModel& model) {
  SingleClass result;
  if (model.teleport > 0.0) return {.answer = Answer::yes, .certificate = 0, .witness = {}};
  Search search(model);
  const EndComponents components = end_components(model);
  std::vector<int> keep(model.states, 0);
  for (int pair = model.pairs() - 1; pair >= 0; --pair) {
    if (components.inside[pair] != 0) keep[pair / model.actions] = pair % model.actions;
  }
  if (search.is_witness(std::move(keep), result)) return result;
  for (Action a = 0; a < model.actions; ++a) {
    if (search.is_witness(std::vector<int>(model.states, a), result)) return result;
  }
  Rng rng{0, Use::model, 1};
  for (int k = 0; k < random_policies; ++k) {
    std::vector<int> actions(model.states);
    for (int& a : actions) a = static_cast<int>(rng.below(static_cast<std::uint64_t>(model.actions)));
    if (search.is_witness(std::move(actions), result)) return result;
  }
  if (search.certify(result) || search.try_all(result)) return result;
  return result;
}

}  // namespace politex::exact
