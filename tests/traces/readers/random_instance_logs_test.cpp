// Random logs of what happened to machines: their lives are made first, then written as events, in any order, among
// events that say nothing or nothing new. What is read are those lives, and every event is part of one or counted in a
// warning.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/errors.hpp"
#include "tests/traces/readers/random_logs.hpp"

namespace coterie::traces {
namespace {

constexpr double kFirst = 1788220800;  // 2026-09-01 00:00:00 UTC

std::string clock(std::size_t minute) { return fmt::format("{:02}:{:02}:00", minute / 60, minute % 60); }

struct Told {
  std::vector<std::string> events;
  std::vector<std::tuple<std::string, double, double, bool>> spells;  // host, start, duration, observed
  std::map<std::string, std::int64_t> warnings;
};

/// Writes events of one format. `key` is an instance, `minute` when.
class EventWriter {
 public:
  virtual ~EventWriter() = default;
  virtual std::string up(const std::string& key, const std::string& host, std::size_t minute) = 0;
  virtual std::string down(const std::string& key, std::size_t minute, bool observed) = 0;
  virtual std::string other(const std::string& key, std::size_t minute) = 0;
  virtual std::string notice(const std::string&, std::size_t) { return ""; }   // "": there is none in this format
  virtual std::string restart(const std::string&, std::size_t) { return ""; }  // an interruption, and up again at once
  virtual bool tells_why() const { return true; }  // whether an end without notice may be an interruption
  virtual std::string host(const std::string& key, std::size_t) const { return key; }
};

class RandomInstanceLogs : public RandomLogs {
 public:
  std::string one_of(const std::vector<std::string>& words) { return any(words); }

  Told make(EventWriter& writer) {
    struct Machine {
      bool up = false, known = false, noticed = false;
      std::size_t since = 0, noticed_at = 0;
      std::string host;
      bool late = false;  // it ended as announced, and its end has not been told since
      bool is_overdue(std::size_t minute) const { return up && noticed && minute > noticed_at + 10; }
    };
    Told told;
    std::map<std::string, Machine> machines;
    std::size_t last = 0;
    const auto tell = [&](const std::string& event, std::size_t minute, const char* warning = nullptr) {
      told.events.push_back(event);
      if (warning != nullptr) ++told.warnings[warning];
      last = minute;
    };
    const auto add = [&](const Machine& machine, std::size_t end, bool observed) {
      told.spells.emplace_back(machine.host, kFirst + 60. * static_cast<double>(machine.since),
                               60. * static_cast<double>(end - machine.since), observed);
    };
    const auto end_as_noticed = [&](Machine& machine) {
      add(machine, machine.noticed_at + 2, true);
      ++told.warnings["W_NOEND"];
      machine = {false, true, false, 0, 0, "", true};
    };
    const std::size_t events = 1 + below(60);
    for (std::size_t minute = 0; minute < events; ++minute) {
      const std::string key = fmt::format("{}.000.000", 1 + below(4));
      Machine& machine = machines[key];
      const bool observed = writer.tells_why() && chance(0.5);
      const std::string notice = writer.notice(key, minute), restart = writer.restart(key, minute);
      if (chance(0.15)) {
        tell(writer.other(key, minute), minute, "W_OTHEREVENT");
        continue;
      }
      if (machine.is_overdue(minute)) end_as_noticed(machine);
      if (machine.up && chance(0.2)) {
        tell(writer.up(key, machine.host, minute), minute, "W_AGAIN");
      } else if (machine.up && !notice.empty() && chance(0.3)) {
        tell(notice, minute, machine.noticed ? "W_AGAIN" : nullptr);
        if (!machine.noticed) machine.noticed_at = minute;
        machine.noticed = true;
      } else if (!restart.empty() && chance(0.2)) {
        tell(restart, minute, machine.up ? nullptr : machine.known ? "W_AGAIN" : "W_NOSTART");
        if (machine.up) add(machine, minute, true);
        if (machine.up || !machine.known) machine = {true, true, false, minute, 0, key};
      } else if (machine.up) {
        tell(writer.down(key, minute, observed), minute);
        add(machine, minute, observed || machine.noticed);
        machine = {false, true, false, 0, 0, ""};
      } else if (chance(0.25)) {
        tell(writer.down(key, minute, observed), minute,
             machine.late    ? "W_LATE"
             : machine.known ? "W_AGAIN"
                             : "W_NOSTART");
        machine.known = true;
        machine.late = false;
      } else {
        machine = {true, true, false, minute, 0, writer.host(key, minute)};
        tell(writer.up(key, machine.host, minute), minute);
      }
    }
    for (auto& [key, machine] : machines) {
      if (machine.is_overdue(last)) end_as_noticed(machine);
      if (machine.up) add(machine, last, false);
    }
    for (const auto& [host, start, duration, observed] : told.spells) {
      if (!observed) ++told.warnings["W_CENSORED"];
      if (duration == 0) ++told.warnings["W_ZERO"];
    }
    std::sort(told.spells.begin(), told.spells.end());
    return told;
  }

  void expect_read(const std::string& format, EventWriter& writer) {
    int read = 0;
    std::int64_t announced = 0;  // ends of which only the notice is there
    for (int i = 0; i < count(); ++i) {
      Told told = make(writer);
      std::shuffle(told.events.begin(), told.events.end(), random_);
      std::string text;
      for (const std::string& event : told.events) text += event + "\n";
      SCOPED_TRACE(text);
      try {
        const AvailabilityTrace trace = read_log(format, text, ReadingOptions::parse({"timezone=UTC", "bridge=0"}));
        decltype(told.spells) spells;
        for (const AvailabilityRecord& record : trace.records)
          spells.emplace_back(*record.host, *record.start, record.duration, record.observed);
        std::sort(spells.begin(), spells.end());
        ASSERT_EQ(spells, told.spells);
        std::map<std::string, std::int64_t> warnings(trace.warnings.begin(), trace.warnings.end());
        warnings.erase("W_TOUCH");
        ASSERT_EQ(warnings, told.warnings);
        announced += warned(trace, "W_NOEND");
        ++read;
      } catch (const InputError& error) {
        ASSERT_TRUE(told.spells.empty()) << error.what();
        ASSERT_NE(std::string(error.what()).find("E_EMPTY"), std::string::npos) << error.what();
      }
      text[below(text.size())] = static_cast<char>(below(128));
      try {  // damaged: no life more than half of the events
        EXPECT_LE(read_log(format, text, ReadingOptions::parse({"timezone=UTC"})).records.size(), told.events.size());
      } catch (const InputError&) {
      }
    }
    EXPECT_GT(read, count() / 2);
    EXPECT_EQ(announced > 0, !writer.notice("1", 0).empty());
  }
};

TEST_F(RandomInstanceLogs, OfEc2AreReadAsTheySay) {
  struct Ec2 : EventWriter {
    explicit Ec2(RandomInstanceLogs& of) : dice(&of) {}
    std::string event(const std::string& type, const std::string& key, std::size_t minute, const std::string& state) {
      return fmt::format(
          R"({{"detail-type": "{}", "time": "2026-09-01T{}Z", "detail": {{"instance-id": "{}", "state": "{}"}}}})",
          type, clock(minute), key, state);
    }
    std::string changed(const std::string& key, std::size_t minute, const std::string& state) {
      return event("EC2 Instance State-change Notification", key, minute, state);
    }
    std::string up(const std::string& key, const std::string&, std::size_t minute) override {
      return changed(key, minute, "running");
    }
    std::string down(const std::string& key, std::size_t minute, bool) override {
      return changed(key, minute, dice->one_of({"stopping", "stopped", "shutting-down", "terminated"}));
    }
    std::string notice(const std::string& key, std::size_t minute) override {
      return event("EC2 Spot Instance Interruption Warning", key, minute, "");
    }
    std::string other(const std::string& key, std::size_t minute) override {
      return dice->chance(0.5) ? changed(key, minute, "pending")
                               : event("EC2 Instance Rebalance Recommendation", key, minute, "");
    }
    bool tells_why() const override { return false; }
    RandomInstanceLogs* dice;
  } writer(*this);
  expect_read("ec2", writer);
}

TEST_F(RandomInstanceLogs, OfGceAreReadAsTheySay) {
  struct Gce : EventWriter {
    explicit Gce(RandomInstanceLogs& of) : dice(&of) {}
    std::string entry(const std::string& method, const std::string& key, std::size_t minute, const std::string& more) {
      return fmt::format(
          R"({{"protoPayload": {{"methodName": "{}compute.instances.{}", "resourceName": "{}"{}}}, "timestamp": "2026-09-01T{}Z"}})",
          dice->one_of({"", "v1.", "beta."}), method, key, more, clock(minute));
    }
    std::string up(const std::string& key, const std::string&, std::size_t minute) override {
      return entry(dice->one_of({"insert", "start", "resume", "automaticRestart"}), key, minute, "");
    }
    std::string down(const std::string& key, std::size_t minute, bool observed) override {
      return entry(observed ? dice->one_of({"preempted", "hostError", "terminateOnHostMaintenance"})
                            : dice->one_of({"delete", "stop", "suspend", "guestTerminate"}),
                   key, minute, R"(, "status": {"code": 0})");
    }
    std::string other(const std::string& key, std::size_t minute) override {
      return dice->chance(0.5)
                 ? entry("setLabels", key, minute, "")
                 : entry(dice->one_of({"insert", "stop", "preempted"}), key, minute, R"(, "status": {"code": 7})");
    }
    RandomInstanceLogs* dice;
  } writer(*this);
  expect_read("gce", writer);
}

TEST_F(RandomInstanceLogs, OfKubernetesAreReadAsTheySay) {
  struct Kubernetes : EventWriter {
    explicit Kubernetes(RandomInstanceLogs& of) : dice(&of) {}
    std::string event(const std::string& kind, const std::string& reason, const std::string& key, std::size_t minute) {
      return fmt::format(
          R"({{"involvedObject": {{"kind": "{}", "name": "{}"}}, "reason": "{}", "{}": "2026-09-01T{}Z"}})", kind, key,
          reason, dice->one_of({"lastTimestamp", "eventTime"}), clock(minute));
    }
    std::string up(const std::string& key, const std::string&, std::size_t minute) override {
      return event("Node", "NodeReady", key, minute);
    }
    std::string down(const std::string& key, std::size_t minute, bool observed) override {
      return event("Node", observed ? "NodeNotReady" : dice->one_of({"RemovingNode", "DeletingNode"}), key, minute);
    }
    std::string restart(const std::string& key, std::size_t minute) override {
      return event("Node", "Rebooted", key, minute);
    }
    std::string other(const std::string& key, std::size_t minute) override {
      return dice->chance(0.5) ? event("Node", dice->one_of({"Starting", "NodeHasSufficientMemory"}), key, minute)
                               : event("Pod", "NodeNotReady", key, minute);
    }
    RandomInstanceLogs* dice;
  } writer(*this);
  expect_read("kubernetes", writer);
}

TEST_F(RandomInstanceLogs, OfCondorAreReadAsTheySay) {
  struct Condor : EventWriter {
    explicit Condor(RandomInstanceLogs& of) : dice(&of) {}
    std::string event(const std::string& code, const std::string& key, std::size_t minute, const std::string& words) {
      std::string text = fmt::format("{} ({}) 2026-09-01 {} {}\n", code, key, clock(minute), words);
      while (dice->chance(0.4))
        text += dice->one_of({"\t(0) Normal termination\n", "\t001 (2.0.0) of the text\n", "\n"});
      return text + "...";
    }
    std::string host(const std::string&, std::size_t minute) const override {
      return fmt::format("10.0.0.{}:9618", minute % 3);
    }
    std::string up(const std::string& key, const std::string& machine, std::size_t minute) override {
      return event("001", key, minute, fmt::format("Job executing on host: <{}?addrs={}>", machine, machine));
    }
    std::string down(const std::string& key, std::size_t minute, bool observed) override {
      return observed ? event(dice->one_of({"004", "007", "024"}), key, minute, "Job was evicted.")
                      : event(dice->one_of({"005", "009", "012"}), key, minute, "Job ended.");
    }
    std::string other(const std::string& key, std::size_t minute) override {
      return event(dice->one_of({"000", "006", "013", "028"}), key, minute, "Image size of job updated: 1");
    }
    RandomInstanceLogs* dice;
  } writer(*this);
  expect_read("condor", writer);
}

}  // namespace
}  // namespace coterie::traces
