#include "politex/serve/serve.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/record/run_record.hpp"
#include "politex/serve/dashboard.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

/// A raw connection: no HTTP library corrects a bad request.
class Connection {
 public:
  Connection(int port, const std::string& request) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 30, .tv_usec = 0};  // turns a hang into a failure
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (connected_) connected_ = send(socket_, request.data(), request.size(), MSG_NOSIGNAL) > 0;
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void say(const std::string& more) const { send(socket_, more.data(), more.size(), MSG_NOSIGNAL); }

  /// Reads until the text arrives or the connection ends; returns everything read so far.
  const std::string& read_until(const std::string& text) {
    std::array<char, 8192> block{};
    while (connected_ && (text.empty() || received_.find(text) == std::string::npos)) {
      const ssize_t count = recv(socket_, block.data(), block.size(), 0);
      if (count <= 0) break;
      received_.append(block.data(), static_cast<std::size_t>(count));
    }
    return received_;
  }

 private:
  int socket_;
  bool connected_ = false;
  std::string received_;
};

class ServeTest : public testing::Test {
 protected:
  ServeTest() : root_(fs::path(testing::TempDir()) / fmt::format("politex_serve_{}", getpid())) {
    fs::remove_all(root_);
    fs::create_directories(root_ / "runs");
    write_text(root_ / "secret" / "config.toml", "steps = 1\npassword = \"hidden\"\n");
  }
  ~ServeTest() override {
    stop_ = 1;
    if (server_.joinable()) server_.join();
    fs::remove_all(root_);
  }

  void start(const std::string& host = "127.0.0.1", const std::string& token = "") {
    auto port = std::make_shared<std::promise<int>>();  // must outlive set_value and this function
    auto ready = port->get_future();
    server_ = std::thread([this, port, host, token] {
      ServeOptions options;
      options.directory = root_ / "runs";
      options.host = host;
      options.port = 0;
      options.token = token;
      options.stop = &stop_;
      options.refresh_seconds = 0.05;
      options.ready = [port](int number) { port->set_value(number); };
      serve_directory(options);
    });
    port_ = ready.get();
  }
  void make_run_directory(const std::string& name) {
    write_text(root_ / "runs" / name / "progress.csv",
               "phase,steps,average_cost,phase_average_cost\n1,100,-0.5,-0.5\n");
    write_text(
        root_ / "runs" / name / "config.toml",
        std::string("steps = 1000\nseed = 7\n[environment]\nname = \"deep_sea\"\n[algorithm]\nname = \"politex\"\n") +
            std::string(end_of_config));
  }
  std::string ask(const std::string& path, const std::string& method = "GET", const std::string& host = "localhost") {
    Connection connection(port_,
                          fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", method, path, host));
    return connection.read_until("");
  }
  static std::string status(const std::string& answer) { return answer.substr(0, 12); }

  fs::path root_;
  std::atomic<int> stop_ = 0;
  std::thread server_;
  int port_ = 0;
};

TEST_F(ServeTest, AnswersWithPagesUnderAStrictPolicy) {
  make_run_directory("a/b c");
  start();
  const std::string page = ask("/");
  EXPECT_EQ(status(page), "HTTP/1.1 200");
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'; script-src 'self' 'sha256-"), std::string::npos);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  for (const char* script : {"/dygraph.js", "/report.js", "/dashboard.js"}) {
    EXPECT_EQ(status(ask(script)), "HTTP/1.1 200") << script;
  }
  EXPECT_NE(ask("/api/runs").find("{\"name\":\"a/b c\",\"state\":\"stopped\",\"steps\":100,\"of\":\"1000\""),
            std::string::npos);
  EXPECT_EQ(status(ask("/report/a/b%20c")), "HTTP/1.1 200");
  EXPECT_EQ(status(ask("/report")), "HTTP/1.1 200");
}

TEST_F(ServeTest, KeepsTheLivePageApartFromTheDashboard) {
  make_run_directory("a");
  start();
  EXPECT_EQ(status(ask("/live")), "HTTP/1.1 404") << "the directory has none";
  write_text(root_ / "runs" / "live.html", "<!doctype html><title>live</title>");
  const std::string page = ask("/live");
  EXPECT_EQ(status(page), "HTTP/1.1 200");
  EXPECT_NE(page.find("Content-Security-Policy: sandbox allow-scripts; default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("Content-Security-Policy"), page.rfind("Content-Security-Policy")) << "one policy, not two";
  EXPECT_NE(page.find("<title>live</title>"), std::string::npos);
}

TEST_F(ServeTest, RejectsRangeHeadersAndTwoHosts) {
  start();
  Connection hosts(port_, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status(hosts.read_until("")), "HTTP/1.1 400");
  Connection parts(port_,
                   "GET /dygraph.js HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-,0-,0-\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status(parts.read_until("")), "HTTP/1.1 416");
}

// Slow clients hold a thread each.
TEST_F(ServeTest, SlowClientsDoNotBlockOthers) {
  make_run_directory("a");
  start();
  std::vector<std::unique_ptr<Connection>> slow;
  for (int k = 0; k < 60; ++k) slow.push_back(std::make_unique<Connection>(port_, "GET /ap"));
  std::jthread drip([&](const std::stop_token& enough) {
    while (!enough.stop_requested()) {
      for (const auto& client : slow) client->say("i");
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  EXPECT_EQ(status(ask("/api/runs")), "HTTP/1.1 200");
}

TEST_F(ServeTest, RejectsOtherMethodsHostsAndPaths) {
  make_run_directory("a");
  fs::create_directory_symlink(root_ / "secret", root_ / "runs" / "linked");
  fs::create_directories(root_ / "runs" / "half");
  fs::create_symlink(root_ / "secret" / "config.toml", root_ / "runs" / "half" / "config.toml");
  start();
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(status(ask("/", method)), "HTTP/1.1 405") << method;
  }
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.0.2.7", ""}) {
    EXPECT_EQ(status(ask("/api/runs", "GET", host)), "HTTP/1.1 403") << host;
  }
  for (const char* host : {"127.0.0.1:8080", "localhost:1", "LocalHost", "[::1]:80"}) {
    EXPECT_EQ(status(ask("/api/runs", "GET", host)), "HTTP/1.1 200") << host;
  }
  for (const char* path : {"/report/../secret", "/report/%2e%2e%2fsecret", "/report/..%2fsecret",
                           "/report/a/../../secret", "/report/linked", "/report/half", "/report//etc", "/report/%00",
                           "/../secret/config.toml", "/secret", "/report/"}) {
    const std::string answer = ask(path);
    EXPECT_EQ(answer.find("hidden"), std::string::npos) << path;
    EXPECT_NE(status(answer), "HTTP/1.1 200") << path;
  }
  EXPECT_EQ(ask("/api/runs").find("linked"), std::string::npos);
}

TEST_F(ServeTest, OnAllAddressesItAcceptsAddressesAndItsOwnName) {
  make_run_directory("a");
  const std::string token = new_token();
  start("0.0.0.0", token);
  for (const char* host : {"192.0.2.7:8080", "[2001:db8::1]:80", "localhost"}) {
    EXPECT_EQ(status(ask("/api/runs", "GET", host)), "HTTP/1.1 401") << host;
    EXPECT_EQ(status(ask("/api/runs", "GET", fmt::format("{}\r\nCookie: politex_token={}", host, token))),
              "HTTP/1.1 200")
        << host;
  }
  for (const char* host : {"evil.example", "192.0.2.7.evil.example", "[evil]", "192.0.2", "", "[]"})
    EXPECT_EQ(status(ask("/api/runs", "GET", host)), "HTTP/1.1 403") << host;
}

TEST_F(ServeTest, OnAllAddressesATokenIsNeeded) {
  make_run_directory("a");
  ServeOptions open;
  open.directory = root_ / "runs";
  open.host = "0.0.0.0";
  open.port = 0;
  EXPECT_THROW(serve_directory(open), ConfigError);
  open.token = "too_short";
  EXPECT_THROW(serve_directory(open), ConfigError);
  open.token = "long enough, but with\r\nother characters";
  EXPECT_THROW(serve_directory(open), ConfigError);
  const std::string token = new_token();
  EXPECT_NE(token, new_token());
  start("0.0.0.0", token);
  for (const char* path :
       {"/", "/events", "/api/runs", "/api/curves", "/report", "/report/a", "/report.js", "/nothing"})
    for (const std::string& wrong :
         std::vector<std::string>{"", "?token=", "?token=" + token.substr(1), "?token=" + token + "0"})
      EXPECT_EQ(status(ask(path + wrong)), "HTTP/1.1 401") << path << wrong;
  EXPECT_EQ(status(ask("/", "GET", "localhost\r\nCookie: politex_token=" + token.substr(1))), "HTTP/1.1 401");
  const std::string first = ask("/?token=" + token);
  EXPECT_EQ(status(first), "HTTP/1.1 303");
  EXPECT_NE(first.find("Set-Cookie: politex_token=" + token + "; HttpOnly; SameSite=Strict; Path=/"),
            std::string::npos);
  EXPECT_NE(first.find("Location: /\r\n"), std::string::npos);
  EXPECT_EQ(status(ask("/", "GET", "localhost\r\nCookie: other=1; politex_token=" + token)), "HTTP/1.1 200");
}

TEST_F(ServeTest, OtherSitesAreNotAnswered) {
  make_run_directory("a");
  start();
  const auto from = [&](const char* site, const char* mode) {
    return status(
        ask("/report", "GET", fmt::format("localhost\r\nSec-Fetch-Site: {}\r\nSec-Fetch-Mode: {}", site, mode)));
  };
  EXPECT_EQ(from("cross-site", "no-cors"), "HTTP/1.1 403");
  EXPECT_EQ(from("cross-site", "cors"), "HTTP/1.1 403");
  EXPECT_EQ(from("cross-site", "navigate"), "HTTP/1.1 200");
  EXPECT_EQ(from("same-origin", "cors"), "HTTP/1.1 200");
  EXPECT_EQ(from("none", "navigate"), "HTTP/1.1 200");
}

TEST_F(ServeTest, HeadsAndRequestsSentAheadAreAnswered) {
  start();
  const std::string head = ask("/", "HEAD");
  EXPECT_EQ(status(head), "HTTP/1.1 200");
  EXPECT_EQ(head.find("<html"), std::string::npos);
  EXPECT_EQ(status(ask("/events", "HEAD")), "HTTP/1.1 405");
  const std::string get = "GET /api/runs HTTP/1.1\r\nHost: localhost\r\n";
  Connection connection(port_, get + "\r\n" + get + "\r\n" + get + "Connection: close\r\n\r\n");
  const std::string& all = connection.read_until("");
  std::size_t answers = 0;
  for (std::size_t at = 0; (at = all.find("HTTP/1.1 200", at)) != std::string::npos; ++at) ++answers;
  EXPECT_EQ(answers, 3u);
}

// Each would hold a thread for ever. The others are answered when their time is over, and the server ends at once.
TEST_F(ServeTest, SlowClientsKeepNobodyOut) {
  start();
  std::vector<std::unique_ptr<Connection>> slow;
  for (int k = 0; k < 140; ++k) slow.push_back(std::make_unique<Connection>(port_, "GET / HTT"));
  std::atomic<bool> answered = false;
  std::thread drip([&] {
    while (!answered) {
      for (const auto& each : slow) each->say("x");
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  EXPECT_EQ(status(ask("/api/runs")), "HTTP/1.1 200");
  answered = true;
  drip.join();
  slow.clear();
  for (int k = 0; k < 140; ++k) slow.push_back(std::make_unique<Connection>(port_, "GET / HTT"));
  stop_ = 1;
  server_.join();  // a test that hangs fails by its time limit
  EXPECT_EQ(slow.back()->read_until("HTTP"), "");
}

// A large report takes seconds and much memory: however many ask at a time, one is made.
TEST_F(ServeTest, ManyWhoAskForTheReportGetOne) {
  make_run_directory("a");
  DirectorySite site({.directory = root_ / "runs", .refresh_seconds = 1e6});
  const auto ask = [&](const std::string& path, std::string& answer) {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    std::thread server([&] { site.answer(ends[0]); });
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    send(ends[1], request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 8192> block{};
    for (ssize_t count = 0; (count = recv(ends[1], block.data(), block.size(), 0)) > 0;)
      answer.append(block.data(), static_cast<std::size_t>(count));
    server.join();
    close(ends[1]);
  };
  // The library makes its constants with the first request. It is not built for the thread sanitizer, which does not
  // see their lock.
  std::string first;
  ask("/nothing", first);
  constexpr std::size_t clients = 64;
  std::vector<std::string> answers(clients);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < clients; ++k) threads.emplace_back([&, k] { ask("/report", answers[k]); });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(status(answers.front()), "HTTP/1.1 200");
  EXPECT_NE(answers.front().find("</html>"), std::string::npos);
  for (const std::string& answer : answers) EXPECT_EQ(answer, answers.front());
  EXPECT_EQ(site.reports_made(), 1);
}

TEST_F(ServeTest, ARequestHasALargestSize) {
  start();
  Connection connection(port_, "GET / HTTP/1.1\r\nHost: localhost\r\n");
  for (int k = 0; k < 400; ++k) connection.say(fmt::format("X-{}: {}\r\n", k, std::string(1000, 'x')));
  connection.say("\r\n");
  EXPECT_NE(status(connection.read_until("")), "HTTP/1.1 200");
}

TEST_F(ServeTest, AReplacedRunIsReadAgain) {
  make_run_directory("a");
  write_text(root_ / "runs/a/summary.json", R"({"average_cost": -0.5})");
  Dashboard dashboard(root_ / "runs");
  const auto shown = [&] {
    dashboard.refresh();
    return nlohmann::json::parse(dashboard.runs_json()).at(0);
  };
  EXPECT_EQ(shown()["state"], "done");
  fs::remove(root_ / "runs/a/summary.json");
  EXPECT_EQ(shown()["state"], "stopped");
  fs::remove(root_ / "runs/a/progress.csv");
  EXPECT_TRUE(shown()["steps"].is_null());
  fs::rename(root_ / "runs/a", root_ / "old");
  make_run_directory("a");
  write_text(root_ / "runs/a/config.toml", "steps = 77\nseed = 8\n");
  EXPECT_EQ(shown()["of"], "77");
  EXPECT_EQ(shown()["seed"], "8");
  EXPECT_EQ(shown()["steps"], 100);
}

TEST_F(ServeTest, TuningRunsAreNotMixedWithFreshRuns) {
  const fs::path sweep = root_ / "runs" / "sweep";
  make_run_directory("sweep/runs/seed=1");
  make_run_directory("sweep/runs/seed=1001");
  Dashboard dashboard(root_ / "runs");
  const auto groups = [&] { return nlohmann::json::parse(dashboard.curves_json())["groups"].size(); };
  EXPECT_TRUE(dashboard.refresh());
  EXPECT_EQ(groups(), 1U);
  EXPECT_FALSE(dashboard.refresh());
  write_text(sweep / "sweep.json",
             R"({"runs": [{"name": "seed=1", "stage": "tuning"}, {"name": "seed=1001", "stage": "fresh"}]})");
  EXPECT_TRUE(dashboard.refresh());
  EXPECT_EQ(groups(), 2U);
  EXPECT_FALSE(dashboard.refresh()) << "a stage is reported once";
  fs::remove(sweep / "sweep.json");
  EXPECT_TRUE(dashboard.refresh());
  EXPECT_EQ(groups(), 1U);
}

TEST_F(ServeTest, ASingleRunHasTheNameOfItsDirectory) {
  make_run_directory("a");
  for (const char* path : {"runs/a", "runs/a/", "runs/a/.", "runs/../runs/a/"}) {
    Dashboard dashboard(root_ / path);
    dashboard.refresh();
    EXPECT_EQ(nlohmann::json::parse(dashboard.runs_json()).at(0)["name"], "a") << path;
    EXPECT_FALSE(dashboard.find("a").empty()) << path;
  }
}

TEST_F(ServeTest, NamesWithAnyBytesAreJson) {
  make_run_directory("two\nlines\t\"<b>");
  make_run_directory("no \xff text");
  start();
  const std::string answer = ask("/api/runs");
  const auto runs = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  EXPECT_EQ(runs.at(1)["name"], "two\nlines\t\"<b>");
  EXPECT_EQ(answer.find("<b>"), std::string::npos);
  EXPECT_EQ(status(ask("/report/two%0Alines%09%22%3Cb%3E")), "HTTP/1.1 200");
}

TEST_F(ServeTest, StreamsSendChangesAndLeaveThreadsForOthers) {
  make_run_directory("a");
  start();
  std::vector<std::unique_ptr<Connection>> streams;
  for (int i = 0; i < 20; ++i) {
    streams.push_back(std::make_unique<Connection>(port_, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_NE(streams.back()->read_until("event: curves").find("event: runs"), std::string::npos);
  }
  EXPECT_EQ(status(ask("/")), "HTTP/1.1 200");

  make_run_directory("newcomer");
  EXPECT_NE(streams.front()->read_until("newcomer").find("newcomer"), std::string::npos);
  write_text(root_ / "runs" / "a" / "progress.csv", "2,200,-0.625,-0.75\n", std::ios::app);
  EXPECT_NE(streams.back()->read_until("-0.625").find("-0.625"), std::string::npos);
  write_text(root_ / "runs" / "a" / "summary.json", "{\"average_cost\": -0.6");  // incomplete
  write_text(root_ / "runs" / "a" / "summary.json", "25}", std::ios::app);
  EXPECT_NE(streams[1]->read_until("\"state\":\"done\"").find("\"state\":\"done\""), std::string::npos);
  fs::remove_all(root_ / "runs" / "newcomer");
  for (int i = 0; i < 500 && ask("/api/runs").find("newcomer") != std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(ask("/api/runs").find("newcomer"), std::string::npos);

  for (int i = 0; i < 12; ++i) {
    streams.push_back(std::make_unique<Connection>(port_, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    streams.back()->read_until("event: curves");
  }
  EXPECT_EQ(status(ask("/events")), "HTTP/1.1 503");  // the limit of streams; other requests are still answered
  EXPECT_EQ(status(ask("/api/runs")), "HTTP/1.1 200");
}

TEST_F(ServeTest, BadOptionsAreRejected) {
  ServeOptions options;
  options.directory = root_ / "absent";
  EXPECT_THROW(serve_directory(options), ConfigError);
  fs::create_symlink(root_ / "loop", root_ / "loop");
  options.directory = root_ / "loop";
  EXPECT_THROW(serve_directory(options), ConfigError);
  options.directory = root_;
  options.host = "";
  EXPECT_THROW(serve_directory(options), ConfigError);
  options.host = "127.0.0.1";
  options.port = 70'000;
  EXPECT_THROW(serve_directory(options), ConfigError);
  start();
  options.port = port_;
  EXPECT_THROW(serve_directory(options), ConfigError);
}

TEST(Serve, BuildsTheUrlForABrowser) {
  EXPECT_EQ(address_of("127.0.0.1", 80), "http://127.0.0.1:80/");
  EXPECT_EQ(address_of("::1", 8080), "http://[::1]:8080/");
}

TEST_F(ServeTest, EndsWhenStoppedBeforeItListens) {
  ServeOptions options;
  options.directory = root_ / "runs";
  options.port = 0;
  options.stop = &stop_;
  options.ready = [this](int) {
    stop_ = 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // long enough to be noticed
  };
  serve_directory(options);  // a hang is the failure
}

TEST_F(ServeTest, DisappearingRunsDoNotHideOthers) {
  std::vector<fs::path> lasting;
  for (int i = 0; i < 20; ++i) {
    make_run_directory(fmt::format("{}", i));
    lasting.push_back(root_ / "runs" / fmt::format("{}", i));
  }
  std::ranges::sort(lasting);
  const std::jthread other([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (int i = 0; i < 20; ++i) fs::create_directories(root_ / "runs" / fmt::format("brief {}", i));
      for (int i = 0; i < 20; ++i) fs::remove(root_ / "runs" / fmt::format("brief {}", i));
    }
  });
  for (int i = 0; i < 300; ++i) ASSERT_EQ(find_run_directories(root_ / "runs"), lasting) << i;
}

TEST_F(ServeTest, StatesFollowTheFilesAndTheLock) {
  make_run_directory("a");
  make_run_directory("b");
  write_text(root_ / "runs" / "b" / "log.txt", "2026-11-16 03:00:00Z failed: the disk is full\n");
  Dashboard dashboard(root_ / "runs");
  EXPECT_TRUE(dashboard.refresh());
  EXPECT_FALSE(dashboard.refresh());
  const auto states = [&] {
    std::string text;
    for (const auto& run : nlohmann::json::parse(dashboard.runs_json())) text += run["state"].get<std::string>() + " ";
    return text;
  };
  EXPECT_EQ(states(), "stopped failed ");
  EXPECT_EQ(nlohmann::json::parse(dashboard.runs_json())[1]["why"], "the disk is full");
  {
    const RunDirectory held = RunDirectory::open(root_ / "runs" / "a");
    EXPECT_TRUE(dashboard.refresh());
    EXPECT_EQ(states(), "running failed ");
  }
  EXPECT_TRUE(dashboard.refresh());
  EXPECT_EQ(states(), "stopped failed ");
}

TEST(Locks, AreReadFromTheKernelsList) {
  EXPECT_EQ(
      locked_files("1: FLOCK  ADVISORY  WRITE 12 fe:00:5678 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 13 fe:00:9 0 EOF\n"
                   "2: POSIX  ADVISORY  READ  14 00:1c:77 128 128\n"),
      (std::set<std::string>{"00:1c:77", "fe:00:5678"}));
  EXPECT_TRUE(locked_files("").empty());
}

}  // namespace
}  // namespace politex
