#include "core/report/repeat_command.h"

#include <catch2/catch.hpp>

using namespace epsilens;

// Expected by the rules of POSIX, 2.2.2: within single quotes every character but a single quote
// stands for itself.
TEST_CASE("Words of a shell command are in quotes where they need them") {
    CHECK(report::shellQuoted("a-b_c.d,e:f@g/h+i=j%k0") == "a-b_c.d,e:f@g/h+i=j%k0");
    CHECK(report::shellQuoted("") == "''");
    CHECK(report::shellQuoted("two words") == "'two words'");
    CHECK(report::shellQuoted("it's") == R"('it'\''s')");
    CHECK(report::shellQuoted("$(x);`y`\\\n*") == "'$(x);`y`\\\n*'");
    CHECK(report::shellQuoted("ε") == "'ε'");
}

TEST_CASE("A file whose name begins as an option does is named from its folder") {
    CHECK(report::fileArgument("-x.txt") == "./-x.txt");
    CHECK(report::fileArgument("x-y.txt") == "x-y.txt");
    CHECK(report::fileArgument("/-x.txt") == "/-x.txt");
}
