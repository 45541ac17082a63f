#include "traces/readers/ec2_reader.hpp"

#include <fmt/format.h>

#include <array>

#include "core/printable.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/json_lines.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kEc2Warning = "EC2 Spot Instance Interruption Warning";
constexpr double kEc2Lead = 120;  // seconds from the warning to the interruption
constexpr std::string_view kEc2StateChange = "EC2 Instance State-change Notification";
constexpr std::array<std::string_view, 4> kEc2Down = {"stopping", "stopped", "shutting-down", "terminated"};

}  // namespace

AvailabilityTrace read_ec2(std::istream& input, const std::string& file, const ReadingOptions& options) {
  JsonLines lines(input, file);
  InstanceLog log(options, file);
  nlohmann::json event;
  while (lines.next(event)) {
    const std::string type = lines.text(event, "detail-type");
    if (type != kEc2Warning && type != kEc2StateChange) {
      log.skip(JsonLines::time_if_any(event, "time"));
      continue;
    }
    const std::string instance = lines.text(event, "detail/instance-id");
    const double time = lines.time(event, "time");
    if (type == kEc2Warning) {
      log.notice(instance, time, kEc2Lead, lines.line());
      continue;
    }
    const std::string state = lines.text(event, "detail/state");
    if (state == "running") {
      log.up(instance, instance, time, lines.line());
    } else if (is_one_of(kEc2Down, state)) {
      log.down(instance, time, false, lines.line());
    } else if (state == "pending") {
      log.idle(instance, time, lines.line());
    } else {
      lines.fail("E_EVENT", fmt::format("\"{}\" is not an instance state", echoed(state)));
    }
  }
  return log.finish();
}

bool accepts_ec2(std::string_view line, bool, const ReadingOptions&) {
  return line.starts_with('{') && line.find("\"detail-type\"") != std::string_view::npos;
}

}  // namespace coterie::traces
