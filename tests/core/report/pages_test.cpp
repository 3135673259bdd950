#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/markup_text.h"
#include "core/report/report_model.h"
#include "tests/core/report/example_calibration.h"

using namespace epsilens;
using namespace epsilens::report;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

/// Elements that are opened and closed in order, with quoted attributes and no stray "<" or "&".
bool isWellFormed(std::string_view text) {
    std::vector<std::string> open;
    while (!text.empty()) {
        const std::size_t at = text.find_first_of("<&");
        if (at == std::string_view::npos) {
            break;
        }
        const bool isEntity = text[at] == '&';
        const std::size_t end = text.find(isEntity ? ';' : '>', at);
        if (end == std::string_view::npos) {
            return false;
        }
        const std::string_view tag = text.substr(at + 1, end - at - 1);
        text.remove_prefix(end + 1);
        if (isEntity) {
            if (tag != "amp" && tag != "lt" && tag != "gt" && tag != "quot" && tag != "#39") {
                return false;
            }
        } else if (std::ranges::count(tag, '"') % 2 != 0 ||
                   tag.find('<') != std::string_view::npos) {
            return false;
        } else if (tag.front() == '/') {
            if (open.empty() || open.back() != tag.substr(1)) {
                return false;
            }
            open.pop_back();
        } else if (tag.front() != '!' && tag.back() != '/') {
            open.emplace_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty();
}

}  // namespace

TEST_CASE("What has no value is left out of a page") {
    const Table full{"caption",
                     {"ε", "cap", "note", "far"},
                     {{"1", kAbsent, "", kAbsent}, {"2", kAbsent, "", "3"}}};
    const Table bare{"caption", {"cap", "far"}, {{"", kAbsent}}};
    const ReportContent content =
        tidied({"title",
                {{"one", "One", {full, bare, Facts{{{"said", "x"}, {"unsaid", ""}}}, Paragraph{}}},
                 {"none", "None", {Paragraph{}}}},
                {}});
    REQUIRE(content.sections.size() == 1);
    const auto& blocks = content.sections.front().blocks;
    REQUIRE(blocks.size() == 3);
    const auto& table = std::get<Table>(blocks[0]);
    CHECK(table.columns == std::vector<Column>{"ε", "far"});
    CHECK(table.rows == std::vector<std::vector<std::string>>{{"1", kAbsent}, {"2", "3"}});
    CHECK(std::get<Table>(blocks[1]).columns == bare.columns);
    CHECK(std::get<Facts>(blocks[2]).items.size() == 1);
}

TEST_CASE("Columns are aligned by characters, not by bytes, numbers at the right") {
    const Table table{
        "", {"ε", {"word", Align::left}, "N_w"}, {{"0.5", "naïve", "7"}, {"10", "a\nb", "100"}}};
    CHECK_THAT(reportText({"title", {{"", "", {table}}}, {}}), EndsWith("ε    word   N_w\n"
                                                                        "0.5  naïve    7\n"
                                                                        "10   a b    100\n"));
}

TEST_CASE("What steers, turns, breaks or hides text reaches neither a terminal nor markup") {
    CHECK(printable("a\x1b[2Jb") == "a\xEF\xBF\xBD[2Jb");
    CHECK(printable("naïve Ωß ½") == "naïve Ωß ½");  // ½ is U+00BD, beyond the controls
    CHECK(displayWidth("naïve") == 5);
    // Line end, delete, U+0085, U+009B, U+061C, U+200B, U+200E, U+2028, U+2029, U+202E, U+2066,
    // U+2069, U+FEFF; bytes that are no UTF-8: a stray one, one that is cut, an overlong form.
    for (const char* character :
         {"\n", "\x7f", "\xC2\x85", "\xC2\x9B", "\xD8\x9C", "\xE2\x80\x8B", "\xE2\x80\x8E",
          "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9",
          "\xEF\xBB\xBF", "\xE9", "\xE2\x80", "\xC0"}) {
        CAPTURE(character);
        CHECK(printable("a" + std::string(character)) == "a\xEF\xBF\xBD");
    }
    // Joiners within emoji stay: U+200D, U+FE0F.
    const std::string emoji = "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC\xEF\xB8\x8F";
    CHECK(printable(emoji) == emoji);
    CHECK(xmlText("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
    CHECK(xmlText("caf\xC3\xA9\n\x02") == "caf\xC3\xA9 \xEF\xBF\xBD");
    CHECK(xmlText("caf\xE9") == "caf\xEF\xBF\xBD");
    CHECK(htmlText("N_w, p5; S_w. (K_w) & N_w") ==
          "N<sub>w</sub>, p5; S<sub>w</sub>. (K<sub>w</sub>) &amp; N<sub>w</sub>");
    CHECK(htmlText("IN_w N_words") == "IN_w N_words");
}

TEST_CASE("The HTML is well-formed, needs no other file and runs no script") {
    document::Report report = test::exampleReport();
    report.settings.purpose = "</p><script>alert('x')</script> & <b>\x01\xFF";
    report.run.worstWords[1][0].word = "<img src=\"http://example.org/\"/>";
    const std::string html = reportHtml(composeReport(report).value());
    CHECK(isWellFormed(html));
    CHECK_FALSE(isWellFormed(html + "<p>"));
    CHECK_THAT(html, Contains("A &lt;title&gt; &amp; more") && Contains("&lt;img src"));
    for (const char* forbidden :
         {"<script", "<img", "<link", "url(", "@import", "<iframe", "\x01"}) {
        CAPTURE(forbidden);
        CHECK(html.find(forbidden) == std::string::npos);
    }
    // The only addresses are names of formats.
    for (std::size_t at = html.find("http"); at != std::string::npos;
         at = html.find("http", at + 1)) {
        CHECK((html.compare(at, 18, "http://www.w3.org/") == 0 ||
               html.compare(at, 19, "http://example.org/") == 0));
    }
}

TEST_CASE("Every format has the sections in their order, the appendix behind the memo") {
    const ReportContent content = composeReport(test::exampleReport()).value();
    std::vector<Section> sections = content.sections;
    sections.insert(sections.end(), content.appendix.begin(), content.appendix.end());
    for (const std::string& text : {reportText(content), reportHtml(content)}) {
        std::size_t place = 0;
        for (const Section& section : sections) {
            const std::size_t found =
                text.find(section.title + (text.front() == '<' ? "</h2>" : "\n"));
            REQUIRE(found != std::string::npos);
            CHECK(found > place);
            place = found;
            for (const Block& block : section.blocks) {
                const auto* table = std::get_if<Table>(&block);
                if (const auto* figure = std::get_if<Figure>(&block)) {
                    CHECK_THAT(text, Contains(text.front() == '<' ? htmlText(figure->caption)
                                                                  : oneLine(figure->caption)));
                }
                for (std::size_t i = 0; table != nullptr && i < table->rows.size(); ++i) {
                    CHECK(table->rows[i].size() == table->columns.size());
                    for (const std::string& field : table->rows[i]) {
                        CHECK_THAT(text, Contains(text.front() == '<' ? htmlText(field) : field));
                    }
                }
            }
        }
        CHECK(text.find("Appendix") > text.find("Sign-off"));
        CHECK(text.find("Appendix") < text.find("A Embedding"));
    }
    CHECK(reportText(content).find("<svg") == std::string::npos);
    CHECK(composeReport(test::exampleReport(), false)->appendix.empty());
}
