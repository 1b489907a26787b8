// Feature maps of finite models: their definitions, and error messages that name the invalid entry of a file.
#include "politex/features/features.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "politex/base/error.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/features_file.hpp"
#include "politex/features/tabular.hpp"
#include "value/recorded.hpp"

namespace politex {
namespace {

using namespace politex::testing;

/// Checks that dot and values are plain inner products and that the structure is correct.
void expect_consistent(const std::string& name, const Features& features, int pairs) {
  Rng rng(1);
  std::vector<double> w(static_cast<std::size_t>(features.dimension())), q(static_cast<std::size_t>(pairs));
  for (double& each : w) each = rng.uniform() - 0.5;
  const Eigen::Map<const Vector> weights(w.data(), static_cast<Eigen::Index>(w.size()));
  features.values(w, q);
  const FeatureStructure structure = features.structure();
  ASSERT_EQ(structure.dimension(), features.dimension()) << name;
  ASSERT_EQ(features.slots() * features.actions, pairs) << name;
  for (int pair = 0; pair < pairs; ++pair) {
    const Vector psi = dense_psi(features, pair);
    EXPECT_NEAR(features.dot(pair, w), psi.dot(weights), 1e-14) << name;
    EXPECT_NEAR(q[static_cast<std::size_t>(pair)], psi.dot(weights), 1e-14) << name;
    int blocks_on = 0;
    for (int block = 0; block < structure.blocks; ++block) {
      const auto part = psi.segment(block * structure.width, structure.width);
      blocks_on += part.cwiseAbs().maxCoeff() > 0.0;
      EXPECT_LE((part.head(structure.exclusive).array() != 0.0).count(), 1) << name << ", pair " << pair;
    }
    EXPECT_LE(blocks_on, 1) << name << ", pair " << pair;
  }
}

TEST(Features, MatchTheirStructure) {
  for (const Case& each : cases()) expect_consistent(each.name, each.features, each.model.pairs());
}

TEST(Features, TabularIsTheIdentity) {
  const FiniteModel model = garnet_model({.states = 5, .actions = 3, .branching = 2, .model_seed = 1});
  const Features features = tabular_features(model);
  ASSERT_EQ(features.dimension(), 15);
  for (int x = 0; x < 5; ++x)
    for (int a = 0; a < 3; ++a) EXPECT_EQ(dense_psi(features, model.pair(x, a)), Vector::Unit(15, a * 5 + x));
}

TEST(Features, AdditiveHasOneIndicatorPerRowAndColumnOfDeepSea) {
  for (const int n : {2, 3, 7}) {
    const Features features = additive_features(deep_sea_model(DeepSea(n)));
    ASSERT_EQ(features.dimension(), 4 * n);
    EXPECT_TRUE(features.two_indicators);
    Matrix all(2 * n * n, 4 * n);
    for (int pair = 0; pair < 2 * n * n; ++pair) {
      const int row = pair / 2 / n, column = pair / 2 % n, block = (pair % 2) * 2 * n;
      EXPECT_EQ(dense_psi(features, pair), Vector::Unit(4 * n, block + row) + Vector::Unit(4 * n, block + n + column));
      all.row(pair) = dense_psi(features, pair).transpose();
    }
    EXPECT_EQ(all.fullPivLu().rank(), 4 * n - 2);
  }
}

TEST(Features, AdditiveNeedsAtLeastOneAxis) {
  FiniteModel model = aliased_garnet(1);
  const Features three = additive_features(model);
  EXPECT_EQ(three.rows.columns, 3 + 2 + 2);
  EXPECT_FALSE(three.two_indicators);
  model.axes.resize(1);
  const Features one = additive_features(model);
  EXPECT_EQ(one.rows.columns, 3);
  EXPECT_EQ(one.exclusive, 3);
  model.axes.clear();
  try {
    additive_features(model);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "features.name");
    EXPECT_NE(std::string(error.what()).find(model.name), std::string::npos);
  }
}

FiniteModel two_by_three() { return garnet_model({.states = 2, .actions = 3, .branching = 1, .model_seed = 1}); }

TEST(Features, FilesGiveARowPerState) {
  const Features features = parse_features(R"({"features": [[1, 0, -2.5], [0, 1e-3, 4]]})", "f.json", two_by_three());
  ASSERT_EQ(features.dimension(), 9);
  EXPECT_EQ(dense_psi(features, 0), (Vector(9) << 1, 0, -2.5, 0, 0, 0, 0, 0, 0).finished());
  EXPECT_EQ(dense_psi(features, 5), (Vector(9) << 0, 0, 0, 0, 0, 0, 0, 1e-3, 4).finished());
  expect_consistent("file per state", features, 6);
}

TEST(Features, FilesGiveARowPerPair) {
  const Features features =
      parse_features(R"({"features": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 0]]})", "f.json", two_by_three());
  ASSERT_EQ(features.dimension(), 2);
  for (int pair = 0; pair < 6; ++pair)
    EXPECT_EQ(dense_psi(features, pair), Eigen::Vector2d(2 * pair + 1, pair == 5 ? 0 : 2 * pair + 2));
  expect_consistent("file per pair", features, 6);
}

std::string refusal(const std::string& text) {
  try {
    parse_features(text, "f.json", two_by_three());
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "f.json");
    return error.what();
  }
  return "accepted";
}

TEST(Features, ErrorsNameTheInvalidEntryOfAFile) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(refusal(text).find(part), std::string::npos) << text << " -> " << refusal(text);
  };
  expect("", "JSON");
  expect(R"({"features": [[1, 2], [3)", "JSON");
  expect("[[1], [2]]", "features");
  expect(R"({"feature": [[1], [2]]})", "features");
  expect(R"({"features": 3})", "features");
  expect(R"({"features": []})", "0 rows");
  expect(R"({"features": [[1], [2], [3]]})", "3 rows; accepted: 2 (one per state) or 6");
  expect(R"({"features": [[1, 2], [3]]})", "features[1]");
  expect(R"({"features": [[], []]})", "features[0]");
  expect(R"({"features": [1, 2]})", "features[0]");
  expect(R"({"features": [[1, 2], [3, "x"]]})", "features[1][1]");
  expect(R"({"features": [[null, 2], [3, 4]]})", "features[0][0]");
  expect(R"({"features": [[1, 2], [true, 4]]})", "features[1][0]");
  expect(R"({"features": [[1, 2], [1e999, 4]]})", "JSON");
  expect(R"({"features": [[1, 2], [NaN, 4]]})", "JSON");
}

TEST(Features, AreReadFromAFileAndAMissingFileIsReported) {
  const auto path = std::filesystem::path(::testing::TempDir()) / fmt::format("politex_features_{}.json", getpid());
  std::ofstream(path) << R"({"features": [[1], [2]]})";
  EXPECT_EQ(read_features(path.string(), two_by_three()).dimension(), 3);
  std::filesystem::remove(path);
  try {
    read_features(path.string(), two_by_three());
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "features.file");
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
}

}  // namespace
}  // namespace politex
