// The program `politex` with two environments of one's own: run, sweep, exact, report and serve know "shop" and
// "heater".
#include "entries.hpp"
#include "politex/apps/main_with.hpp"

int main(int count, char** arguments) {
  const auto environments = {&shop_entry(), &heater_entry()};
  return politex::main_with(count, arguments, environments);
}
