#include "core/report/text_table.h"

#include <catch2/catch.hpp>

using namespace epsilens::report;
using Align = TextTable::Align;

TEST_CASE("Columns are aligned by characters, not by bytes") {
    TextTable table({{"ε"}, {"word", Align::left}, {"N_w"}});
    table.addRow({"0.5", "naïve", "7"});
    table.addRow({"10", "a", "100"});
    CHECK(table.render() ==
          "  ε  word   N_w\n"
          "0.5  naïve    7\n"
          " 10  a      100\n");
}

TEST_CASE("Lines have no trailing blanks") {
    TextTable table({{"a", Align::left}, {"", Align::left}});
    table.addRow({"long", ""});
    CHECK(table.render() == "a\nlong\n");
}

TEST_CASE("Control characters cannot reach a terminal") {
    CHECK(printable("a\x1b[2Jb") == "a\xEF\xBF\xBD[2Jb");
    CHECK(printable("line\nend\x7f") ==
          "line\xEF\xBF\xBD"
          "end\xEF\xBF\xBD");
    CHECK(printable("\xC2\x9B"
                    "2J") ==
          "\xEF\xBF\xBD"
          "2J");                                     // U+009B, one-character CSI
    CHECK(printable("naïve Ωß ½") == "naïve Ωß ½");  // ½ is U+00BD, beyond the controls
    CHECK(displayWidth("naïve") == 5);
}
