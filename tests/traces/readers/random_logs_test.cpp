// Random logs as people may have them: each row becomes a spell just as it says, or is counted in a warning, or the
// file is refused; nothing is reinterpreted in silence. 500 logs of each kind, 10,000 with COTERIE_FULL.
#include "tests/traces/readers/random_logs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "core/errors.hpp"

namespace coterie::traces {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);)
    if (line.find_first_not_of(" \t\r\v\f") != std::string::npos) lines.push_back(line);
  return lines;
}

/// A CSV with a row for each of these spells, however people write such a file.
struct RandomCsv {
  std::string text;
  std::vector<AvailabilityRecord> spells;  // in the order of the rows
  std::vector<std::string> unused;
  std::vector<std::string> options;
  std::set<std::string> absent;  // causes that the options name but that no row has
};

class RandomCsvs : public RandomLogs {
 protected:
  std::string cased(std::string name) {
    for (char& c : name)
      if (chance(0.3) && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name;
  }

  std::string written(const std::string& field, char delimiter) {
    const bool needed = field.find(delimiter) != std::string::npos || field.find('"') != std::string::npos;
    if (!needed && chance(0.7)) return chance(0.2) ? " " + field + " " : field;
    std::string quoted = "\"";
    for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  }

  RandomCsv make() {
    RandomCsv csv;
    const char delimiter = any(std::string(",;\t|"));
    const std::string end_of_line = chance(0.5) ? "\n" : "\r\n";
    const bool causes = chance(0.5);
    const std::vector<std::string> words = {"preempted", "spot reclaim", "user", "Maintenance", ""};
    const bool one_list = chance(0.5);
    if (causes) csv.options.push_back("observed=PREEMPTED,spot reclaim");
    if (causes) csv.absent = {"preempted", "spot reclaim"};
    if (causes && !one_list) csv.options.push_back("censored=user,maintenance");
    if (causes && !one_list) csv.absent.insert({"user", "Maintenance"});
    std::vector<std::string> columns = {
        cased(any(std::vector<std::string>{"host", "hostname", "instance", "vm", "node", "Instance ID"})),
        cased(any(std::vector<std::string>{"start", "start_time", "begin"})),
        cased(any(std::vector<std::string>{"end", "end_time", "End Time"}))};
    if (causes)
      columns.push_back(cased(any(std::vector<std::string>{"reason", "cause", "status", "end_reason", "event"})));
    const std::size_t used = columns.size();
    for (const char* extra : {"colour", "price", "note, or so"})
      if (chance(0.3)) columns.emplace_back(extra);
    csv.unused.assign(columns.begin() + static_cast<std::ptrdiff_t>(used), columns.end());
    std::vector<std::size_t> order(columns.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    if (chance(0.3)) csv.text = "\xEF\xBB\xBF";
    const auto add_row = [&](const std::vector<std::string>& fields) {
      for (std::size_t i = 0; i < order.size(); ++i)
        csv.text += (i > 0 ? std::string(1, delimiter) : "") + written(fields[order[i]], delimiter);
      csv.text += end_of_line;
    };
    add_row(columns);
    double latest = 0;
    const std::size_t rows = 1 + below(20);
    for (std::size_t row = 0; row < rows; ++row) {
      const double start = static_cast<double>(below(1000));
      const double length = static_cast<double>(below(500));
      const bool open = chance(0.2);
      const std::string cause = any(words);
      if (!open) csv.absent.erase(cause);
      const std::string host = "h" + std::to_string(row) + any(std::vector<std::string>{"", ",x", ";y", "|z", "\"q\""});
      std::vector<std::string> fields = {host, std::to_string(start), open ? "" : std::to_string(start + length)};
      if (causes) fields.push_back(cause == "Maintenance" && open ? "" : (open ? "" : cause));
      // An empty cause is of no list: where both are given the file is refused, which the caller allows for.
      fields.resize(columns.size(), "z");
      add_row(fields);
      const bool seen = !open && (!causes || cause == "preempted" || cause == "spot reclaim");
      csv.spells.push_back({host, start, open ? -1 : length, seen, false});
      latest = std::max(latest, open ? start : start + length);
      if (chance(0.1)) csv.text += "# " + std::to_string(row) + end_of_line;
      if (chance(0.1)) csv.text += end_of_line;
    }
    for (AvailabilityRecord& spell : csv.spells)
      if (spell.duration < 0) spell.duration = latest - *spell.start;
    return csv;
  }
};

TEST_F(RandomCsvs, AreReadAsTheySay) {
  int accepted = 0;
  for (int i = 0; i < count(); ++i) {
    const RandomCsv csv = make();
    SCOPED_TRACE(csv.text);
    AvailabilityTrace trace;
    const ReadingOptions options = ReadingOptions::parse(csv.options);
    try {
      trace = read_log("intervals", csv.text, options);
    } catch (const InputError& error) {  // a cause in neither of two lists
      EXPECT_NE(std::string(error.what()).find("E_CAUSE"), std::string::npos) << error.what();
      continue;
    }
    ++accepted;
    ASSERT_EQ(trace.records.size(), csv.spells.size());
    for (std::size_t k = 0; k < csv.spells.size(); ++k) {
      EXPECT_EQ(trace.records[k].host, csv.spells[k].host);
      EXPECT_EQ(trace.records[k].start, csv.spells[k].start);
      EXPECT_EQ(trace.records[k].duration, csv.spells[k].duration);
      EXPECT_EQ(trace.records[k].observed, csv.spells[k].observed);
    }
    for (const std::string& name : csv.unused)
      EXPECT_EQ(trace.warnings.at("W_COLUMN " + name), static_cast<std::int64_t>(csv.spells.size()));
    EXPECT_EQ(warned(trace, "W_COLUMN"), static_cast<std::int64_t>(csv.unused.size() * csv.spells.size()));
    EXPECT_EQ(warned(trace, "W_ABSENT"), static_cast<std::int64_t>(csv.absent.size()));
    std::istringstream input(csv.text);
    EXPECT_EQ(detect_format(input, "FILE", options).name, "intervals");
  }
  EXPECT_GT(accepted, count() / 2);
}

TEST_F(RandomCsvs, AccountForEveryRowOfDamagedFiles) {
  for (int i = 0; i < count(); ++i) {
    RandomCsv csv = make();
    damage(csv.text);
    SCOPED_TRACE(csv.text);
    try {
      const AvailabilityTrace trace = read_log("intervals", csv.text, ReadingOptions::parse(csv.options));
      std::size_t rows = 0;
      bool header = true;
      for (const std::string& line : lines_of(csv.text)) {
        const std::string_view shown = line.starts_with("\xEF\xBB\xBF") ? std::string_view(line).substr(3) : line;
        if (shown.substr(shown.find_first_not_of(" \t")).starts_with('#')) continue;
        rows += !header;
        header = false;
      }
      EXPECT_EQ(trace.records.size(), rows);
    } catch (const InputError&) {
    }
  }
}

TEST_F(RandomLogs, OfSlurmAccountForEveryRow) {
  const std::vector<std::string> states = {"PREEMPTED", "NODE_FAIL", "COMPLETED", "CANCELLED by 7",
                                           "RUNNING",   "PENDING",   "TIMEOUT"};
  for (int i = 0; i < count(); ++i) {
    std::string text = "JobID|NodeList|State|Start|End\n";
    std::size_t observed = 0;
    const std::size_t rows = 1 + below(20);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::string& state = any(states);
      const bool step = chance(0.2);
      const std::size_t start = below(1000);
      const bool pending = state == "PENDING";
      text += std::to_string(row) + (step ? ".batch" : "") + "|n|" + state + "|" +
              (pending ? "Unknown" : std::to_string(start)) + "|" +
              (pending || state == "RUNNING" ? "Unknown" : std::to_string(start + below(100))) + "\n";
      observed += !step && (state == "PREEMPTED" || state == "NODE_FAIL");
    }
    const bool damaged = chance(0.5);
    if (damaged) damage(text);
    SCOPED_TRACE(text);
    try {
      const AvailabilityTrace trace = read_log("slurm", text, {});
      const auto told = warned(trace, "W_STEP") + warned(trace, "W_NOTSTARTED") + warned(trace, "W_COMMENT");
      std::size_t lines = lines_of(text).size() - 1;
      for (const std::string& line : lines_of(text))
        lines -= line.starts_with('#') && warned(trace, "W_COMMENT") == 0;  // a comment that is no row
      EXPECT_EQ(trace.records.size() + static_cast<std::size_t>(told), lines);
      if (damaged) continue;
      EXPECT_EQ(trace.records.size() - static_cast<std::size_t>(warned(trace, "W_CENSORED")), observed);
    } catch (const InputError& error) {
      EXPECT_TRUE(damaged || std::string(error.what()).find("E_EMPTY") != std::string::npos) << error.what();
    }
  }
}

TEST_F(RandomLogs, OfCondorHistoryAccountForEveryRun) {
  for (int i = 0; i < count(); ++i) {
    const bool more = chance(0.3);
    const std::string end_of_line = chance(0.5) ? "\n" : "\r\n";
    std::string text = std::string(chance(0.3) ? "\xEF\xBB\xBF" : "") +
                       any(std::vector<std::string>{"ClusterId", "clusterid"}) +
                       " ProcId LastRemoteHost JobCurrentStartDate EpochWriteDate VacateReasonCode" +
                       (more ? " Owner" : "") + end_of_line;
    std::size_t observed = 0;
    const std::size_t rows = 1 + below(20);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::string code = any(std::vector<std::string>{"1011", "1013", "1004", "34", "undefined"});
      const bool started = chance(0.9);
      const std::size_t start = below(1000);
      text += std::to_string(row) + " 0 " + any(std::vector<std::string>{"slot1@a", "undefined"}) + "  " +
              (started ? std::to_string(start) : "undefined") + " " + std::to_string(start + below(100)) + "\t" + code +
              (more ? " jo" : "") + end_of_line;
      observed += started && (code == "1011" || code == "1013");
    }
    const bool damaged = chance(0.5);
    if (damaged) damage(text);
    SCOPED_TRACE(text);
    try {
      const AvailabilityTrace trace = read_log("condor-history", text, {});
      EXPECT_EQ(trace.records.size() + static_cast<std::size_t>(warned(trace, "W_NOTSTARTED")),
                lines_of(text).size() - 1);
      if (damaged) continue;
      EXPECT_EQ(trace.records.size() - static_cast<std::size_t>(warned(trace, "W_CENSORED")), observed);
      EXPECT_EQ(warned(trace, "W_COLUMN"), more ? static_cast<std::int64_t>(rows) : 0);
    } catch (const InputError& error) {
      EXPECT_TRUE(damaged || std::string(error.what()).find("E_EMPTY") != std::string::npos) << error.what();
    }
  }
}

TEST_F(RandomLogs, OfBoincAccountForEveryHost) {
  for (int i = 0; i < count(); ++i) {
    const std::string end_of_line = chance(0.5) ? "\n" : "\r\n";
    std::string text = std::string(chance(0.3) ? "\xEF\xBB\xBF" : "") + "<hosts>" + end_of_line;
    std::size_t latest = 0;
    std::vector<std::size_t> heard;
    const std::size_t hosts = 1 + below(12);
    for (std::size_t host = 0; host < hosts; ++host) {
      const std::size_t created = below(1000);
      heard.push_back(chance(0.1) ? 0 : created + below(1000));
      latest = std::max({latest, created, heard.back()});
      std::vector<std::string> parts = {"<id>" + std::to_string(host) + "</id>",
                                        "<create_time>" + std::to_string(created) + "</create_time>",
                                        "<rpc_time>" + std::to_string(heard.back()) + "</rpc_time>"};
      if (chance(0.5)) parts.emplace_back("<os_name>x</os_name>");
      std::shuffle(parts.begin(), parts.end(), random_);
      text += "<host>" + end_of_line;
      for (const std::string& part : parts) text += (chance(0.5) ? "  " : "") + part + end_of_line;
      text += "</host>" + end_of_line;
    }
    text += "</hosts>" + end_of_line;
    std::size_t gone = 0;
    for (const std::size_t time : heard) gone += time > 0 && time + 300 < latest;
    const bool damaged = chance(0.5);
    if (damaged) damage(text);
    SCOPED_TRACE(text);
    try {
      const AvailabilityTrace trace = read_log("boinc", text, ReadingOptions::parse({"silent=300s"}));
      EXPECT_EQ(trace.records.size() + static_cast<std::size_t>(warned(trace, "W_NOTSTARTED")), hosts);
      if (damaged) continue;
      EXPECT_EQ(trace.records.size() - static_cast<std::size_t>(warned(trace, "W_CENSORED")), gone);
    } catch (const InputError& error) {
      EXPECT_TRUE(damaged || std::string(error.what()).find("E_EMPTY") != std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace coterie::traces
