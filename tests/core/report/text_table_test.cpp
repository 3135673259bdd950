#include "core/report/report_text.h"

#include <string>

#include <catch2/catch.hpp>

#include "core/report/markup_text.h"

using namespace epsilens::report;

TEST_CASE("Columns are aligned by characters, not by bytes, numbers at the right") {
    CHECK(tableText(
              {"not said", {"ε", "word", "N_w"}, {{"0.5", "naïve", "7"}, {"10", "a", "100"}}}) ==
          "ε    word   N_w\n"
          "0.5  naïve    7\n"
          "10   a      100\n");
}

TEST_CASE("Lines have no trailing blanks") {
    CHECK(tableText({{}, {"a", ""}, {{"long", ""}}}) == "a\nlong\n");
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

TEST_CASE("What turns, breaks or hides text cannot reach a terminal") {
    const std::string replacement = "\xEF\xBF\xBD";
    // U+0085, U+061C, U+200B, U+200E, U+2028, U+2029, U+202E, U+2066, U+2069, U+FEFF.
    for (const char* character :
         {"\xC2\x85", "\xD8\x9C", "\xE2\x80\x8B", "\xE2\x80\x8E", "\xE2\x80\xA8", "\xE2\x80\xA9",
          "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9", "\xEF\xBB\xBF"}) {
        CAPTURE(character);
        CHECK(printable("a" + std::string(character) + "b") == "a" + replacement + "b");
    }
    // Bytes that are no UTF-8: a stray one, one that is cut, an overlong form.
    for (const char* bytes : {"\xE9", "\xE2\x80", "\xC0"}) {
        CHECK(printable("a" + std::string(bytes)) == "a" + replacement);
    }
    // Joiners within emoji stay: U+200D, U+FE0F.
    CHECK(printable("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC\xEF\xB8\x8F") ==
          "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC\xEF\xB8\x8F");
}
