#include "politex/serve/serve.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
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
constexpr int patience_seconds = 2;  // timeout for a silent client

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
  void keep_looking(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, pause_, [&] { return closed_; });
      }
      if (!stop.stop_requested()) look();
    }
  }

  Dashboard dashboard_;
  std::mutex dashboard_mutex_;
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
      "default-src 'none'; script-src 'self' {} {} {}; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' "
      "data:; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      csp_hash(dygraph_js()), csp_hash(report_js()), csp_hash(pictures_js()));
}

std::string dashboard_page(const fs::path& root) {
  HtmlPage page(fmt::format("Runs under {}", root.string()));
  page.add(Html::markup("<p id=\"connection\" role=\"status\">connecting …</p>\n<div id=\"curves\"></div>"));
  page.heading("Runs");
  page.paragraph(Html::markup("<a href=\"/report\">report of all runs</a>"));
  page.add(
      Html::markup("<div class=\"scroll\"><table class=\"words\"><thead><tr><th>run</th><th>state</th><th>steps</th>"
                   "<th>average cost</th><th>environment</th><th>algorithm</th><th>seed</th></tr></thead>"
                   "<tbody id=\"runs\"></tbody></table></div>"));
  page.add(
      Html::markup("<script src=\"/dygraph.js\"></script><script src=\"/report.js\"></script>"
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

void report_of(const std::vector<RunRecord>& runs, const fs::path& directory, httplib::Response& response) {
  const ReportExtras extras{.command = fmt::format("politex report {}", shell_word(directory.string())),
                            .directories = {directory}};
  response.set_content(run_report_html(runs, group_runs(runs), extras), "text/html; charset=utf-8");
}

void add_routes(httplib::Server& server, Hub& hub, const fs::path& root) {
  const auto script = [&server](const char* path, const Asset& asset) {
    server.Get(path, [asset](const httplib::Request&, httplib::Response& response) {
      response.set_content(asset.text.data(), asset.text.size(), "text/javascript; charset=utf-8");
    });
  };
  script("/dygraph.js", dygraph_js());
  script("/report.js", report_js());
  script("/dashboard.js", dashboard_js());
  server.Get("/", [page = dashboard_page(root)](const httplib::Request&, httplib::Response& response) {
    response.set_content(page, "text/html; charset=utf-8");
  });
  server.Get("/events", [&hub](const httplib::Request&, httplib::Response& response) { stream_events(hub, response); });
  server.Get("/api/runs", [&hub](const httplib::Request&, httplib::Response& response) {
    response.set_content(*hub.now().runs, "application/json");
  });
  server.Get("/api/curves", [&hub](const httplib::Request&, httplib::Response& response) {
    response.set_content(*hub.now().curves, "application/json");
  });
  server.Get("/report", [root](const httplib::Request&, httplib::Response& response) {
    report_of(read_runs(std::vector{root}), root, response);
  });
  server.Get(R"(/report/([\s\S]+))", [&hub](const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.matches[1];
    const fs::path directory = hub.find(name);
    if (directory.empty()) {
      response.status = 404;
      response.set_content("unknown run\n", "text/plain");
      return;
    }
    report_of({read_run(directory, name)}, directory, response);
  });
}

void set_rules(httplib::Server& server, const std::string& host) {
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(1024);
  server.set_keep_alive_timeout(patience_seconds);
  server.set_read_timeout(patience_seconds);
  server.set_default_headers({{"Content-Security-Policy", content_security_policy()},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([host](const httplib::Request& request, httplib::Response& response) {
    const auto refuse = [&](int status, const char* why) {
      response.status = status;
      response.set_content(why, "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    };
    if (request.method != "GET") return refuse(405, "only GET is accepted\n");
    // With Range headers the library would send parts of a page thousands of times.
    if (request.has_header("Range")) return refuse(416, "Range headers are not accepted\n");
    if (request.get_header_value_count("Host") > 1) return refuse(400, "only one Host header is accepted\n");
    if (!host_is_ours(request.get_header_value("Host"), host)) return refuse(403, "this host is not served here\n");
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
  httplib::Server server;
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
  set_rules(server, options.host);
  add_routes(server, hub, options.directory);
  std::jthread watcher([&](const std::stop_token& ended) {
    const auto wait_until = [&](auto&& so) {
      while (!ended.stop_requested() && !so()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    wait_until([&] { return options.stop != nullptr && *options.stop != 0; });
    hub.close();
    wait_until([&] { return server.is_running(); });  // the library ignores a stop before it listens
    server.stop();
  });
  if (options.ready) options.ready(port);
  server.listen_after_bind();
}

}  // namespace politex::inline serve
