#include "sim/terminal/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/errors.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "core/wrapped.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {

namespace po = boost::program_options;

VerbText text_of(const Verb& verb, const Catalogue& catalogue, const std::string& action) {
  VerbText text;
  verb.run({catalogue, action.empty() ? std::vector<std::string>() : std::vector{action}, &text});
  return text;
}

Options::Options(std::string usage, std::string summary)
    : usage_(std::move(usage)), summary_(std::move(summary)), named_("Options", 80, 50) {
  named_.add_options()("help", "print this text (also -h)");
}

void Options::positional(const std::string& name, int least, int most) {
  positional_name_ = name;
  least_ = least;
  most_ = most;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) file("", {name.substr(dot)});
}

void Options::file(const std::string& name, std::vector<std::string> suffixes) {
  values_of_[name].file = true;
  values_of_[name].suffixes = std::move(suffixes);
}

VerbText Options::described() const {
  const auto values = [&](const std::string& name) {
    const auto found = values_of_.find(name);
    return found == values_of_.end() ? Values() : found->second;
  };
  VerbText text{usage_, summary_, {}, values(""), {}};
  for (const auto& option : named_.options())
    text.options.push_back({option->long_name(), option->description(), option->semantic()->max_tokens() > 0,
                            values(option->long_name())});
  return text;
}

bool Options::parse(const Call& call) {
  const std::vector<std::string>& arguments = call.arguments;
  const std::string& program = call.catalogue.program();
  if (call.text != nullptr) {
    *call.text = described();
    return false;
  }
  if (std::any_of(arguments.begin(), arguments.end(),
                  [](const auto& word) { return word == "--help" || word == "-h"; })) {
    std::ostringstream table;
    table << named_;
    std::cout << wrapped(fmt::format("Usage: {} {}\n\n{}\n\n", program, usage_, summary_))
              << PaintedLines{table.str(), {{"Options:", Look::kHeading}}};
    return false;
  }
  const std::string hint = fmt::format(" (see {} {} --help)", program, usage_.substr(0, usage_.find(' ')));
  try {
    namespace style = po::command_line_style;
    const auto parsed = po::command_line_parser(arguments)
                            .options(named_)
                            .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                            .run();
    po::store(parsed, values_);
    std::vector<std::string> missing;
    for (const auto& option : named_.options())
      if (option->semantic()->is_required() && values_.count(option->long_name()) == 0)
        missing.push_back("--" + option->long_name());
    if (!missing.empty())
      throw InputError(
          fmt::format("{} {} missing{}", fmt::join(missing, ", "), missing.size() > 1 ? "are" : "is", hint));
    po::notify(values_);
    for (const auto& option : parsed.options)
      if (option.position_key >= 0) words_.insert(words_.end(), option.value.begin(), option.value.end());
  } catch (const po::unknown_option& error) {
    std::vector<std::string> known;
    for (const auto& option : named_.options()) known.push_back("--" + option->long_name());
    const std::string name = error.get_option_name();
    throw InputError(fmt::format("unknown option {}{}{}", name, suggestion(name, known), hint));
  } catch (const po::error& error) {
    throw InputError(fmt::format("{}{}", error.what(), hint));
  }
  const auto count = static_cast<int>(words_.size());
  if (count < least_) throw InputError(fmt::format("{} is missing{}", positional_name_, hint));
  if (most_ >= 0 && count > most_)
    throw InputError(fmt::format("stray word \"{}\"{}", words_[static_cast<std::size_t>(most_)], hint));
  return true;
}

std::vector<std::string> Options::given() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_)
    if (!value.defaulted()) names.push_back(name);
  return names;
}

void Options::set(const std::string& name, const std::string& text) {
  values_.insert_or_assign(name, po::variable_value(text, false));
}

std::vector<std::string> Options::texts(const std::string& name) const {
  return values_.count(name) > 0 ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::string Options::output(const std::string& name, const std::string& what) const {
  const std::vector<std::string>& suffixes = values_of_.at(name).suffixes;
  if (std::none_of(suffixes.begin(), suffixes.end(), [&](const auto& one) { return text(name).ends_with(one); }))
    throw InputError(fmt::format("--{} {}: {}; end its name in {}", name, text(name), what, suffixes.front()));
  return text(name);
}

double Options::number(const std::string& name) const {
  const auto value = parse_number(text(name));
  if (!value) throw InputError(fmt::format("--{} must be a number, not \"{}\"", name, text(name)));
  return *value;
}

long long Options::integer(const std::string& name, long long least) const {
  const auto value = parse_whole(text(name));
  constexpr long long kMost = std::numeric_limits<long long>::max();
  if (const auto number = parse_number(text(name)); !value && number && *number >= static_cast<double>(kMost))
    throw InputError(fmt::format("--{} must be at most {}, not {}", name, kMost, text(name)));
  if (!value || *value < least)
    throw InputError(fmt::format("--{} must be a whole number of at least {}, not \"{}\"", name, least, text(name)));
  return *value;
}

long long Options::integer(const std::string& name, long long least, long long most) const {
  if (const auto number = parse_number(text(name)); number && *number > static_cast<double>(most))
    throw InputError(fmt::format("--{} must be at most {}, not {}", name, most, text(name)));
  const long long value = integer(name, least);
  if (value > most) throw InputError(fmt::format("--{} must be at most {}, not {}", name, most, value));
  return value;
}

std::string Options::choice(const std::string& name) const {
  const std::vector<std::string>& allowed = values_of_.at(name).words;
  const std::string word = text(name, allowed.front());
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
    throw InputError(fmt::format("--{} must be {}, not \"{}\"", name, quoted_list(allowed), word));
  return word;
}

}  // namespace coterie::sim
