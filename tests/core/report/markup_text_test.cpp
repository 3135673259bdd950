#include "core/report/markup_text.h"

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("Text is harmless in markup") {
    CHECK(report::xmlText("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
    CHECK(report::xmlText("caf\xC3\xA9\n\x02") == "caf\xC3\xA9 \xEF\xBF\xBD");
    CHECK(report::xmlText("caf\xE9") == "caf\xEF\xBF\xBD");
    CHECK(report::oneLine("a|b_c*d\ne\x1b") == "a|b_c*d e\xEF\xBF\xBD");
}

TEST_CASE("Symbols have a subscript in markup, and names that hold the same letters do not") {
    CHECK(report::htmlText("N_w, p5; S_w.") == "N<sub>w</sub>, p5; S<sub>w</sub>.");
    CHECK(report::htmlText("(K_w) & N_w") == "(K<sub>w</sub>) &amp; N<sub>w</sub>");
    CHECK(report::htmlText("IN_w N_words x/N_w éN_w N_wé") == "IN_w N_words x/N_w éN_w N_wé");
    CHECK(report::xmlText("N_w") == "N_w");
}
