// An environment server written only from docs/guide/environment-protocol.md: plain C++ without politex. The
// environment: a walker on a ring of `size` places that draws noise; action 1 moves on, action 0 stays; place 0 gives
// reward 1 and ends the episode; the time limit is 50 steps. Arguments make it misbehave:
//   die=N hang=N nan=N reward=N state=N error=N flags=N escape=N (in step N), newline, version=V, babble, mute, wide,
//   size=S, float, nosave;
//   at=K fault=F: what it does with the K-th message that it gets, the greeting is the first: die, leave, hang, stop,
//   pause (stopped and continued), garbage, empty, short, long, twice, flood, deaf (it answers, and no more after
//   that); after=bye: it does not end when the program has left; count=FILE: appends the first word of every message;
// pictures: it renders pictures, a row of the ring; torn=K: the K-th kind of invalid picture
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Walker {
  std::uint64_t random;
  std::int64_t place, age;
};

struct Options {
  long die = -1, hang = -1, nan = -1, reward = -1, state = -1, error = -1, flags = -1, escape = -1, version = 1,
       size = 7, torn = -1;
  long at = -1;
  std::string fault, count;
  bool stays = false;
  bool babble = false, mute = false, wide = false, real = false, save = true, pictures = false, newline = false;
};

struct Memory {
  std::int32_t* actions;
  double *rewards, *scores;
  std::uint8_t* flags;
  char *observations, *last;
};

Options options;

std::uint64_t draw(Walker& walker) {
  walker.random = walker.random * 6364136223846793005ULL + 1442695040888963407ULL;
  return walker.random >> 40;
}

void begin(Walker& walker) {
  walker.place = 1 + static_cast<std::int64_t>(draw(walker) % static_cast<std::uint64_t>(options.size - 1));
  walker.age = 0;
}

void show(const Walker& walker, char* at, std::size_t index) {
  if (!options.real) {
    std::memcpy(at + index * 8, &walker.place, 8);
    return;
  }
  const double angle = 6.283185307179586 * static_cast<double>(walker.place) / static_cast<double>(options.size);
  const float seen[2] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  std::memcpy(at + index * sizeof seen, seen, sizeof seen);
}

long heard = 0;

void send_all(const std::string& words) { send(3, words.data(), words.size(), MSG_NOSIGNAL); }

void say(const std::string& words) {
  if (heard != options.at) return send_all(words);
  const std::string& fault = options.fault;
  if (fault == "garbage") return send_all("\x1b[31m\xff\xfe" + std::string(100, '\x01'));
  if (fault == "empty") return send_all("");
  if (fault == "short") return send_all(words.substr(0, words.size() / 2));
  if (fault == "long") return send_all(words + std::string(50000, 'x'));
  send_all(words);
  if (fault == "twice") send_all(words);
  for (int i = 0; fault == "flood" && i < 10000; ++i) send_all(words + " again");
  if (fault == "deaf")
    for (;;) pause();
}

void misbehave_at_this_message() {
  const std::string& fault = options.fault;
  if (fault == "die") std::abort();
  if (fault == "leave") _exit(0);
  if (fault == "hang")
    for (;;) pause();
  if (fault == "stop") raise(SIGSTOP);
  if (fault != "pause") return;
  const pid_t server = getpid();
  if (fork() == 0) {
    usleep(30'000);
    kill(server, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

std::string hear() {
  std::vector<char> bytes(65536);
  const auto got = recv(3, bytes.data(), bytes.size(), 0);
  for (; got <= 0 && options.stays;) pause();
  if (got <= 0) _exit(0);
  const std::string message(bytes.data(), static_cast<std::size_t>(got));
  if (!options.count.empty()) {
    FILE* file = std::fopen(options.count.c_str(), "a");
    std::fprintf(file, "%s\n", message.substr(0, message.find_first_of(" \n")).c_str());
    std::fclose(file);
  }
  if (++heard == options.at) misbehave_at_this_message();
  return message;
}

long number_after(const std::string& text, const std::string& word) {
  const auto at = ("\n" + text).find("\n" + word + " ");
  return at == std::string::npos ? -1 : std::atol(text.c_str() + at + word.size() + 1);
}

void read_options(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto split = word.find('=');
    const long value = split == std::string::npos ? 0 : std::atol(word.c_str() + split + 1);
    const std::string key = word.substr(0, split);
    if (key == "die") options.die = value;
    if (key == "hang") options.hang = value;
    if (key == "nan") options.nan = value;
    if (key == "reward") options.reward = value;
    if (key == "state") options.state = value;
    if (key == "error") options.error = value;
    if (key == "flags") options.flags = value;
    if (key == "escape") options.escape = value;
    if (key == "version") options.version = value;
    if (key == "size") options.size = value;
    if (key == "torn") options.torn = value;
    if (key == "at") options.at = value;
    if (key == "fault") options.fault = word.substr(split + 1);
    if (key == "count") options.count = word.substr(split + 1);
    options.stays = options.stays || key == "after";
    options.babble = options.babble || key == "babble";
    options.mute = options.mute || key == "mute";
    options.wide = options.wide || key == "wide";
    options.real = options.real || key == "float";
    options.save = options.save && key != "nosave";
    options.newline = options.newline || key == "newline";
    options.pictures = options.pictures || key == "pictures" || key == "torn";
  }
}

void step(std::vector<Walker>& walkers, const Memory& memory) {
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    auto& walker = walkers[i];
    if (memory.actions[i] == 1 || draw(walker) % 10 == 0) walker.place = (walker.place + 1) % options.size;
    const bool home = walker.place == 0, late = ++walker.age == 50;
    memory.rewards[i] = home ? 1.0 : 0.0;
    memory.scores[i] = home ? 100.0 : 0.0;
    memory.flags[i] = static_cast<std::uint8_t>((home ? 1 : 0) + (late && !home ? 2 : 0));
    if (home || late) {
      show(walker, memory.last, i);
      begin(walker);
    }
    show(walker, memory.observations, i);
  }
}

/// Whether the round must still be answered.
bool misbehave(long round, const Memory& memory) {
  const double not_a_number = std::nan("");
  if (round == options.die) std::abort();
  volatile bool hangs = round == options.hang;  // volatile: a compiler may leave out other endless loops
  while (hangs) {
  }
  if (round == options.nan) std::memcpy(memory.observations, &not_a_number, 8);
  if (round == options.reward) memory.rewards[0] = not_a_number;
  if (round == options.state) memset(memory.observations, 0x7f, 8);
  if (round == options.flags) memory.flags[0] = 255;
  if (round == options.error) say("error 0 the walker fell off the ring");
  if (round == options.escape) say("error 0 \x1b[31mred\x07");
  return round != options.error && round != options.escape;
}

void save(const Walker& walker) {
  say("bytes " + std::to_string(sizeof walker));
  say(std::string(reinterpret_cast<const char*>(&walker), sizeof walker));
}

/// One pixel per place, white for the walker's place, the others by their number; 1986 rows: with 11 places the bytes
/// need a second message for the last two.
void picture(const Walker& walker) {
  constexpr long height = 1986;
  const char* const torn[] = {"picture",        "picture 3",     "picture 3 0", "picture -3 7",
                              "picture 5000 7", "picture 3 7 x", "ok",          "error 0 the lens is dirty"};
  if (options.torn >= 0 && options.torn < 8) return say(torn[options.torn]);
  std::string bytes;
  for (long y = 0; y < height; ++y)
    for (long x = 0; x < options.size; ++x)
      bytes += x == walker.place ? std::string("\xff\xff\xff") : std::string{static_cast<char>(x), '!', '!'};
  if (options.torn == 8) bytes += bytes;
  say("picture " + std::to_string(height) + " " + std::to_string(options.size));
  for (std::size_t at = 0; at < bytes.size(); at += 65536) say(bytes.substr(at, 65536));
}

}  // namespace

int main(int count, char** words) {
  read_options(count, words);
  if (options.mute)
    for (;;) pause();
  const auto greeting = hear();
  std::vector<Walker> walkers;
  for (auto at = greeting.find("seed "); at != std::string::npos; at = greeting.find("seed ", at + 1))
    walkers.push_back({std::strtoull(greeting.c_str() + at + 5, nullptr, 10), 0, 0});
  if (options.babble) say("hello there");
  auto hello = "politex " + std::to_string(options.version) + "\nname walker\nactions 2\nepisode 50\n";
  if (options.real)
    hello += "observation float32 2\nlow -1\nhigh 1\n";
  else
    hello += "observation int64 1\nstates " + std::to_string(options.size) + "\n";
  if (options.wide) hello += "low 0 0 0\nobservation float64 2\nstates 0\n";
  if (options.pictures) hello += "pictures 1\n";
  say(hello + (options.save ? "save 1\n" : "save 0\n"));

  const auto layout = hear();
  auto* base = static_cast<char*>(mmap(nullptr, static_cast<std::size_t>(number_after(layout, "memory")),
                                       PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
  const auto at = [&](const char* word) { return static_cast<void*>(base + number_after(layout, word)); };
  const Memory memory{static_cast<std::int32_t*>(at("actions")), static_cast<double*>(at("rewards")),
                      static_cast<double*>(at("scores")),        static_cast<std::uint8_t*>(at("flags")),
                      static_cast<char*>(at("observations")),    static_cast<char*>(at("last"))};
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    begin(walkers[i]);
    show(walkers[i], memory.observations, i);
  }
  say(options.newline ? "ok\n" : "ok");
  for (long round = 1;;) {
    const auto message = hear();
    if (message == "step") {
      step(walkers, memory);
      if (misbehave(round++, memory)) say(options.newline ? "ok\n" : "ok");
    } else if (message.rfind("save ", 0) == 0) {
      save(walkers[static_cast<std::size_t>(number_after(message, "save"))]);
    } else if (message.rfind("picture ", 0) == 0) {
      picture(walkers[static_cast<std::size_t>(number_after(message, "picture"))]);
    } else if (message.rfind("restore ", 0) == 0) {
      const auto bytes = hear();
      std::memcpy(&walkers[static_cast<std::size_t>(number_after(message, "restore"))], bytes.data(), sizeof(Walker));
      say(options.newline ? "ok\n" : "ok");
    } else {
      say("error - unknown message");
    }
  }
}
