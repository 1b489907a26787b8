// The analytic cartpole compared with MuJoCo, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "politex/env/cartpole.hpp"

#ifdef POLITEX_HAS_MUJOCO
#include <mujoco/mujoco.h>

#include <cstring>

namespace politex {
namespace {

constexpr char model_text[] = R"(<mujoco>
  <option timestep="0.01" integrator="RK4" gravity="0 0 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1">
      <joint name="slider" type="slide" axis="1 0 0" limited="true" range="-1.8 1.8" solreflimit=".08 1" damping="5e-4"/>
      <geom type="box" size=".2 .15 .1" mass="1"/>
      <body>
        <joint type="hinge" axis="0 1 0" damping="2e-6"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size=".045" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slider" gear="10"/></actuator>
</mujoco>)";

class Oracle {
 public:
  Oracle() {
    const std::string text = model_text;
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "cartpole.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    std::array<char, 500> problem{};
    model_ = mj_loadXML("cartpole.xml", files.get(), problem.data(), static_cast<int>(problem.size()));
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(problem.data());
    data_ = mj_makeData(model_);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  ~Oracle() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  void set(const std::array<double, 4>& s) {
    for (int j = 0; j < 2; ++j) data_->qpos[j] = s[static_cast<std::size_t>(j)];
    for (int j = 0; j < 2; ++j) data_->qvel[j] = s[static_cast<std::size_t>(j) + 2];
  }
  std::array<double, 4> step(double control) {
    data_->ctrl[0] = control;
    mj_step(model_, data_);
    return {data_->qpos[0], data_->qpos[1], data_->qvel[0], data_->qvel[1]};
  }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

double gap(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double worst = 0;
  for (std::size_t j = 0; j < 4; ++j) worst = std::max(worst, std::abs(a[j] - b[j]));
  return worst;
}

TEST(CartpoleOracle, WholeEpisodesAwayFromTheRailAgree) {
  Oracle oracle;
  Rng rng(3);
  for (int episode = 0; episode < 5; ++episode) {
    std::array<double, 4> s{0.01 * rng.normal(), std::numbers::pi + 0.01 * rng.normal(), 0, 0};
    oracle.set(s);
    for (int t = 0; t < 1000; ++t) {
      // Pushed towards the middle, so that the cart never reaches the end of the rail; random signs swing the pole.
      const int action = rng.uniform() < 0.3 ? static_cast<int>(rng.below(3)) - 1 : s[0] + 0.3 * s[2] > 0 ? -1 : 1;
      s = cartpole_physics(s, 10.0 * action);
      ASSERT_LE(gap(s, oracle.step(action)), 1e-12) << "step " << t;
      ASSERT_LT(std::abs(s[0]), 1.8);
    }
  }
}

TEST(CartpoleOracle, EveryStepOnTheRailAgrees) {
  Oracle oracle;
  Rng rng(4);
  std::array<double, 4> s{0, std::numbers::pi, 0, 0};
  int on_rail = 0;
  double worst = 0;
  for (int t = 0; t < 20000; ++t) {
    if (t % 1000 == 0) s = {0.01 * rng.normal(), std::numbers::pi, 0, 0};
    const int action = (t / 150) % 2 == 0 ? 1 : rng.uniform() < 0.7 ? -1 : 0;
    oracle.set(s);  // at every step, so that errors do not accumulate
    const bool before = std::abs(s[0]) > 1.8;
    s = cartpole_physics(s, 10.0 * action);
    on_rail += before || std::abs(s[0]) > 1.8 ? 1 : 0;
    worst = std::max(worst, gap(s, oracle.step(action)));
  }
  EXPECT_GT(on_rail, 1000);
  EXPECT_LE(worst, 1e-9);
  RecordProperty("worst", std::to_string(worst * 1e12) + "e-12");
}

}  // namespace
}  // namespace politex
#else
TEST(CartpoleOracle, NeedsMuJoCo) { GTEST_SKIP() << "libmujoco-dev is not installed: the oracle was not asked"; }
#endif
