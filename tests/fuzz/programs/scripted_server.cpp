// An environment server that answers what its script says, whatever it is asked (environment_protocol.cpp). The script
// is its argument, in hexadecimal digits: a list of deeds, each a byte that says what, a byte that says how many bytes
// belong to it, and these bytes.
//   0 to 3   answer with these bytes
//   4, 5     say these bytes, and go on to the next deed
//   6        the first two bytes are a place in the shared memory, where the others are written
//   7        answer with 65,536 bytes
//   8        end
//   9        answer with an empty message
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

std::string from_digits(std::string_view digits) {
  std::string bytes;
  for (; digits.size() > 1; digits.remove_prefix(2))
    bytes += static_cast<char>(std::strtol(std::string(digits.substr(0, 2)).c_str(), nullptr, 16));
  return bytes;
}

struct SharedBytes {
  char* at = nullptr;
  std::size_t size = 0;

  void open(std::string_view layout) {
    if (at != nullptr || !layout.starts_with("memory ")) return;
    size = static_cast<std::size_t>(std::strtoull(std::string(layout.substr(7)).c_str(), nullptr, 10));
    void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (mapped == MAP_FAILED) _exit(1);
    at = static_cast<char*>(mapped);
  }
  void write(std::string_view text) const {
    if (at == nullptr || text.size() < 3) return;
    const std::size_t place = 256U * static_cast<unsigned char>(text[0]) + static_cast<unsigned char>(text[1]);
    for (std::size_t i = 2; i < text.size(); ++i) at[(place + i - 2) % size] = text[i];
  }
};

void say(std::string_view text) { send(3, text.data(), text.size(), MSG_NOSIGNAL); }

}  // namespace

int main(int count, char** arguments) {
  const std::string bytes = from_digits(count > 1 ? arguments[1] : "");
  std::string_view script = bytes;
  std::array<char, 65536> message{};
  SharedBytes memory;
  while (true) {
    const ssize_t got = recv(3, message.data(), message.size(), 0);
    if (got <= 0) return 0;
    memory.open({message.data(), static_cast<std::size_t>(got)});
    for (bool answered = false; !answered;) {
      if (script.size() < 2) return 0;
      const int kind = static_cast<unsigned char>(script[0]) % 10;
      const std::string_view text = script.substr(2, static_cast<unsigned char>(script[1]));
      script.remove_prefix(2 + text.size());
      answered = kind < 4 || kind > 6;
      if (kind < 6) say(text);
      if (kind == 6) memory.write(text);
      if (kind == 7) say({message.data(), message.size()});
      if (kind == 8) return 3;
      if (kind == 9) say("");
    }
  }
}
