// Networks of queues: classes of jobs that wait in buffers, servers that choose which class to serve, jobs that
// move to another class or leave. Service is preemptive, times are exponential, and time is uniformised to steps.
#pragma once

#include <string>
#include <vector>

#include "politex/env/finite_model.hpp"

namespace politex::inline env {

/// A class that a served job may become.
struct Route {
  int to = 0;
  double probability = 1.0;
};

struct JobClass {
  std::string name;
  double arrival = 0.0;            // rate; with `arrivals`: their mean
  double holding = 1.0;            // cost of a job in every step
  double lost = 0.0;               // cost of a job that finds the buffer full
  int buffer = 10;                 // most jobs
  std::vector<Route> next{};       // what a served job becomes; the rest of the probability leaves
  std::vector<double> arrivals{};  // rate in every part of the day; empty: the same all day
};

struct Service {
  int job_class = 0;
  double rate = 1.0;
};

struct QueueServer {
  std::string name;
  std::vector<Service> serves;  // in the order of its actions
  bool may_idle = false;        // idling is one more action, the last
};

/// The parts of a day have the same mean length and follow each other in a circle. Their lengths are exponential, so
/// that the part is all that a state must know of the time.
struct QueueNetwork {
  std::vector<JobClass> classes;
  std::vector<QueueServer> servers;
  double day = 0.0;  // its mean length, in the unit of time of the rates
  int parts = 1;     // of the day
};

/// Rates at which jobs of every class arrive, external ones and those from other classes, if no buffer is full.
std::vector<double> class_rates(const QueueNetwork& network);

/// The least share of its time that the busiest server must work, over all plans of the servers: where it is 1 or more,
/// no policy keeps unbounded queues stable. Infinite where a class with jobs has no server.
double network_load(const QueueNetwork& network);

/// Number of actions of a server: its classes, and idling where it may.
int server_choices(const QueueServer& server);

/// Number of joint actions: every server chooses one of its classes, the last server fastest.
int network_actions(const QueueNetwork& network);

/// Throws ConfigError that begins with `origin`: rates, probabilities, indices, too many states, a load of 1 or more.
void check(const QueueNetwork& network, const std::string& origin);

/// The tables of a checked network. A state is the part of the day and the list of queue lengths, the last class
/// fastest; the start is the empty network in the first part. A step is one event of the uniformised chain: the rate of
/// all events is that of the arrivals (the highest of the day) plus the fastest rate of every server plus that of the
/// parts of the day. A job that arrives at a full buffer is lost; one that would move to a
/// full buffer stays. A server whose class has no job left (servers choose in their order) idles.
FiniteModel network_model(const QueueNetwork& network, std::string_view name);

/// The space of that model.
struct Space network_space(const QueueNetwork& network, std::string_view name);

}  // namespace politex::inline env
