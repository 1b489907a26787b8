// Bad input to the real program: status 2, a helpful message, nothing on standard output, nothing written.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <random>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;

class BadInput : public ProgramTest {
 protected:
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& expected) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.out, "");
    for (const std::string& part : expected) EXPECT_THAT(ended.err, HasSubstr(part));
    EXPECT_LT(ended.err.size(), 2000u);
    EXPECT_TRUE(written().empty()) << written().front();
  }
  std::string good() { return given("good.toml", "steps = 2000\n[environment]\nsize = 5\n"); }
};

TEST_F(BadInput, Settings) {
  const std::string file = good();
  expect_refused({"run", file, "algorithm.etta=0.1"}, {"algorithm.etta", "did you mean algorithm.eta?"});
  expect_refused({"run", file, "algorithm.name=ee_politix"},
                 {"algorithm.name", "\"ee_politix\"", "did you mean \"ee_politex\"?", "rlsvi"});
  expect_refused({"run", file, "steps=-5"}, {"steps: -5", "from 1 to"});
  expect_refused({"run", file, "eta=nan"}, {"algorithm.eta: nan", "a number above 0"});
  expect_refused({"run", file, "eta=-inf"}, {"algorithm.eta: -inf"});
  expect_refused({"run", file, "size=1"}, {"environment.size: 1", "from 2"});
  expect_refused({"run", file, "explore=100000"}, {"schedule.explore: 100000"});
  expect_refused({"run", file, "seed=abc"}, {"seed: \"abc\"", "a whole number"});
  for (const char* seed : {"-1", "9007199254740992", "9007199254740993"})
    expect_refused({"run", file, std::string("seed=") + seed}, {"seed", seed, "from 0 to 9007199254740991"});
  expect_refused({"run", file, "steps"}, {"key=value"});
  expect_refused({"run", file, "epsilon=0.1"}, {"algorithm.epsilon", "lspi"});
  expect_refused({"run", file, "explorer.name=file"}, {"explorer.file"});
  expect_refused({"run", file, "explorer.name=file", "explorer.file=nowhere.json"}, {"explorer.file", "nowhere.json"});
  expect_refused({"run", file, "schedule.kind=theory"}, {"steps"});
  expect_refused({"run", file, "eta=nan", "--json"}, {"algorithm.eta"});
  expect_refused({"run", file, "eta=nan", "--out", "there"}, {"algorithm.eta"});
}

TEST_F(BadInput, KeysInTheFile) {
  expect_refused({"run", given("a.toml", "steps = 100\n[algorithm]\netta = 0.1\n")},
                 {"given-a.toml:3:8", "algorithm.etta", "did you mean algorithm.eta?"});
  expect_refused({"run", given("b.toml", "steps = \"many\"\n")},
                 {"given-b.toml:1:9", "steps: \"many\"", "a whole number"});
  expect_refused({"run", given("c.toml", "[enviromnent]\nsize = 5\n")}, {"environment"});
}

TEST_F(BadInput, FilesThatAreNotConfigurations) {
  std::mt19937_64 draw(1);
  std::string noise(1 << 20, ' ');
  for (char& c : noise) c = static_cast<char>(draw());
  expect_refused({"run", given("noise.toml", noise)}, {"given-noise.toml:", "UTF-8"});
  expect_refused({"run", given("truncated.toml", "steps = 100\n[environment]\nname = \"deep_s")},
                 {"given-truncated.toml:3", "TOML"});
  expect_refused({"run", given("bom.toml", "steps\xEF\xBB\xBD = 1")}, {"given-bom.toml:1:6"});
  expect_refused({"run", given("bom2.toml", "\xEF\xBB\xBD")}, {"given-bom2.toml:1:1"});
  expect_refused({"run", given("nul.toml", std::string("steps = 1\0", 10))}, {"0x00"});
  expect_refused({"run", given("large.toml", std::string(2 << 20, '\n'))}, {"too large"});
  expect_refused({"run", "."}, {"directory"});
  expect_refused({"run", "nowhere.toml"}, {"nowhere.toml", "no such file"});
  expect_refused({"run"}, {"FILE"});
}

TEST_F(BadInput, EnvironmentFiles) {
  const std::string mdp =
      given("row.json", R"({"states": 2, "actions": 1, "transitions": [[0,0,1,0.9],[1,0,0,1.0]], "costs": [[0],[1]]})");
  expect_refused({"run", good(), "environment.name=finite_mdp", "environment.file=" + mdp}, {"given-"});
  expect_refused({"run", given("mdp.toml", "[environment]\nname = \"finite_mdp\"\nfile = \"" + mdp + "\"\n")}, {"0.9"});
  expect_refused({"exact", "finite_mdp", "file=" + mdp}, {"0.9"});
  expect_refused({"exact", "finite_mdp", "file=" + given("cut.json", R"({"states": 2, "act)")}, {"given-cut.json"});
  expect_refused({"exact", "finite_mdp", "file=."}, {"directory"});
  expect_refused({"exact", "finite_mdp", "file=nowhere.json"}, {"nowhere.json"});
  expect_refused({"exact", "finite_mdp"}, {"environment.file"});
}

TEST_F(BadInput, ExactAndOtherCommands) {
  expect_refused({"exact", "deep_see"}, {"deep_sea"});
  expect_refused({"exact", "cartpole"}, {"cartpole", "finite"});
  expect_refused({"exact", "garnet", "states=1000000", "actions=100", "branching=50"},
                 {"environment.states", "GB", "accepted"});
  expect_refused({"exact", "deep_sea", "siez=5"}, {"siez", "environment.size"});
  expect_refused({"exact", "deep_sea", "algorithm.eta=5"}, {"algorithm.eta", "[environment]"});
  expect_refused({"exact", "deep_sea", "states=5"}, {"environment.states", "garnet"});
  expect_refused({"exact", "deep_sea", "size=5", "--policy", "always:2"}, {"--policy", "always:1"});
  expect_refused({"exact", "deep_sea", "size=5", "--policy", "optimum"}, {"--policy", "optimal"});
  expect_refused(
      {"exact", "deep_sea", "size=2", "--policy", given("p.json", R"({"states":4,"actions":2,"action":[0,0,0]})")},
      {"--policy", "4 entries"});
  expect_refused({"exact"}, {"environment"});
  expect_refused({"list", "algoritms"}, {"algorithms"});
  expect_refused({"reproduce", "deep_see"}, {"deep_sea"});
  expect_refused({"reproduce", "msp"}, {"all"});
  expect_refused({"rnu"}, {"rnu", "did you mean \"run\"?"});
  expect_refused({"run", good(), "--otu", "x"}, {"--otu", "politex run --help"});
  expect_refused({"run", good(), "--out"}, {"--out"});
  expect_refused({"--jsno"}, {"politex --help"});
  expect_refused({}, {"Examples"});
  expect_refused({"run", "--resume", "nowhere"}, {"nowhere"});
  expect_refused({"run", "--resume", "."}, {"config.toml"});
}

TEST_F(BadInput, InvalidSeconds) {
  for (const char* text : {"-1", "nan", "soon", "1s"})
    expect_refused({"run", good(), "--checkpoint-seconds", text}, {"--checkpoint-seconds", text, "0 or more"});
}

TEST_F(BadInput, OptionsThatAreNotWholeNumbers) {
  for (const char* text : {"0", "-1", "1.5", "many", "1000001", "99999999999999999999", ""})
    expect_refused({"sweep", good(), "--seeds", text, "--out", "x"}, {"--seeds", text, "a whole number, 1 to 1000000"});
  for (const char* text : {"0", "-2", "2x"})
    expect_refused({"sweep", good(), "--seeds", "2", "--out", "x", "--tune", text}, {"--tune", text, "1 to"});
  expect_refused({"sweep", good(), "--seeds", "2", "--out", "x", "--jobs", "-1"}, {"--jobs", "-1", "0 to 4096"});
  for (const char* text : {"0", "1", "1001"})
    expect_refused({"reproduce", "deep_sea", "--seeds", text, "--out", "x"}, {"--seeds", text, "2 to 1000"});
  expect_refused({"reproduce", "all", "--seeds", "1"}, {"--seeds", "2 to 1000"});
  for (const char* text : {"abc", "65536", "-1"})
    expect_refused({"serve", ".", "--port", text}, {"--port", text, "0 to 65535"});
  // It always is read-only: the flag is accepted, and the host is what is refused.
  expect_refused({"serve", ".", "--read-only", "--host", "192.0.2.1"}, {"--host", "an address of this machine"});
  expect_refused({"serve", ".", "--host", "192.0.2.1"}, {"--host", "192.0.2.1:8080", "an address of this machine"});
}

TEST_F(BadInput, EmptyPaths) {
  for (const char* option : {"--out", "--resume"}) expect_refused({"run", good(), option, ""}, {option, "a path"});
  expect_refused({"sweep", good(), "--seeds", "2", "--out", ""}, {"--out", "a path"});
  expect_refused({"reproduce", "deep_sea", "--out", ""}, {"--out", "a path"});
  expect_refused({"report", ".", "--out", ""}, {"--out", "a path"});
  expect_refused({"explore", good(), "--out", ""}, {"--out", "a path"});
}

TEST_F(BadInput, OutputThatIsAFile) {
  expect_refused({"run", good(), "--out", good()}, {"--out", "not a directory"});
  expect_refused({"reproduce", "deep_sea", "--quick", "--out", good()}, {"--out", "not a directory"});
}

TEST_F(BadInput, AFullDiskIsReportedBeforeTheFirstStep) {
  const fs::path disk = work_ / "given-disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "this test needs to mount a tmpfs";
  {
    std::ofstream fill(disk / "given-fill", std::ios::binary);
    fill << std::string(64 << 10, 'x');
  }
  const Ended ended = run({"run", good(), "steps=1000000000000", "--out", "given-disk/run"});
  EXPECT_EQ(ended.status, 1);  // the input is valid
  EXPECT_THAT(ended.err, HasSubstr("the disk is full"));
  EXPECT_FALSE(fs::exists(disk / "run"));
  ::umount(disk.c_str());
}

}  // namespace
}  // namespace politex::cli
