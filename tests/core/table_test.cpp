#include "core/table.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace coterie {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;

struct Named {
  std::string name;
  int value;
};

class Called {
 public:
  explicit Called(std::string name) : name_(std::move(name)) {}
  std::string name() const { return name_; }

 private:
  std::string name_;
};

TEST(Table, NamesEveryKindOfRow) {
  const Called called("c");
  EXPECT_THAT(names_in(std::vector<Named>{{"a", 1}, {"b", 2}}), ElementsAre("a", "b"));
  EXPECT_THAT(names_in(std::vector{&called}), ElementsAre("c"));
  EXPECT_THAT(names_in(std::vector{std::make_shared<const Called>("d")}), ElementsAre("d"));
  EXPECT_THAT(names_in(std::vector<const char*>{"e"}), ElementsAre("e"));
}

TEST(Table, FindsARowByItsName) {
  const std::vector<Named> table = {{"greedy", 1}, {"brute", 2}};
  EXPECT_EQ(&find_row(table, "brute", "strategy"), &table[1]);
}

TEST(Table, SaysWhatIsKnownAndWhatIsNear) {
  const std::vector<std::string> table = {"greedy", "brute"};
  EXPECT_THAT(
      [&] {
        find_row(table, "gredy", "strategy", Place{"c.toml", 3, 1});
      },
      ThrowsMessage<InputError>("c.toml:3:1: unknown strategy \"gredy\" (did you mean \"greedy\"?); known are "
                                "\"greedy\" or \"brute\""));
}

}  // namespace
}  // namespace coterie
