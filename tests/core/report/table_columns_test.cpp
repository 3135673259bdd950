#include "core/report/table_columns.h"

#include <catch2/catch.hpp>

#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"

using namespace epsilens;
using report::ReportContent;
using report::Table;

using Fields = std::vector<std::string>;

TEST_CASE("Columns without any value are left out of tables", "[report]") {
    const Table full{"caption",
                     {"ε", "cap", "note", "kept", "far"},
                     {{"1", "none", "", "0", "–"}, {"2", "–", "", "5", "3"}}};
    const Table bare{"caption", {"cap", "far"}, {{"none", "–"}}};
    const Table empty{"caption", {"ε", "kept"}, {}};
    ReportContent content;
    content.sections = {{"one", "One", {full, bare, empty}}};
    content.appendix = {{"two", "Two", {report::Figure{"figure", "<svg/>", full}}}};
    report::dropBlankColumns(content);
    const auto& blocks = content.sections.front().blocks;
    const auto& found = std::get<Table>(blocks[0]);
    CHECK(found.titles == Fields{"ε", "kept", "far"});
    CHECK(found.rows == std::vector<Fields>{{"1", "0", "–"}, {"2", "5", "3"}});
    CHECK(std::get<Table>(blocks[1]).titles == bare.titles);
    CHECK(std::get<Table>(blocks[2]).titles == empty.titles);
    const auto& figure = std::get<report::Figure>(content.appendix.front().blocks.front());
    CHECK(figure.table->titles == found.titles);
}

TEST_CASE("Columns of zeros are left out, but not parameters or those of a single row",
          "[report]") {
    const Table zeros{"caption",
                      {"row", "λ", "lost", "far", "kept"},
                      {{"0", "0", "0.00%", "0 [0, 0]", "10"}, {"0", "0", "0", "–", "0"}}};
    const Table single{"caption", {"ε", "lost"}, {{"1", "0"}}};
    ReportContent content;
    content.sections = {{"one", "One", {zeros, single}}};
    report::dropBlankColumns(content);
    const auto& blocks = content.sections.front().blocks;
    CHECK(std::get<Table>(blocks[0]).titles == Fields{"row", "λ", "kept"});
    CHECK(std::get<Table>(blocks[1]).titles == single.titles);
}

TEST_CASE("Words stand at the left of their column and numbers at the right", "[report]") {
    const Table table{
        "caption",
        {"1", "metric", "odds", "± 95%", "cap"},
        {{"1", "Euclidean", "×20", "± 0.3", "–"}, {"2", "angular", "nothing promised", "–", "40"}}};
    CHECK(report::isSetLeft(table, 0));
    CHECK(report::isSetLeft(table, 1));
    CHECK_FALSE(report::isSetLeft(table, 2));
    CHECK_FALSE(report::isSetLeft(table, 3));
    CHECK_FALSE(report::isSetLeft(table, 4));
    CHECK_FALSE(report::isSetLeft({"caption", {"ε", "kept"}, {}}, 1));
}
