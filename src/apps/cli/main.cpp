// The program `politex`.
#include <fmt/format.h>

int main() {
  fmt::print("politex\n");
  return 0;
}
