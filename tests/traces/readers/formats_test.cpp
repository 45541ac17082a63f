#include "traces/readers/formats.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/errors.hpp"
#include "tests/own_path.hpp"

namespace coterie::traces {
namespace {

/// The settled cases, and those of logs as people have them.
nlohmann::json cases() {
  nlohmann::json all = nlohmann::json::array();
  for (const char* name : {"/trace-formats.json", "/log-formats.json"}) {
    std::ifstream input(std::string(COTERIE_TEST_DATA) + name);
    for (const auto& one : nlohmann::json::parse(input)) all.push_back(one);
  }
  return all;
}

std::vector<std::string> option_words(const nlohmann::json& options) {
  std::vector<std::string> words;
  for (const auto& [key, value] : options.items())
    words.push_back(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  return words;
}

AvailabilityTrace read_text(const std::string& format, const std::string& text,
                            const std::vector<std::string>& words = {}) {
  std::istringstream input(text);
  return trace_format(format).read(input, "FILE", ReadingOptions::parse(words));
}

/// "CODE:LINE" of the error that reading gives, "none" without one.
std::string error_of(const std::string& format, const std::string& text, const std::vector<std::string>& words = {}) {
  try {
    read_text(format, text, words);
  } catch (const InputError& error) {
    const std::string message = error.what();
    std::string line = "0";
    std::string rest = message.substr(5);  // after "FILE:"
    if (rest[0] != ' ') {
      line = rest.substr(0, rest.find(':'));
      rest = rest.substr(line.size() + 1);
    }
    return rest.substr(1, rest.find(':', 1) - 1) + ":" + line;
  }
  return "none";
}

nlohmann::json as_json(const AvailabilityTrace& trace) {
  nlohmann::json records = nlohmann::json::array();
  const bool zones =
      std::any_of(trace.records.begin(), trace.records.end(), [](const auto& r) { return r.zone.has_value(); });
  for (const AvailabilityRecord& r : trace.records) {
    records.push_back({r.host ? nlohmann::json(*r.host) : nlohmann::json(),
                       r.start ? nlohmann::json(*r.start) : nlohmann::json(), r.duration, r.observed ? 1 : 0,
                       r.left_truncated ? 1 : 0});
    if (zones) records.back().push_back(r.zone ? nlohmann::json(*r.zone) : nlohmann::json());
  }
  return records;
}

TEST(TraceFormats, ReadTheHandWrittenCasesToTheLetter) {
  const auto all = cases();
  ASSERT_GE(all.size(), 52u + 320u);
  for (const auto& one : all) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const auto& expected = one["expect"];
    const auto words = option_words(one["options"]);
    if (expected.contains("error")) {
      EXPECT_EQ(error_of(one["format"], one["text"], words),
                expected["error"].get<std::string>() + ":" + expected["line"].dump());
      continue;
    }
    const AvailabilityTrace trace = read_text(one["format"], one["text"], words);
    EXPECT_EQ(as_json(trace), expected["records"]);
    EXPECT_EQ(nlohmann::json(trace.warnings), expected["warnings"]);
    // An option that a case uses must be one that the table offers for the format.
    EXPECT_NO_THROW(ReadingOptions::parse(words).allow_only(one["format"], trace_format(one["format"]).options));
  }
}

TEST(TraceFormats, AreToldFromTheContent) {
  for (const auto& one : cases()) {
    if (one["expect"].contains("error")) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    std::istringstream input(one["text"].get<std::string>());
    const ReadingOptions options = ReadingOptions::parse(option_words(one["options"]));
    EXPECT_EQ(detect_format(input, "FILE", options).name, one["format"].get<std::string>());
  }
}

TEST(TraceFormats, AskForTheFormatWhereTheContentFitsTwo) {
  std::istringstream input("5 0\n6 0\n");  // simgrid, or avt with two nodes that were never up
  try {
    detect_format(input, "FILE", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "FILE: the format cannot be recognised from the content; give --trace-format \"avt\" or \"simgrid\"");
  }
}

TEST(TraceFormats, SayWhatAFileLooksLikeAndWhatToDo) {
  const auto message = [](const std::string& text) -> std::string {
    std::istringstream input(text);
    try {
      return detect_format(input, "FILE", {}).name;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::vector<std::pair<std::string, std::string>> told = {
      {"JobID           JobName      State               Start\n------------ ---\n", "sacct --parsable2"},
      {"LAST SEEN   TYPE     REASON         OBJECT       MESSAGE\n", "--output json"},
      {"NAMESPACE   LAST SEEN   TYPE     REASON         OBJECT       MESSAGE\n", "--output json"},
      {"NAME    STATUS   ROLES    AGE   VERSION\n", "kubectl get events"},
      {"NAME  TYPE  TARGET  HTTP_STATUS  STATUS  TIMESTAMP\n", "gcloud compute operations list --format=json"},
      {" ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n", "condor_history -epochs"},
      {"a,0,10\nb,0,7\n", "the first line must name the columns"},
      {"i-1;2026-09-01 00:00:00;2026-09-01 01:00:00\n", "the first line must name the columns"},
      {"host start end\na 0 10\n", "tr -s ' ' ','"},
      {"{\"name\": \"x\", \"price\": 3}\n", "the keys of its first record are name, price"},
      {"<users><user><id>1</id></user></users>\n", "<users> does not belong"},
      {"what is this?\n", "its first line is \"what is this?\""},
  };
  for (const auto& [text, part] : told) EXPECT_NE(message(text).find(part), std::string::npos) << message(text);
  EXPECT_EQ(message("{\"kind\": \"Lease\"}\n{\"involvedObject\": {}}\n"), "kubernetes");
}

/// What gzip, bzip2, xz and zstd make of "10\n20\n30\n".
const std::vector<std::string>& packed() {
  static const std::vector<std::string> table = [] {
    std::vector<std::string> files;
    for (const char* hexadecimal :
         {"1f8b08000000000002033334e03232e03236e002006cb66e6009000000",
          "425a6839314159265359a64278dc00000348000010780020002183419a08cc0f8bb9229c284853213c6e00",
          "fd377a585a000004e6d6b4460200210116000000742fe5a301000831300a32300a33300a000000006b590b7afa57d329000121096c18"
          "c5"
          "d51fb6f37d010000000004595a",
          "28b52ffd240949000031300a32300a33300a51b3ef9b"}) {
      std::string bytes;
      std::string digits;
      for (const char* at = hexadecimal; *at != 0; ++at)
        if (*at != ' ') digits += *at;
      for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
      files.push_back(bytes);
    }
    return files;
  }();
  return table;
}

TEST(TraceFormats, AreReadFromPackedFiles) {
  const std::string path = own_path(".packed");
  const auto read = [&](const std::string& bytes) -> std::string {
    std::ofstream(path, std::ios::binary) << bytes;
    std::string answer;
    try {
      answer = as_json(read_trace(path, "")).dump();
    } catch (const InputError& error) {
      answer = error.what();
    }
    std::filesystem::remove(path);
    return answer;
  };
  for (const std::string& bytes : packed()) {
    EXPECT_EQ(read(bytes), "[[null,null,10.0,1,0],[null,null,20.0,1,0],[null,null,30.0,1,0]]");
    for (const std::size_t cut : {std::size_t{8}, bytes.size() / 2, bytes.size() - 5})
      EXPECT_NE(read(bytes.substr(0, cut)).find("cannot be unpacked"), std::string::npos)
          << cut << read(bytes.substr(0, cut));
  }
  EXPECT_NE(read("PAR1xxxxxxxxxxxxxxxxx").find("pandas"), std::string::npos);
  EXPECT_NE(read(std::string("PK\x03\x04xxxxxxxx", 12)).find("unzip"), std::string::npos);
}

TEST(TraceFormats, RefuseEmptyInput) {
  for (const TraceFormat& format : trace_formats())
    for (const char* text : {"", "\n", " \r\n\n"}) EXPECT_EQ(error_of(format.name, text), "E_EMPTY:0") << format.name;
}

TEST(TraceFormats, RefuseTextThatIsNotUtf8) {
  EXPECT_EQ(error_of("avt", "a 1 0 1\nb\xff 1 0 1\n"), "E_ENCODING:2");
  EXPECT_EQ(error_of("avt", "h\xc3\xb6st 1 0 1\n"), "none");
}

TEST(TraceFormats, HaveNamesAndOptionsOfTheirOwn) {
  std::set<std::string> names;
  for (const TraceFormat& format : trace_formats()) {
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_FALSE(format.summary.empty());
  }
  EXPECT_THROW(trace_format("ftaa"), InputError);
  EXPECT_THROW(ReadingOptions::parse({"t1=3"}).allow_only("durations", trace_format("durations").options), InputError);
}

TEST(TraceFormats, OfLogsHaveTenCasesEach) {
  std::map<std::string, int> count;
  const std::vector<std::string> kinds = {
      "slurm-json", "condor-json", "condor-xml",      "prometheus", "last",          "gce-operations",
      "failures",   "backblaze",   "google-machines", "opendc",     "slurm",         "condor",
      "ec2",        "gce",         "kubernetes",      "boinc",      "condor-history"};
  for (const auto& one : cases())
    for (const std::string& kind : kinds) count[kind] += one["name"].get<std::string>().starts_with(kind + "-");
  for (const std::string& kind : kinds) EXPECT_GE(count[kind], 10) << kind;
}

TEST(TraceFormats, SayWhereTheUnitComesFrom) {
  const std::string path = own_path(".trace");
  const auto source = [&](const std::string& text, const std::vector<std::string>& words = {}) {
    std::ofstream(path, std::ios::binary) << text;
    const UnitSource found = read_trace(path, "", words).unit;
    std::filesystem::remove(path);
    return found;
  };
  EXPECT_EQ(source("5\n7\n"), UnitSource::kAssumed);
  EXPECT_EQ(source("5\n7\n", {"unit=h"}), UnitSource::kGiven);
  EXPECT_EQ(source("host,start,end\na,5,7\n"), UnitSource::kAssumed);
  EXPECT_EQ(source("host,start,end\na,1970-01-01T00:00:10Z,1970-01-01T00:00:12Z\n"), UnitSource::kCalendar);
  EXPECT_EQ(source("1970-01-01T00:00:00Z a up\n"), UnitSource::kCalendar);
  EXPECT_EQ(source("1970-01-01 00:00:00 a up\n", {"timezone=UTC"}), UnitSource::kCalendar);
  EXPECT_EQ(source("a 1 0 5\n"), UnitSource::kFormat);
  // Dates in columns that are not read say nothing.
  EXPECT_EQ(source("host,start,end,created\na,5,7,1970-01-01T00:00:10Z\n"), UnitSource::kAssumed);
}

TEST(Durations, TellBadHeadersFromBadNumbersAndBadFields) {
  EXPECT_EQ(error_of("durations", "1e999\n"), "E_NUMBER:1");
  EXPECT_EQ(error_of("durations", "nan\n"), "E_HEADER:1");
  EXPECT_EQ(error_of("durations", "observed,duration\n1,2\n"), "E_HEADER:1");
  EXPECT_EQ(error_of("durations", "1\n2 3\n"), "E_FIELDS:2");
  EXPECT_EQ(error_of("durations", "duration,observed\n1\n"), "E_FIELDS:2");
  EXPECT_EQ(error_of("durations", "duration,observed\n"), "E_EMPTY:0");
  EXPECT_EQ(error_of("durations", "duration,observed\n-1,1\n"), "E_NEGATIVE:2");
  EXPECT_EQ(error_of("durations", "1\n0\n", {"zero=error"}), "E_ZERO:2");
  EXPECT_EQ(error_of("durations", "0\n", {"zero=drop"}), "E_EMPTY:0");
  EXPECT_EQ(error_of("durations", "1e300\n1e308\n", {"unit=d"}), "E_NUMBER:2");
}

TEST(Durations, AreConvertedFromEveryUnit) {
  const std::vector<std::pair<std::string, double>> units = {{"us", 61e-6}, {"ms", .061},    {"s", 61.0},
                                                             {"min", 3660}, {"h", 219600.0}, {"d", 5270400}};
  for (const auto& [unit, seconds] : units)
    EXPECT_DOUBLE_EQ(read_text("durations", "61", {"unit=" + unit}).records[0].duration, seconds) << unit;
}

TEST(Durations, KeepZerosAndCountThem) {
  const AvailabilityTrace trace = read_text("durations", "0\n-0\n2\n");
  EXPECT_EQ(trace.records.size(), 3u);
  EXPECT_FALSE(std::signbit(trace.records[1].duration));
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_ZERO", 2}}));
}

TEST(Intervals, CloseOpenSpellsAtTheEndOfTheRecordingOrOfTheFile) {
  const std::string text = "end,note,host,start\n-,x,a,0\n,y,b,5\n9,z,c,1\nNULL,,d,2\nnull,,e,2\nNA,,f,2\ninf,,g,2\n";
  const AvailabilityTrace trace = read_text("intervals", text);
  EXPECT_EQ(as_json(trace).dump(),
            R"([["a",0.0,9.0,0,0],["b",5.0,4.0,0,0],["c",1.0,8.0,1,0],["d",2.0,7.0,0,0],["e",2.0,7.0,0,0],)"
            R"(["f",2.0,7.0,0,0],["g",2.0,7.0,0,0]])");
  EXPECT_EQ(trace.warnings.at("W_CENSORED"), 6);
  EXPECT_EQ(read_text("intervals", text, {"t1=20"}).records[0].duration, 20);
}

TEST(Intervals, AreCutAtTheEndAndFlaggedAtTheBeginningOfTheRecording) {
  const AvailabilityTrace trace = read_text("intervals", "host,start,end\na,5,8\na,9,15\nb,6,40\n", {"t0=5", "t1=15"});
  EXPECT_EQ(as_json(trace).dump(), R"([["a",5.0,3.0,1,1],["a",9.0,6.0,0,0],["b",6.0,9.0,0,0]])");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,5,8\na,16,17\n", {"t1=15"}), "E_NEGATIVE:3");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,1,2\na,16,17\n", {"t0=3"}), "E_NEGATIVE:2");
}

TEST(Intervals, AreUnitedOnlyOnDemandAndTheLatestEndDecides) {
  const std::string text = "host,start,end,observed\na,0,10,1\na,9,20,0\na,12,15,1\na,30,31,1\n";
  EXPECT_EQ(error_of("intervals", text), "E_OVERLAP:3");
  const AvailabilityTrace trace = read_text("intervals", text, {"overlap=merge"});
  EXPECT_EQ(as_json(trace).dump(), R"([["a",0.0,20.0,0,0],["a",30.0,1.0,1,0]])");
  EXPECT_EQ(trace.warnings.at("W_MERGED"), 2);
  // A spell inside a long one is an overlap even where another lies between them in time.
  EXPECT_EQ(error_of("intervals", "host,start,end\na,0,100\nb,0,1\na,40,50\na,60,70\n"), "E_OVERLAP:4");
  // The line is the one where a reader of the file meets the overlap, whatever the order.
  EXPECT_EQ(error_of("intervals", "host,start,end\na,9,20\na,0,10\n"), "E_OVERLAP:3");
}

TEST(Intervals, RefuseWhatIsNotStated) {
  EXPECT_EQ(error_of("intervals", "host,start,end\na,2019-03-10T01:30:00,5\n"), "E_NUMBER:2");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,2019-02-29T01:30:00Z,5\n"), "E_NUMBER:2");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,b,0,5\n"), "E_FIELDS:2");
  EXPECT_EQ(error_of("intervals", "host,start,end,host\n"), "E_HEADER:1");
  EXPECT_EQ(error_of("intervals", "host,start,end,observed\na,0,5,2\n"), "E_FLAG:2");
  EXPECT_EQ(error_of("intervals", "host,start,end,observed\na,0,,1\n"), "E_FLAG:2");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,-1e308,1e308\n"), "E_NUMBER:2");
}

TEST(Intervals, OfDownTimesGiveTheTimesBetweenThem) {
  const std::string text = "host,start,end\na,10,12\nb,3,4\na,11,20\na,20,21\na,30,31\nb,50,-\n";
  const AvailabilityTrace plain = read_text("intervals", text, {"rows=down"});
  EXPECT_EQ(as_json(plain), nlohmann::json::parse(R"([["a", 21, 9, 1, 0], ["b", 4, 46, 1, 0]])"));
  EXPECT_EQ(plain.warnings.at("W_MERGED"), 2);
  EXPECT_FALSE(read_text("intervals", text, {"rows=down", "host=b"}).warnings.contains("W_MERGED"));
  EXPECT_EQ(as_json(read_text("intervals", text, {"rows=down", "host=a", "t0=9"})),
            nlohmann::json::parse(R"([["a", 9, 1, 1, 1], ["a", 21, 9, 1, 0]])"));  // b is down from 3 to 4
  const AvailabilityTrace watched = read_text("intervals", text, {"rows=down", "t0=3", "t1=60"});
  EXPECT_EQ(as_json(watched), nlohmann::json::parse(R"([["a", 3, 7, 1, 1], ["a", 21, 9, 1, 0], ["a", 31, 29, 0, 0],
                                                        ["b", 4, 46, 1, 0]])"));
  EXPECT_EQ(error_of("intervals", text, {"rows=down", "t0=4"}), "E_NEGATIVE:3");
  EXPECT_EQ(error_of("intervals", text, {"rows=down", "t1=30.5"}), "E_NEGATIVE:6");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,1,2\n", {"rows=down"}), "E_EMPTY:0");
  EXPECT_EQ(error_of("intervals", "host,start,end,observed\na,1,2,1\n", {"rows=down"}), "E_HEADER:1");
  EXPECT_EQ(as_json(read_text("intervals", text, {"rows=up", "overlap=merge"})),
            as_json(read_text("intervals", text, {"overlap=merge"})));
}

TEST(TimeStamps, FollowIso8601) {
  const TimeUnit seconds;
  EXPECT_EQ(parse_time_stamp("1970-01-01T00:00:00Z", seconds), 0.0);
  EXPECT_EQ(parse_time_stamp("2000-03-01T00:00:00+00:00", seconds), 951868800.0);
  EXPECT_EQ(parse_time_stamp("1969-12-31T23:59:59.5-0000", seconds), -0.5);
  EXPECT_EQ(parse_time_stamp("2019-03-10T01:30:00-08", seconds), 1552210200.0);
  EXPECT_EQ(parse_time_stamp("2019-03-10T01:30:00Z", *find_time_unit("ms")), 1552181400.0);  // the unit is not for ISO
  for (const char* text : {"2019-03-10", "2019-03-10T01:30:00", "2019-03-10T24:00:00Z", "2019-13-10T01:30:00Z",
                           "2019-03-10T01:30:60Z", "2019-03-10T01:3:00Z", "2019-03-10T01:30:00PST",
                           "2019-03-10T01:30:5Z", "2019-03-10T01:30:00+1:00", "2019-03-10T01:30:00+01:0", ""})
    EXPECT_FALSE(parse_time_stamp(text, seconds)) << text;
}

TEST(Events, TakeEitherFormAndEitherSeparator) {
  EXPECT_EQ(as_json(read_text("events", "0,a,up\n1 add b\n2,remove,b\n3\ta\tdown\n")).dump(),
            R"([["b",1.0,1.0,1,0],["a",0.0,3.0,1,0]])");
  EXPECT_EQ(error_of("events", "0 a up\n1 a up\n"), "E_STATE:2");
  EXPECT_EQ(error_of("events", "0 a up\n1 a down\n1 a down\n"), "E_STATE:3");
  EXPECT_EQ(error_of("events", "0 a\n"), "E_FIELDS:1");
  EXPECT_EQ(error_of("events", "x a up\n"), "E_NUMBER:1");
}

TEST(Events, CountSpellsThatTouch) {
  const AvailabilityTrace trace = read_text("events", "0 a up\n5 a down\n5 a up\n5 a down\n9 b up\n");
  EXPECT_EQ(as_json(trace).dump(), R"([["a",0.0,5.0,1,0],["a",5.0,0.0,1,0],["b",9.0,0.0,0,0]])");
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_CENSORED", 1}, {"W_TOUCH", 1}, {"W_ZERO", 2}}));
}

TEST(Avt, ReadsNodesWithAnyNumberOfSpells) {
  const AvailabilityTrace trace = read_text("avt", "a 2 0 5 5 7.5\nnever 0\nb 1 3 10\n", {"t0=0", "t1=10"});
  EXPECT_EQ(as_json(trace).dump(), R"([["a",0.0,5.0,1,1],["a",5.0,2.5,1,0],["b",3.0,7.0,0,0]])");
  EXPECT_EQ(trace.warnings.at("W_TOUCH"), 1);
  EXPECT_EQ(error_of("avt", "a 1 0 5\na 1 6 7\n"), "E_DUPHOST:2");
  EXPECT_EQ(error_of("avt", "a 1 0 5 6\n"), "E_COUNT:1");
  EXPECT_EQ(error_of("avt", "a -1\n"), "E_COUNT:1");
  EXPECT_EQ(error_of("avt", "a 99999999999999999999\n"), "E_COUNT:1");
  EXPECT_EQ(error_of("avt", "a 9223372036854775807\n"), "E_COUNT:1");
  EXPECT_EQ(error_of("avt", "a 1 0 x\n"), "E_NUMBER:1");
  EXPECT_EQ(error_of("avt", "a 0\n"), "E_EMPTY:0");
}

constexpr const char* kFtaHeader =
    "event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time "
    "event_end_reason\n";

TEST(Fta, NeedsUnavailabilityOnBothSidesOfACompleteSpell) {
  const std::string text = std::string(kFtaHeader) +
                           "0 0 1 5 n 1 0 5 NULL\n1 0 1 5 n 0 5 5 NULL\n2 0 1 5 n 1 5 9 NULL\n" +
                           "3 0 1 5 n 0 12 20 NULL\n4 0 1 5 n 1 22 30 NULL\n";
  const AvailabilityTrace trace = read_text("fta", text);
  EXPECT_EQ(as_json(trace).dump(), R"([["n",0.0,5.0,1,1],["n",5.0,4.0,0,0],["n",22.0,8.0,0,1]])");
  EXPECT_EQ(trace.warnings,
            (std::map<std::string, std::int64_t>{{"W_CENSORED", 2}, {"W_GAP", 1}, {"W_LEFT", 2}, {"W_TOUCH", 1}}));
}

TEST(Fta, KeepsComponentsApartAndFiltersThem) {
  const std::string text = std::string(kFtaHeader) + "0 0 1 5 n 1 0 9 NULL\n0 1 1 5 n 1 4 9 NULL\n";
  EXPECT_EQ(read_text("fta", text, {"component=1"}).records.size(), 1u);
  EXPECT_EQ(error_of("fta", text, {"component=2"}), "E_EMPTY:0");
  EXPECT_EQ(error_of("fta", std::string(kFtaHeader) + "0 0 1 5 node name 1 0 9 NULL\n"), "E_FIELDS:2");
  EXPECT_EQ(error_of("fta", std::string(kFtaHeader) + "0 0 1 5 n 7 0 9 NULL\n"), "E_EVENT:2");
  EXPECT_EQ(error_of("fta", std::string(kFtaHeader) + "0 0 1 5 n 1 NULL 9 NULL\n"), "E_NUMBER:2");
}

TEST(Fta, TakesThePlacesOfNodesForZones) {
  const std::string path = own_path("-node.tab");
  const auto read = [&](const std::string& table) {
    std::ofstream(path, std::ios::binary) << table;
    const std::string text = std::string(kFtaHeader) + "0 0 1 5 n 1 0 9 NULL\n0 0 2 5 m 1 4 9 NULL\n";
    std::string answer;
    try {
      answer = as_json(read_text("fta", text, {"node_tab=" + path})).dump();
    } catch (const InputError& error) {
      answer = error.what();
    }
    std::filesystem::remove(path);
    return answer;
  };
  EXPECT_EQ(read("# node_id platform_id node_name node_ip node_location timezone\n1 5 n NULL G1/c1 +3600\n"
                 "2 5 m NULL NULL +3600\n"),
            R"([["n",0.0,9.0,0,1,"G1/c1"],["m",4.0,5.0,0,1,null]])");
  EXPECT_TRUE(read("1 5 n NULL G1/c1\n1 6 m NULL G1/c1\n").starts_with("FILE:3: E_ZONE: "));  // no node 2 of platform 5
  EXPECT_TRUE(read("1 5 n NULL\n").starts_with(path + ":1: E_FIELDS: "));
  EXPECT_TRUE(read("1 5 n NULL a\n1 5 n NULL a\n").starts_with(path + ":2: E_DUPHOST: "));
  EXPECT_TRUE(read("node_id platform_id node_name node_ip node_location\n").starts_with(path + ": E_EMPTY: "));
}

TEST(Fta, TakesPlatformsForZones) {
  const std::string path = own_path("-platform.tab");
  const auto read = [&](const std::string& table, const std::vector<std::string>& more = {}) {
    std::ofstream(path, std::ios::binary) << table;
    const std::string text = std::string(kFtaHeader) + "0 0 1 5 n 1 0 9 NULL\n0 0 1 6 m 1 4 9 NULL\n";
    std::vector<std::string> words = {"platform_tab=" + path};
    words.insert(words.end(), more.begin(), more.end());
    std::string answer;
    try {
      answer = as_json(read_text("fta", text, words)).dump();
    } catch (const InputError& error) {
      answer = error.what();
    }
    std::filesystem::remove(path);
    return answer;
  };
  const std::string header = "# platform_id platform_name platform_location platform_type notes\n";
  EXPECT_EQ(read(header + "5 Grid'5000 France Grid NULL\n6 NULL USA Cluster NULL\n"),
            R"([["n",0.0,9.0,0,1,"Grid'5000"],["m",4.0,5.0,0,1,null]])");
  EXPECT_TRUE(read(header + "5 a France Grid NULL\n").starts_with("FILE:3: E_ZONE: the platform 6 "));
  EXPECT_TRUE(read("5 LANL system 18 USA Cluster NULL\n").starts_with(path + ":1: E_FIELDS: "));
  EXPECT_TRUE(read("5 a b c NULL\n5 a b c NULL\n").starts_with(path + ":2: E_DUPHOST: "));
  EXPECT_TRUE(read("platform_id platform_name a b c\n").starts_with(path + ": E_EMPTY: "));
  EXPECT_NE(read("5 a b c NULL\n", {"node_tab=x"}).find("node_tab already gives the failure zones"), std::string::npos);
  EXPECT_NE(read("5 a b c NULL\n", {"zone_parts=1"}).find("platform_tab already gives"), std::string::npos);
}

TEST(TraceFormats, TellTheClockFromZonesOfFailures) {
  const auto message = [](const std::vector<std::string>& words) -> std::string {
    try {
      ReadingOptions::parse(words);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_NE(message({"zone=UTC"}).find("timezone=NAME"), std::string::npos);
  EXPECT_NE(message({"zone=UTC"}).find("zones=COLUMN"), std::string::npos);
  EXPECT_NE(message({"timezone=Mars/Olympus"}).find("unknown time zone"), std::string::npos);
  EXPECT_NE(message({"zone_parts=0"}).find("a whole number from 1 to 100"), std::string::npos);
  EXPECT_NE(message({"zone_parts=1", "zones=rack"}).find("leave one out"), std::string::npos);
}

/// A component.tab beside the test, gone with it.
class ComponentTable {
 public:
  explicit ComponentTable(const std::string& text) : path_(own_path("-component.tab")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~ComponentTable() { std::filesystem::remove(path_); }
  std::string option() const { return "component_tab=" + path_; }
  std::string error(const std::string& text) const { return error_of("fta", text, {option()}); }

 private:
  std::string path_;
};

constexpr const char* kTwoComponents =
    "1 0 7 5 n 1 0 10 NULL\n2 0 7 5 n 0 10 12 NULL\n3 0 7 5 n 1 12 30 NULL\n"
    "4 1 7 5 n 1 5 9 NULL\n5 1 7 5 n 0 9 11 NULL\n";

TEST(Fta, TakesTheRecordingWindowOfEachComponentFromItsTable) {
  const ComponentTable table(
      "# component_id node_id platform_id creator_id node_name component_type trace_start trace_end resolution\n"
      "0 7 5 0 n host 0 20 5\n 1 7 5 0 n cpu 5 NULL 60\n");
  const AvailabilityTrace trace = read_text("fta", kTwoComponents, {table.option()});
  EXPECT_EQ(as_json(trace), nlohmann::json::parse(R"([["n", 0, 10, 1, 1], ["n", 12, 8, 0, 0], ["n", 5, 4, 1, 1]])"));
  EXPECT_EQ(trace.resolution, 60);  // the coarsest
  // The user's own window comes before the table's.
  EXPECT_EQ(as_json(read_text("fta", kTwoComponents, {table.option(), "t1=25"}))[1],
            nlohmann::json::parse(R"(["n", 12, 13, 0, 0])"));
}

TEST(Fta, FiltersByTheTypeOfComponent) {
  const ComponentTable table(
      "component_id node_id platform_id creator_id node_name component_type trace_start "
      "trace_end resolution\n0 7 5 0 n host NULL NULL NULL\n1 7 5 0 n cpu NULL NULL NULL\n");
  const AvailabilityTrace hosts = read_text("fta", kTwoComponents, {table.option(), "component_type=host"});
  EXPECT_EQ(as_json(hosts), nlohmann::json::parse(R"([["n", 0, 10, 1, 1], ["n", 12, 18, 0, 0]])"));
  EXPECT_FALSE(hosts.resolution);
  EXPECT_EQ(read_text("fta", kTwoComponents, {table.option(), "component_type=cpu"}).records.size(), 1u);
  EXPECT_EQ(error_of("fta", kTwoComponents, {table.option(), "component_type=disk"}), "E_EMPTY:0");
  EXPECT_THROW(read_text("fta", kTwoComponents, {"component_type=host"}), InputError);
}

TEST(Fta, RefusesATableThatDoesNotFit) {
  EXPECT_EQ(ComponentTable("0 7 5 0 n host 0 20 5\n").error(kTwoComponents), "E_COMPONENT:4");
  const auto message = [](const std::string& table) {
    try {
      read_text("fta", kTwoComponents, {ComponentTable(table).option()});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(message("0 7 5 0 n host 0 20\n").find(":1: E_FIELDS"), std::string::npos);
  EXPECT_NE(message("0 7 5 0 n host 0 20 5\n1 7 5 0 n cpu x 2 5\n").find(":2: E_NUMBER"), std::string::npos);
  EXPECT_NE(message("0 7 5 0 n host 20 0 5\n").find(":1: E_NEGATIVE"), std::string::npos);
  EXPECT_NE(message("0 7 5 0 n host 0 2 -5\n").find(":1: E_NEGATIVE"), std::string::npos);
  EXPECT_NE(message("0 7 5 0 n host 0 20 5\n0 7 5 0 n host 0 20 5\n").find(":2: E_DUPHOST"), std::string::npos);
  EXPECT_NE(message("# nothing\n").find(": E_EMPTY"), std::string::npos);
}

TEST(Fta, DoesNotDependOnTheOrderOfRows) {
  const std::string a = "0 0 1 5 n 0 0 5 NULL\n", b = "1 0 1 5 n 1 5 9 NULL\n", c = "2 0 1 5 n 0 9 11 NULL\n";
  const auto expected = as_json(read_text("fta", a + b + c));
  EXPECT_EQ(as_json(read_text("fta", c + a + b)), expected);
  EXPECT_EQ(as_json(read_text("fta", b + c + a)), expected);
}

TEST(SimGrid, SkipsAndCountsASpellThatStartsAtTheLastDate) {
  const AvailabilityTrace trace = read_text("simgrid", "1 1\n2 0\n3 1\n3 1\n", {"zero=error"});
  EXPECT_EQ(as_json(trace).dump(), R"([["host",0.0,2.0,1,1]])");
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_LASTUP", 1}, {"W_LEFT", 1}}));
  EXPECT_EQ(error_of("simgrid", "0 1\n"), "E_EMPTY:0");
  EXPECT_EQ(as_json(read_text("simgrid", "0 1\n", {"t1=5"})).dump(), R"([["host",0.0,5.0,0,1]])");
  EXPECT_EQ(as_json(read_text("simgrid", "5 1\n")).dump(), R"([["host",0.0,5.0,0,1]])");
}

TEST(SimGrid, CensorsTheLastSpellAtTheEndOfTheRecordingOrOfTheFile) {
  EXPECT_EQ(as_json(read_text("simgrid", "% c\n1 0\n2 1\n", {"t1=10"})).dump(),
            R"([["host",0.0,1.0,1,1],["host",2.0,8.0,0,0]])");
  EXPECT_EQ(as_json(read_text("simgrid", "1 0\n2 1\n9 1\n")).dump(), R"([["host",0.0,1.0,1,1],["host",2.0,7.0,0,0]])");
  EXPECT_EQ(as_json(read_text("simgrid", "0 0\n2 1\n3 0\n")).dump(), R"([["host",2.0,1.0,1,0]])");
  EXPECT_EQ(error_of("simgrid", "0 0\n"), "E_EMPTY:0");
  EXPECT_EQ(error_of("simgrid", "LOOPAFTER 8\n"), "E_EMPTY:0");
  EXPECT_EQ(error_of("simgrid", "1 0\nLOOPAFTER -1\n"), "E_LOOP:0");
  EXPECT_EQ(error_of("simgrid", "1\n"), "E_FIELDS:1");
  EXPECT_EQ(error_of("simgrid", "UNIF 0 1 DET 0\n"), "E_STOCHASTIC:1");
}

TEST(Samples, SayWhatIsWrong) {
  const auto with = [](const std::string& gap, const std::string& data) {
    return R"({"metadata": {"gap_seconds": )" + gap + R"(}, "data": )" + data + "}";
  };
  EXPECT_EQ(error_of("samples", with("0", "[1]")), "E_FIELDS:0");
  EXPECT_EQ(error_of("samples", with("\"5\"", "[1]")), "E_FIELDS:0");
  EXPECT_EQ(error_of("samples", with("5", "3")), "E_FIELDS:0");
  EXPECT_EQ(error_of("samples", with("5", "[1.5]")), "E_NUMBER:0");
  EXPECT_EQ(error_of("samples", with("5", "[-1]")), "E_NUMBER:0");
  EXPECT_EQ(error_of("samples", with("5", "[2]")), "E_COUNT:0");
  EXPECT_EQ(error_of("samples", with("5", "[0, 0]")), "E_EMPTY:0");
  EXPECT_EQ(error_of("samples", "[1, 2"), "E_FIELDS:1");
  EXPECT_EQ(error_of("samples", with("5", "[1]") + std::string(1, '\0') + "more"), "E_FIELDS:1");
  EXPECT_EQ(read_text("samples", with("5", "[1]")).resolution, 5.0);
}

TEST(Samples, BoundTheSpellsOfSlots) {
  std::string data = "[";
  for (int i = 0; i < 60; ++i) data += i % 2 == 0 ? "100000, " : "0, ";
  EXPECT_EQ(error_of("samples", R"({"metadata": {"gap_seconds": 1}, "data": )" + data + "1]}", {"count=lifo"}),
            "E_COUNT:0");
  EXPECT_EQ(read_text("samples", R"({"metadata": {"gap_seconds": 1}, "data": [1000, 0, 1000]})", {"count=lifo"})
                .records.size(),
            2000u);
}

TEST(Lifetimes, TakeColumnsAndCausesFromTheOptions) {
  const std::string text = "SN,time,dead\nx,5,TRUE\ny,6,FALSE\n";
  std::vector<std::string> words = {"col=time", "cause=dead", "observed=TRUE", "censored=FALSE", "name=SN"};
  EXPECT_EQ(as_json(read_text("lifetimes", text, words)).dump(), R"([["x",null,5.0,1,0],["y",null,6.0,0,0]])");
  words[3] = "censored=FALSE,UNKNOWN";
  EXPECT_EQ(read_text("lifetimes", text, words).warnings.at("W_ABSENT censored=unknown"), 1);
  EXPECT_EQ(error_of("lifetimes", text), "E_HEADER:1");
  EXPECT_EQ(error_of("lifetimes", "end_type,time_in_sec\nstop,-1\n"), "E_NEGATIVE:2");
}

TEST(ReadingOptions, RefuseWhatTheyDoNotKnow) {
  for (const std::string word : {"unit=weeks", "t1=tomorrow", "zero=maybe", "overlap=union", "value=2", "count=fifo",
                                 "units=s", "t1", "t1=", "observed=a,,b", "=3"})
    EXPECT_THROW(ReadingOptions::parse({word}), InputError) << word;
  EXPECT_THROW(ReadingOptions::parse({"t1=3", "t1=4"}), InputError);
  EXPECT_THROW(ReadingOptions::parse({"t0=5", "t1=4"}), InputError);
  EXPECT_THROW(ReadingOptions::parse({"observed=stop", "censored=stop"}), InputError);
  EXPECT_FALSE(ReadingOptions::parse({"observed=stop"}).censored_causes.contains("stop"));
  EXPECT_EQ(ReadingOptions::parse({"t1=5000", "unit=ms"}).t1, 5.0);
}

TEST(Lifetimes, WithoutACauseAllEndByInterruptions) {
  const AvailabilityTrace trace = read_text("lifetimes", "end_type,time_in_sec\nstop,5\n", {"cause=none"});
  EXPECT_EQ(as_json(trace).dump(), "[[null,null,5.0,1,0]]");
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_COLUMN end_type", 1}}));
  std::istringstream input("time_in_sec,end_type\n5,stop\n");
  EXPECT_EQ(detect_format(input, "FILE", ReadingOptions::parse({"cause=none"})).name, "lifetimes");
}

TEST(Causes, ThatAreGivenMustBeOfUseAndNotMistyped) {
  const std::string text = "host,start,end,reason\na,0,5,Preempted\nb,0,6,stop\nc,0,,reclaimed\n";
  EXPECT_EQ(error_of("intervals", text, {"observed=preempted,reclaimed"}), "none");  // also where there is no end
  EXPECT_EQ(error_of("intervals", text, {"observed=stopp"}), "E_CAUSE:0");
  EXPECT_EQ(error_of("intervals", text, {"censored=stopp"}), "E_CAUSE:0");
  EXPECT_EQ(error_of("intervals", text, {"observed=preempted,reclaimed,stopp", "censored=stop"}), "none");
  EXPECT_EQ(error_of("intervals", "host,start,end,reason\n", {"observed=stopp"}), "E_EMPTY:0");
  EXPECT_EQ(error_of("intervals", "host,start,end\na,0,5\n", {"observed=stop"}), "E_HEADER:1");
  EXPECT_EQ(error_of("intervals", "host,start,end,observed\na,0,5,1\n", {"censored=stop"}), "E_HEADER:1");
  EXPECT_EQ(error_of("intervals", "host,start,end,observed\na,0,5,0\n", {"cause=none"}), "E_HEADER:1");
  EXPECT_THROW(ReadingOptions::parse({"cause=none", "observed=stop"}), InputError);
  EXPECT_THROW(ReadingOptions::parse({"cause=none", "censored=stop"}), InputError);
}

TEST(Causes, ThatAreGivenButDoNotOccurAreCounted) {
  const auto absent = [](const std::string& text, const std::vector<std::string>& words) {
    std::map<std::string, std::int64_t> found;
    for (const auto& [code, times] : read_text("intervals", text, words).warnings)
      if (code.starts_with("W_ABSENT")) found.emplace(code, times);
    return found;
  };
  using Counts = std::map<std::string, std::int64_t>;
  const std::string header = "host,start,end,reason\n";
  EXPECT_EQ(absent(header + "a,0,5,stop\nb,0,6,stop\n", {"observed=preempted,reclaimed"}),
            (Counts{{"W_ABSENT observed=preempted,reclaimed", 2}}));
  EXPECT_EQ(absent(header + "a,0,5,Preempted\nb,0,,reclaimed\n", {"observed=preempted,reclaimed", "censored=halt"}),
            (Counts{{"W_ABSENT censored=halt", 1}}));
  EXPECT_EQ(absent(header + "a,0,5,\n", {"observed=x"}), (Counts{{"W_ABSENT observed=x", 1}}));
  EXPECT_EQ(absent(header + "a,0,5,stop\n", {}), Counts{});
}

TEST(Intervals, CountInterruptionsWithoutAnEnd) {
  const AvailabilityTrace trace =
      read_text("intervals", "host,start,end,reason\na,0,5,stop\nb,0,,PREEMPTED\nc,0,-,preempted\nd,1,,\n");
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_CENSORED", 4}, {"W_OPEN 3", 2}}));
}

TEST(Intervals, CountMergedRowsThatDiffer) {
  const std::string text = "host,start,end,observed\na,0,9,1\nb,0,9,0\nb,0,9,0\na,0,9,0\na,3,9,1\nb,1,8,1\n";
  const AvailabilityTrace trace = read_text("intervals", text, {"overlap=merge"});
  EXPECT_EQ(as_json(trace).dump(), R"([["a",0.0,9.0,1,0],["b",0.0,9.0,0,0]])");
  EXPECT_EQ(trace.warnings,
            (std::map<std::string, std::int64_t>{{"W_CENSORED", 1}, {"W_DIFFER 5", 1}, {"W_MERGED", 4}}));
}

TEST(Intervals, CountEachMergedSpellWhoseRowsDifferOnce) {
  const auto warnings = [](const std::string& rows, std::vector<std::string> words = {}) {
    words.emplace_back("overlap=merge");
    return read_text("intervals", "host,start,end,reason\n" + rows, words).warnings;
  };
  using Counts = std::map<std::string, std::int64_t>;
  const std::string differing = "a,0,100,preempted\na,0,100,stop\n";
  EXPECT_EQ(warnings(differing + "a,0,120,stop\n"), (Counts{{"W_CENSORED", 1}, {"W_MERGED", 2}}));
  EXPECT_EQ(warnings("c,10,,stop\nc,20,120,preempted\n"), (Counts{{"W_MERGED", 1}}));
  EXPECT_EQ(warnings("c,10,,stop\nc,20,120,preempted\nc,30,120,stop\n"), (Counts{{"W_DIFFER 4", 1}, {"W_MERGED", 2}}));
  EXPECT_EQ(warnings(differing, {"t1=100"}), (Counts{{"W_CENSORED", 1}, {"W_MERGED", 1}}));
  EXPECT_EQ(warnings(differing + "a,1,100,stop\na,2,100,preempted\na,200,250,stop\na,201,250,preempted\n"),
            (Counts{{"W_DIFFER 3", 2}, {"W_MERGED", 4}}));
  EXPECT_EQ(warnings("a,2,50,stop\na,1,50,preempted\na,0,9,stop\n"), (Counts{{"W_DIFFER 3", 1}, {"W_MERGED", 2}}));
}

TEST(Intervals, MayBeMergedWithSpellsBeyondTheWindow) {
  const std::string text = "host,start,end\na,0,10\na,9,50\n";
  EXPECT_EQ(as_json(read_text("intervals", text, {"overlap=merge", "t0=20"})).dump(), R"([["a",0.0,50.0,1,1]])");
  EXPECT_EQ(error_of("intervals", text, {"t0=20"}), "E_OVERLAP:3");
}

TEST(FileTimes, SayWhereAnOptionHasNoEffect) {
  const auto warned = [](const std::string& format, const std::string& text, const std::vector<std::string>& words) {
    std::map<std::string, std::int64_t> found;
    for (const auto& [code, times] : read_text(format, text, words).warnings)
      if (code == "W_UNIT" || code == "W_TIMEZONE") found.emplace(code, times);
    return found;
  };
  using Counts = std::map<std::string, std::int64_t>;
  const std::string numbers = "host,start,end\na,0,5\nb,1,-\n";
  const std::string dates = "host,start,end\na,2026-06-01T10:00:00Z,2026-06-01T11:00:00+02\n";
  EXPECT_EQ(warned("intervals", numbers, {"timezone=UTC"}), (Counts{{"W_TIMEZONE", 3}}));
  EXPECT_EQ(warned("intervals", numbers, {"timezone=UTC", "t1=1970-01-02 00:00:00"}), Counts{});
  EXPECT_EQ(warned("intervals", numbers, {"timezone=UTC", "t1=1970-01-02 00:00:00Z"}), (Counts{{"W_TIMEZONE", 3}}));
  EXPECT_EQ(warned("intervals", numbers, {"unit=h"}), Counts{});
  EXPECT_EQ(warned("intervals", "host,start,end\na,2026-06-01T10:00:00Z,2026-06-01 14:00:00\n", {"timezone=UTC"}),
            Counts{});
  EXPECT_EQ(error_of("intervals", dates), "E_NEGATIVE:2");  // 09:00 UTC
  const std::string right = "host,start,end\na,2026-06-01T10:00:00Z,2026-06-01T11:00:00Z\n";
  EXPECT_EQ(warned("intervals", right, {"unit=h", "timezone=Asia/Tokyo"}), (Counts{{"W_TIMEZONE", 2}, {"W_UNIT", 2}}));
  EXPECT_EQ(warned("intervals", right, {"unit=ms", "t1=1780311600000"}), Counts{}) << "t1 is in that unit";
  EXPECT_EQ(warned("events", "0 a up\n5 a down\n", {"timezone=UTC"}), (Counts{{"W_TIMEZONE", 2}}));
  EXPECT_EQ(warned("slurm", "JobID|State|Start|End\n1|FAILED|0|5\n", {"timezone=UTC"}), (Counts{{"W_TIMEZONE", 2}}));
  EXPECT_EQ(warned("condor", "001 (1.0.0) 2026-06-01 04:20:00Z Job <h>\n...\n", {"timezone=UTC"}),
            (Counts{{"W_TIMEZONE", 1}}));
}

TEST(Slurm, WritesAllTimesTheSameWay) {
  const std::string header = "JobID|State|Start|End\n";
  EXPECT_EQ(error_of("slurm", header + "1|FAILED|0|5\n2|FAILED|2026-06-01T10:00:00Z|2026-06-01T11:00:00Z\n"),
            "E_NUMBER:3");
  EXPECT_EQ(error_of("slurm", header + "1|FAILED|0|1788220800000\n"), "E_NUMBER:2");
}

/// A step has ended then, so its job was still there.
TEST(Slurm, AJobThatRunsIsCensoredAtTheLatestTimeOfTheFile) {
  const std::string text = "JobID|NodeList|State|Start|End\n17|n1|RUNNING|100|Unknown\n17.0|n1|COMPLETED|100|5000\n";
  EXPECT_EQ(as_json(read_text("slurm", text)), nlohmann::json::parse(R"([["n1", 100, 4900, 0, 0]])"));
}

TEST(Condor, AJobThatEndedAndIsRunAgainWasNotInterrupted) {
  const auto log = [](const std::string& code, const std::string& text) {
    return read_text("condor", "001 (1.0.0) 1970-01-01 00:00:10Z Job executing on host: <h:1>\n...\n" + code +
                                   " (1.0.0) 1970-01-01 00:00:50Z Job was evicted.\n\t(0) " + text + "\n...\n");
  };
  EXPECT_EQ(as_json(log("004", "Job was not checkpointed.")), nlohmann::json::parse(R"([["h:1", 10, 40, 1, 0]])"));
  EXPECT_EQ(as_json(log("004", "Job terminated and was requeued")),
            nlohmann::json::parse(R"([["h:1", 10, 40, 0, 0]])"));
  EXPECT_EQ(as_json(log("006", "Image size")), nlohmann::json::parse(R"([["h:1", 10, 40, 0, 0]])"));
}

TEST(InstanceLogs, WhatWasNotUpHasNoSpellSinceT0) {
  const auto condor = [](const std::string& code, const std::string& job, int second, const std::string& text) {
    return fmt::format("{} ({}.0.0) 1970-01-01 00:{:02}:{:02}Z {}\n...\n", code, job, second / 60, second % 60, text);
  };
  const std::string ran =
      condor("001", "2", 200, "Job executing on host: <h:1>") + condor("005", "2", 300, "Job ended.");
  const std::string submitted = condor("000", "1", 100, "Job submitted from host: <h>");
  for (const char* end : {"009", "012", "007"}) {
    const std::string ended = condor(end, "1", 200, "Job was aborted.");
    const auto records = [&](const std::string& text) { return as_json(read_text("condor", text, {"t0=0"})); };
    EXPECT_EQ(records(submitted + ended + ran), nlohmann::json::parse(R"([["h:1", 200, 100, 0, 0]])")) << end;
    EXPECT_EQ(records(ended + ran).size(), 2u) << "of job 1 the log does not say that it was idle";
  }
  const auto ec2 = [](int minute, const std::string& state) {
    return R"({"detail-type": "EC2 Instance State-change Notification", "time": "1970-01-01T00:)" +
           std::to_string(minute) + R"(:00Z", "detail": {"instance-id": "i", "state": ")" + state + "\"}}\n";
  };
  const std::vector<std::string> t0 = {"t0=1970-01-01T00:00:00Z"};
  const AvailabilityTrace launch =
      read_text("ec2", ec2(10, "pending") + ec2(11, "shutting-down") + ec2(20, "running") + ec2(30, "terminated"), t0);
  EXPECT_EQ(as_json(launch), nlohmann::json::parse(R"([["i", 1200, 600, 0, 0]])"));
  const auto gce = [](const std::string& method, int second, const std::string& place, int code) {
    return R"({"protoPayload": {"methodName": "v1.compute.instances.)" + method +
           R"(", "resourceName": "vm", "status": {"code": )" + std::to_string(code) +
           R"(}}, "timestamp": "1970-01-01T00:00:)" + std::to_string(second) + R"(Z", "operation": {"id": ")" + method +
           R"(", ")" + place + "\": true}}\n";
  };
  const std::string failed = gce("insert", 10, "first", 0) + gce("insert", 11, "last", 9);
  const std::string later = gce("start", 20, "last", 0) + gce("stop", 40, "last", 0);
  EXPECT_EQ(as_json(read_text("gce", failed + gce("delete", 15, "last", 0) + later, t0)),
            nlohmann::json::parse(R"([["vm", 20, 20, 0, 0]])"));
}

TEST(Samples, CountsOfSlotsAreThoseOfEachSlot) {
  const std::vector<int> counts = {2, 3, 0, 1, 1, 3, 3, 2, 0, 0, 2};
  std::string data;
  for (const int count : counts) data += (data.empty() ? "" : ", ") + std::to_string(count);
  nlohmann::json expected = nlohmann::json::array();
  for (int slot = 1; slot <= 3; ++slot)
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] < slot || (i > 0 && counts[i - 1] >= slot)) continue;
      std::size_t end = i;
      while (end < counts.size() && counts[end] >= slot) ++end;
      expected.push_back(
          {fmt::format("slot{}", slot), 60 * i, 60 * (end - i), end < counts.size() ? 1 : 0, i == 0 ? 1 : 0});
    }
  const std::string text = R"({"metadata": {"gap_seconds": 60}, "data": [)" + data + "]}";
  EXPECT_EQ(as_json(read_text("samples", text, {"count=lifo"})), expected);
}

TEST(Boinc, ReadsEmptyElementsHoweverTheyAreWritten) {
  const std::string host = "<hosts>\n<host>\n<id>7</id>\n<create_time>10</create_time>\n<rpc_time>50</rpc_time>\n";
  for (const char* vendor : {"<p_vendor></p_vendor>\n", "<p_vendor/>\n"})
    EXPECT_EQ(read_text("boinc", host + vendor + "</host>\n</hosts>\n", {"silent=1d"}).records.size(), 1u);
}

TEST(Ec2, TellsALateEndFromARepeatedOne) {
  const auto event = [](const std::string& type, int minute, const std::string& state) {
    return R"({"detail-type": ")" + type + R"(", "time": "2026-06-01T00:)" + std::to_string(minute) +
           R"(:00Z", "detail": {"instance-id": "i", "state": ")" + state + "\"}}\n";
  };
  const std::string change = "EC2 Instance State-change Notification";
  const std::string text = event(change, 10, "running") + event("EC2 Spot Instance Interruption Warning", 20, "") +
                           event(change, 40, "shutting-down") + event(change, 41, "terminated");
  const AvailabilityTrace trace = read_text("ec2", text);
  ASSERT_EQ(trace.records.size(), 1u);
  EXPECT_EQ(trace.records[0].duration, 720);
  EXPECT_EQ(trace.warnings, (std::map<std::string, std::int64_t>{{"W_AGAIN", 1}, {"W_LATE", 1}, {"W_NOEND", 1}}));
}

TEST(Ec2, TakesAnInstanceWithANoticeButNoStartForUpSinceT0) {
  const auto event = [](const std::string& type, const std::string& time, const std::string& instance,
                        const std::string& state) {
    return R"({"detail-type": "EC2 )" + type + R"(", "time": "1970-01-01T)" + time +
           R"(:00Z", "detail": {"instance-id": ")" + instance + R"(", "state": ")" + state + "\"}}\n";
  };
  const auto notice = [&](const std::string& time) {
    return event("Spot Instance Interruption Warning", time, "i", "");
  };
  const auto change = [&](const std::string& time, const std::string& instance, const std::string& state) {
    return event("Instance State-change Notification", time, instance, state);
  };
  const auto expect = [](const std::string& text, const std::vector<std::string>& words, const std::string& records,
                         const std::map<std::string, std::int64_t>& warnings) {
    SCOPED_TRACE(text);
    const AvailabilityTrace trace = read_text("ec2", text, words);
    EXPECT_EQ(as_json(trace), nlohmann::json::parse(records));
    EXPECT_EQ(trace.warnings, warnings);
  };
  const std::vector<std::string> t0 = {"t0=1970-01-01T00:00:00Z"};
  expect(notice("01:00") + change("06:00", "i", "terminated"), t0, R"([["i", 0, 3720, 1, 1]])",
         {{"W_LATE", 1}, {"W_LEFT", 1}, {"W_NOEND", 1}});
  const std::string alone = notice("01:00") + change("06:00", "j", "running");
  expect(alone, t0, R"([["i", 0, 3720, 1, 1], ["j", 21600, 0, 0, 0]])",
         {{"W_CENSORED", 1}, {"W_LEFT", 1}, {"W_NOEND", 1}, {"W_ZERO", 1}});
  expect(alone, {}, R"([["j", 21600, 0, 0, 0]])", {{"W_CENSORED", 1}, {"W_NOSTART", 1}, {"W_ZERO", 1}});
  expect(notice("05:57") + change("06:00", "j", "running"), t0, R"([["i", 0, 21600, 0, 1], ["j", 21600, 0, 0, 0]])",
         {{"W_CENSORED", 2}, {"W_LEFT", 1}, {"W_ZERO", 1}});
  expect(notice("01:00") + change("01:05", "i", "running") + change("01:08", "i", "terminated"), t0,
         R"([["i", 0, 4080, 1, 1]])", {{"W_AGAIN", 1}, {"W_LEFT", 1}});
}

TEST(Gce, IgnoresTheBeginningOfACallThatFails) {
  const auto entry = [](const std::string& method, int second, const std::string& place, int code) {
    return R"({"protoPayload": {"methodName": "v1.compute.instances.)" + method +
           R"(", "resourceName": "vm", "status": {"code": )" + std::to_string(code) +
           R"(}}, "timestamp": "1970-01-01T00:00:)" + std::to_string(second) + R"(Z", "operation": {"id": "o", ")" +
           place + "\": true}}\n";
  };
  using Counts = std::map<std::string, std::int64_t>;
  const std::string start = entry("start", 10, "last", 0), preempted = entry("preempted", 50, "last", 0);
  const std::string stop = entry("stop", 20, "first", 0);
  for (const std::string& text : {start + stop + entry("stop", 30, "last", 13) + preempted,
                                  preempted + entry("stop", 30, "last", 13) + stop + start}) {
    const AvailabilityTrace trace = read_text("gce", text);
    EXPECT_EQ(as_json(trace), nlohmann::json::parse(R"([["vm", 10, 40, 1, 0]])"));
    EXPECT_EQ(trace.warnings, (Counts{{"W_OTHEREVENT", 2}}));
  }
  const AvailabilityTrace stopped = read_text("gce", start + stop + entry("stop", 30, "last", 0) + preempted);
  EXPECT_EQ(as_json(stopped), nlohmann::json::parse(R"([["vm", 10, 10, 0, 0]])"));
  EXPECT_EQ(stopped.warnings, (Counts{{"W_AGAIN", 2}, {"W_CENSORED", 1}}));
  const AvailabilityTrace begun = read_text("gce", start + stop + preempted);
  EXPECT_EQ(as_json(begun), as_json(stopped)) << "the log does not say how the call ended";
  EXPECT_EQ(begun.warnings, (Counts{{"W_AGAIN", 1}, {"W_CENSORED", 1}}));
}

TEST(ReadingOptions, PickHosts) {
  const std::string text = "host,start,end\n18.1,0,1\n18.2,0,1\n19.1,0,1\n";
  EXPECT_EQ(read_text("intervals", text, {"host=18.*"}).records.size(), 2u);
  EXPECT_EQ(read_text("intervals", text, {"host=18.2"}).records.size(), 1u);
  EXPECT_EQ(error_of("intervals", text, {"host=20.*"}), "E_EMPTY:0");
}

}  // namespace
}  // namespace coterie::traces
