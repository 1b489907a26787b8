// Keys that are bound to options: defaults, ranges, forms of a value, and reading options back.
#include "politex/settings/key.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/settings/values.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

struct Inner {
  double rate = 0.5;
};
struct Options {
  enum class Mode { slow, fast };
  int size = 20;
  Mode mode = Mode::slow;
  Length length = Length::steps(3);
  bool loud = false;
  std::string name = "x";
  Value step = 0.1;
  Inner inner;
};

Keys all_keys() {
  return {key<&Options::size>("a.size", "size", whole(2, 1000)),
          key<&Options::mode>("a.mode", "mode", word({{"slow", "s"}, {"fast", "f"}})),
          key<&Options::length>("a.length", "length", length()),
          key<&Options::loud>("a.loud", "loud", flag()),
          key<&Options::name>("a.name", "name", text()),
          key<&Options::step>("a.step", "step", number_above_or(0, {{"theory", "t"}})),
          key<[](Options& o) -> double& { return o.inner.rate; }>("a.rate", "rate", number_above(0, 1))};
}

std::string refusal(const Key& key, const Value& value) {
  try {
    checked(key, value);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Key, TheDefaultIsThatOfTheOptions) {
  const Keys keys = all_keys();
  EXPECT_EQ(keys[0].fallback, Value(20));
  EXPECT_EQ(keys[1].fallback, Value("slow"));
  EXPECT_EQ(keys[2].fallback, Value("3"));
  EXPECT_EQ(keys[6].fallback, Value(0.5));
  EXPECT_EQ(keys[0].table(), "a");
  EXPECT_EQ(keys[0].word(), "size");
}

TEST(Key, OptionsAreReadFromValuesAndDefaults) {
  const Keys keys = all_keys();
  Values values;
  values.set(keys[1], checked(keys[1], "fast"));
  values.set(keys[2], checked(keys[2], "3N/4"));
  values.set(keys[5], checked(keys[5], "theory"));
  values.set(keys[6], checked(keys[6], 1));
  const auto options = read<Options>(keys, values);
  EXPECT_EQ(options.size, 20);
  EXPECT_EQ(options.mode, Options::Mode::fast);
  EXPECT_EQ(options.length.resolve(20), 15);
  EXPECT_EQ(options.step, Value("theory"));
  EXPECT_EQ(options.inner.rate, 1.0);
  EXPECT_EQ(read<Inner>(keys, values).rate, 0.5) << "keys of other options are not read";
}

TEST(Key, RefusalsNameKeyValueAndWhatIsAccepted) {
  const Keys keys = all_keys();
  EXPECT_EQ(refusal(keys[0], 1e3), "accepted");  // a whole number, however it is written
  EXPECT_THAT(refusal(keys[0], 1), HasSubstr("a.size: 1 is not accepted; accepted: a whole number from 2 to 1000"));
  EXPECT_THAT(refusal(keys[0], 2.5), HasSubstr("not a whole number"));
  EXPECT_THAT(refusal(keys[1], "fats"), HasSubstr("did you mean \"fast\"? accepted: one of slow, fast"));
  EXPECT_THAT(refusal(keys[2], "8M"), HasSubstr("a.length"));
  EXPECT_THAT(refusal(keys[3], 1), HasSubstr("true or false"));
  EXPECT_THAT(refusal(keys[5], "practice"), HasSubstr("a number above 0, or \"theory\""));
  EXPECT_THAT(refusal(keys[6], 0), HasSubstr("above 0 and at most 1"));
  EXPECT_THAT(refusal(keys[4], std::string("a\x1b[31m\0b", 8)), HasSubstr("\"a?[31m?b\"")) << "nothing moves a cursor";
}

TEST(Key, TextsComeBackAsTheirValues) {
  const Keys keys = all_keys();
  EXPECT_EQ(value_from_text(keys[0], "1_000"), Value(1000));
  EXPECT_EQ(value_from_text(keys[3], "true"), Value(true));
  EXPECT_EQ(value_from_text(keys[4], "'a b'"), Value("a b"));
  EXPECT_EQ(value_text(keys[4], "a \"b\""), "\"a \\\"b\\\"\"");
  EXPECT_EQ(value_text(keys[2], "8N"), "\"8N\"");
  EXPECT_EQ(value_text(keys[2], "12"), "12");
}

}  // namespace
}  // namespace politex
