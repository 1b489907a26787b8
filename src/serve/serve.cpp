#include "politex/serve/serve.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>
#include <malloc.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/page/html.hpp"
#include "politex/report/assets.hpp"
#include "politex/report/curves.hpp"
#include "politex/report/run_report.hpp"
#include "politex/serve/bounded_server.hpp"
#include "politex/serve/dashboard.hpp"

namespace politex::inline serve {

namespace {

namespace fs = std::filesystem;
using Text = std::shared_ptr<const std::string>;

constexpr int most_streams = 32;
// Every open connection holds a thread: a stream as long as it is open, a silent client for seconds. Many threads must
// be left for other requests; they sleep.
constexpr std::size_t threads = most_streams + 96;
constexpr int waiting_connections = 128;

/// The newest state of the runs, published to every open stream.
class Hub {
 public:
  Hub(fs::path root, std::chrono::duration<double> pause) : dashboard_(std::move(root)), pause_(pause) {
    look();
    looker_ = std::jthread([this](const std::stop_token& stop) { keep_looking(stop); });
  }
  ~Hub() { close(); }
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  /// Ends all waits and all open streams.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    if (looker_.joinable()) {
      looker_.request_stop();
      looker_.join();
    }
  }

  struct News {
    std::uint64_t version = 0;
    Text runs, curves;
    bool closed = false;
  };
  /// Waits up to a second for a newer version than `version`; returns the same version if there is none.
  News wait_for(std::uint64_t version) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(1), [&] { return closed_ || version_ != version; });
    return {version_, runs_, curves_, closed_};
  }
  News now() {
    const std::lock_guard lock(mutex_);
    return {version_, runs_, curves_, closed_};
  }
  /// The report of all runs. One report is made at a time, and an older one is shown again for a while: a large one
  /// takes seconds, and any page in the same browser can ask for it.
  Text report(const std::function<std::string()>& make) {
    const std::lock_guard lock(report_mutex_);
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t version = now().version;
    if (report_ && (version == report_version_ || begin < report_until_)) return report_;
    report_ = std::make_shared<const std::string>(make());
    ++reports_made_;
    const auto end = std::chrono::steady_clock::now();
    report_version_ = version;
    report_until_ = end + 4 * (end - begin);
    malloc_trim(0);  // what making it needed is large
    return report_;
  }
  int reports_made() const noexcept { return reports_made_; }
  /// The report of one run; one is made at a time.
  std::string one_report(const std::function<std::string()>& make) {
    const std::lock_guard lock(report_mutex_);
    return make();
  }
  fs::path find(const std::string& name) {
    const std::lock_guard lock(dashboard_mutex_);
    return dashboard_.find(name);
  }

  bool open_stream() {
    const std::lock_guard lock(mutex_);
    if (closed_ || streams_ >= most_streams) return false;
    ++streams_;
    return true;
  }
  void close_stream() {
    const std::lock_guard lock(mutex_);
    --streams_;
  }

 private:
  void look() {
    const std::lock_guard dashboard_lock(dashboard_mutex_);
    if (!dashboard_.refresh() && version_ > 0) return;
    auto runs = std::make_shared<const std::string>(dashboard_.runs_json());
    auto curves = std::make_shared<const std::string>(dashboard_.curves_json());
    const std::lock_guard lock(mutex_);
    runs_ = std::move(runs);
    curves_ = std::move(curves);
    ++version_;
    changed_.notify_all();
  }
  // Without memory or descriptors the last state is shown, until there are some again.
  void look_again() {
    try {
      look();
    } catch (const std::exception&) {
    }
  }
  void keep_looking(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, pause_, [&] { return closed_; });
      }
      if (!stop.stop_requested()) look_again();
    }
  }

  Dashboard dashboard_;
  std::mutex dashboard_mutex_, report_mutex_;
  Text report_;
  std::atomic<int> reports_made_ = 0;
  std::uint64_t report_version_ = 0;
  std::chrono::steady_clock::time_point report_until_;
  std::chrono::duration<double> pause_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t version_ = 0;
  Text runs_, curves_;
  bool closed_ = false;
  int streams_ = 0;
  std::jthread looker_;
};

std::string content_security_policy() {
  return fmt::format(
      "default-src 'none'; script-src 'self' {} {} {} {}; style-src 'unsafe-inline'; connect-src 'self'; img-src "
      "'self' "
      "data:; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      csp_hash(dygraph_js()), csp_hash(view_js()), csp_hash(report_js()), csp_hash(pictures_js()));
}

/// The live page (scripts/live-page), where the directory has one.
constexpr const char* live_page = "live.html";
constexpr std::uint64_t most_bytes_of_live_page = 4'000'000;
/// It is a file of the directory, so it is kept apart from the dashboard: no address of ours, no requests.
constexpr const char* live_page_policy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string dashboard_page(const fs::path& root) {
  HtmlPage page(fmt::format("Runs under {}", root.string()));
  page.add(Html::markup("<p id=\"connection\" role=\"status\">connecting …</p>\n<div id=\"curves\"></div>"));
  page.heading("Runs");
  std::error_code unreadable;
  const bool live = fs::is_regular_file(root / live_page, unreadable);
  page.paragraph(Html::markup(std::string("<a href=\"/report\">report of all runs</a>") +
                              (live ? " · <a href=\"/live\">a learner in your browser</a>" : "")));
  page.add(Html::markup(
      "<div class=\"scroll\"><table class=\"words\" id=\"runs-table\"><thead><tr><th>run</th><th>state</th>"
      "<th>steps</th><th>average cost</th><th>environment</th><th>algorithm</th><th>seed</th></tr></thead>"
      "<tbody id=\"runs\"></tbody></table></div>"));
  page.add(
      Html::markup("<script src=\"/dygraph.js\"></script><script src=\"/view.js\"></script>"
                   "<script src=\"/report.js\"></script>"
                   "<script src=\"/dashboard.js\"></script>"));
  return page.text(fmt::format("<style>{}</style>\n<style>{}</style>\n", dygraph_css().text, chart_style()));
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (host.starts_with('[') && host.ends_with(']'))
    return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), bytes.data()) == 1;
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1;
}

std::string to_lower(std::string words) {
  for (char& c : words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return words;
}

std::string own_host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return to_lower(name.data());
}

/// Protects against DNS rebinding: a page of another site could make the browser send requests under its own host name.
bool host_is_ours(std::string host, const std::string& bound) {
  if (const auto colon = host.rfind(':'); colon != std::string::npos && host.find(']', colon) == std::string::npos) {
    host.resize(colon);
  }
  host = to_lower(std::move(host));
  const std::set<std::string> ours{"127.0.0.1", "localhost", "[::1]", to_lower(bound),
                                   fmt::format("[{}]", to_lower(bound))};
  if (ours.contains(host)) return true;
  // When listening on all addresses, accept any address and the name of this machine: other sites cannot use either.
  return (bound == "0.0.0.0" || bound == "::") && (is_address(host) || host == own_host_name());
}

void stream_events(Hub& hub, httplib::Response& response) {
  if (!hub.open_stream()) {
    response.status = 503;
    response.set_content("too many open streams; close a tab of the dashboard\n", "text/plain");
    return;
  }
  auto seen = std::make_shared<std::uint64_t>(0);
  response.set_chunked_content_provider(
      "text/event-stream",
      [&hub, seen](std::size_t, httplib::DataSink& sink) {
        const Hub::News news = hub.wait_for(*seen);
        if (news.closed) {
          sink.done();
          return true;
        }
        // A keep-alive message per second detects closed tabs and frees their threads.
        std::string text = ": keep-alive\n\n";
        if (news.version != *seen) {
          text = fmt::format("event: runs\ndata: {}\n\nevent: curves\ndata: {}\n\n", *news.runs, *news.curves);
        }
        *seen = news.version;
        return sink.write(text.data(), text.size());
      },
      [&hub](bool) { hub.close_stream(); });
}

std::string report_of(const std::vector<RunRecord>& runs, const fs::path& directory) {
  const ReportExtras extras{.command = fmt::format("politex report {}", shell_word(directory.string())),
                            .directories = {directory}};
  return run_report_html(runs, group_runs(runs), extras);
}

void add_routes(httplib::Server& server, Hub& hub, const fs::path& root) {
  const auto script = [&server](const char* path, const Asset& asset) {
    server.Get(path, [asset](const httplib::Request&, httplib::Response& response) {
      response.set_content(asset.text.data(), asset.text.size(), "text/javascript; charset=utf-8");
    });
  };
  script("/dygraph.js", dygraph_js());
  script("/view.js", view_js());
  script("/report.js", report_js());
  script("/dashboard.js", dashboard_js());
  server.Get("/", [page = dashboard_page(root)](const httplib::Request&, httplib::Response& response) {
    response.set_content(page, "text/html; charset=utf-8");
  });
  server.Get("/live", [root](const httplib::Request&, httplib::Response& response) {
    std::string page;
    try {
      page = read_file("live", (root / live_page).string(), most_bytes_of_live_page);
    } catch (const Error&) {
      response.status = 404;
      response.set_content(fmt::format("no {} here; scripts/live-page makes one\n", live_page), "text/plain");
      return;
    }
    response.headers.erase("Content-Security-Policy");
    response.set_header("Content-Security-Policy", live_page_policy);
    response.set_content(page, "text/html; charset=utf-8");
  });
  server.Get("/events", [&hub](const httplib::Request&, httplib::Response& response) { stream_events(hub, response); });
  server.Get("/api/runs", [&hub](const httplib::Request&, httplib::Response& response) {
    response.set_content(*hub.now().runs, "application/json");
  });
  server.Get("/api/curves", [&hub](const httplib::Request&, httplib::Response& response) {
    response.set_content(*hub.now().curves, "application/json");
  });
  server.Get("/report", [&hub, root](const httplib::Request&, httplib::Response& response) {
    const Text text = hub.report([&] { return report_of(read_runs(std::vector{root}), root); });
    response.set_content(*text, "text/html; charset=utf-8");
  });
  server.Get(R"(/report/([\s\S]+))", [&hub](const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.matches[1];
    const fs::path directory = hub.find(name);
    if (directory.empty()) {
      response.status = 404;
      response.set_content("unknown run\n", "text/plain");
      return;
    }
    response.set_content(hub.one_report([&] { return report_of({read_run(directory, name)}, directory); }),
                         "text/html; charset=utf-8");
  });
}

/// Whether another site's page asks, other than by a link to here. Browsers tell; programs do not.
bool asked_by_other_site(const httplib::Request& request) {
  return request.get_header_value("Sec-Fetch-Site") == "cross-site" &&
         request.get_header_value("Sec-Fetch-Mode") != "navigate";
}

/// Takes the same time wherever two texts of one length differ.
bool same_secret(std::string_view one, std::string_view other) {
  unsigned differ = one.size() == other.size() ? 0 : 1;
  for (std::size_t k = 0; differ != 1 && k < one.size(); ++k)
    differ |= 2U * static_cast<unsigned char>(one[k] ^ other[k]);
  return differ == 0;
}

constexpr std::string_view cookie = "politex_token=";

bool has_cookie(const httplib::Request& request, const std::string& token) {
  const std::string all = request.get_header_value("Cookie");
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find(';', begin), all.size());
    std::string_view each = std::string_view(all).substr(begin, end - begin);
    each.remove_prefix(std::min(each.find_first_not_of(' '), each.size()));
    if (each.starts_with(cookie) && same_secret(each.substr(cookie.size()), token)) return true;
    begin = end + 1;
  }
  return false;
}

/// The first visit brings the token in the address; a cookie keeps it, and the address is shown without it.
void keep_token(const httplib::Request& request, httplib::Response& response, const std::string& token) {
  response.status = 303;
  response.set_header("Set-Cookie", fmt::format("{}{}; HttpOnly; SameSite=Strict; Path=/", cookie, token));
  response.set_header("Location", request.path == "/report" ? "/report" : "/");
}

void set_rules(httplib::Server& server, const std::string& host, const std::string& token) {
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(1024);
  server.set_default_headers({{"Content-Security-Policy", content_security_policy()},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([host, token](const httplib::Request& request, httplib::Response& response) {
    const auto refuse = [&](int status, const char* why) {
      response.status = status;
      response.set_content(why, "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    };
    if (request.method != "GET" && request.method != "HEAD") return refuse(405, "only GET and HEAD are accepted\n");
    // With Range headers the library would send parts of a page thousands of times.
    if (request.has_header("Range")) return refuse(416, "Range headers are not accepted\n");
    if (request.get_header_value_count("Host") > 1) return refuse(400, "only one Host header is accepted\n");
    if (!host_is_ours(request.get_header_value("Host"), host)) return refuse(403, "this host is not served here\n");
    if (asked_by_other_site(request)) return refuse(403, "pages of other sites are not answered\n");
    if (request.method == "HEAD" && request.path == "/events") return refuse(405, "a stream has no head\n");
    if (!token.empty() && !has_cookie(request, token)) {
      if (!same_secret(request.get_param_value("token"), token))
        return refuse(401, "a token is needed: open the address that politex serve printed\n");
      keep_token(request, response, token);
      return httplib::Server::HandlerResponse::Handled;
    }
    return httplib::Server::HandlerResponse::Unhandled;
  });
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr& error) {
        response.status = 500;
        try {
          std::rethrow_exception(error);
        } catch (const std::exception& known) {
          response.set_content(fmt::format("{}\n", known.what()), "text/plain");
        } catch (...) {
          response.set_content("internal error\n", "text/plain");
        }
      });
}

}  // namespace

struct DirectorySite::Parts {
  explicit Parts(const ServeOptions& options)
      : hub(options.directory, std::chrono::duration<double>(options.refresh_seconds)) {
    set_rules(server.http(), options.host, options.token);
    add_routes(server.http(), hub, options.directory);
  }
  Hub hub;
  BoundedServer server;
};

DirectorySite::DirectorySite(const ServeOptions& options) : parts_(std::make_unique<Parts>(options)) {}
DirectorySite::~DirectorySite() = default;
void DirectorySite::answer(int socket) { parts_->server.answer(socket); }
void DirectorySite::close() { parts_->hub.close(); }
int DirectorySite::reports_made() const { return parts_->hub.reports_made(); }

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_address(host));
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("the system gave no random numbers for the token");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string address_of(const std::string& host, int port) {
  return host.find(':') == std::string::npos ? fmt::format("http://{}:{}/", host, port)
                                             : fmt::format("http://[{}]:{}/", host, port);
}

void serve_directory(const ServeOptions& options) {
  if (std::error_code unknown; !fs::is_directory(options.directory, unknown)) {
    throw ConfigError("DIR",
                      fmt::format("\"{}\" is not a directory; accepted: a directory for runs, which may be empty",
                                  options.directory.string()));
  }
  if (options.host.empty()) throw ConfigError("--host", "\"\" is not an address; accepted: an address of this machine");
  if (options.port < 0 || options.port > 65535) {
    throw ConfigError("--port", fmt::format("{}; accepted: 1 to 65535, or 0 for any free port", options.port));
  }
  if (!is_loopback(options.host) && options.token.size() < shortest_token)
    throw ConfigError("--token",
                      fmt::format("other machines can reach {}, so that a token of at least {} characters is "
                                  "needed; accepted: letters, digits, - and _",
                                  options.host, shortest_token));
  if (!std::ranges::all_of(options.token,
                           [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; }))
    throw ConfigError("--token", "has a character that is not accepted; accepted: letters, digits, - and _");
  BoundedServer bounded;
  httplib::Server& server = bounded.http();
  socket_t listening = INVALID_SOCKET;
  server.set_socket_options([&](socket_t socket) {  // the default of the library would let two servers share a port
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    listening = socket;
  });
  const int port = options.port == 0 ? server.bind_to_any_port(options.host.c_str())
                                     : (server.bind_to_port(options.host.c_str(), options.port) ? options.port : -1);
  if (port < 0) {
    throw ConfigError("--host, --port",
                      fmt::format("cannot listen on {}:{}; accepted: an address of this machine, and a port that "
                                  "no other program uses",
                                  options.host, options.port));
  }
  ::listen(listening, waiting_connections);  // the library's backlog of 5 delays further connections by a second
  Hub hub(options.directory, std::chrono::duration<double>(options.refresh_seconds));
  set_rules(server, options.host, options.token);
  add_routes(server, hub, options.directory);
  std::jthread watcher([&](const std::stop_token& ended) {
    const auto wait_until = [&](auto&& so) {
      while (!ended.stop_requested() && !so()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    wait_until([&] { return options.stop != nullptr && *options.stop != 0; });
    hub.close();
    wait_until([&] { return server.is_running(); });  // the library ignores a stop before it listens
    bounded.stop();
  });
  if (options.ready) options.ready(port);
  server.listen_after_bind();
}

}  // namespace politex::inline serve
