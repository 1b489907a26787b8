#include "../cli/program.hpp"

int main(int count, char** arguments) { return politex::cli::program(count, arguments); }
