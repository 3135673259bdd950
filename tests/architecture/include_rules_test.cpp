#include "tests/architecture/include_rules.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <catch2/catch.hpp>

using namespace epsilens::test;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

namespace {

namespace fs = std::filesystem;

/// A folder that exists as long as this object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "architecture-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no temporary folder");
        }
        m_path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((m_path / file).parent_path());
        std::ofstream(m_path / file) << text;
    }

    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

struct Case {
    const char* file;
    const char* line;
};

// Each breaks one rule and only that one.
const std::vector<Case> kForbidden{
    // Qt outside the window
    {"core/base/a.h", "#include <QString>"},
    {"core/report/a.cpp", "#include <QtCore/QString>"},
    {"core/embedding/a.cpp", "#include <qglobal.h>"},
    {"core/calibration/a.cpp", "#include <qcustomplot.h>"},
    {"core/text/a.cpp", "  #  include   <QChar> // indented"},
    {"app/cli/commands/a.cpp", "#include <QCoreApplication>"},
    {"tests/core/base/a_test.cpp", "#include <QTest>"},
    {"tests/support/a.h", "#include <QObject>"},
    // arrows of core
    {"core/base/a.h", "#include \"core/numeric/b.h\""},
    {"core/numeric/a.h", "#include \"core/embedding/b.h\""},
    {"core/embedding/a.h", "#include \"core/mechanism/b.h\""},
    {"core/metric/a.h", "#include \"core/mechanism/b.h\""},
    {"core/mechanism/a.h", "#include \"core/engine/b.h\""},
    {"core/engine/a.h", "#include \"core/calibration/b.h\""},
    {"core/text/a.h", "#include \"core/mechanism/b.h\""},
    {"core/release/a.h", "#include \"core/calibration/b.h\""},
    {"core/corpus/a.h", "#include \"core/attack/b.h\""},
    {"core/attack/a.h", "#include \"core/evaluation/b.h\""},
    {"core/calibration/a.h", "#include \"core/report/b.h\""},
    {"core/training/a.h", "#include \"core/mechanism/b.h\""},
    {"core/evaluation/a.h", "#include \"core/report/b.h\""},
    {"core/document/a.h", "#include \"core/report/b.h\""},
    {"core/document/a.h", "#include \"ui/state/b.h\""},
    {"core/base/a.cpp", "#include <core/numeric/b.h>"},
    // core knows neither programs nor tests
    {"core/engine/a.cpp", "#include \"app/cli/b.h\""},
    {"core/engine/a.cpp", "#include \"tests/support/b.h\""},
    // panels
    {"ui/live/a.cpp", "#include \"ui/curves/b.h\""},
    {"ui/setup/a.cpp", "#include \"ui/live/b.h\""},
    {"ui/curves/a.cpp", "#include \"ui/space/b.h\""},
    {"ui/space/a.cpp", "#include \"ui/words/b.h\""},
    {"ui/words/a.cpp", "#include \"ui/report/b.h\""},
    {"ui/report/a.cpp", "#include \"ui/setup/b.h\""},
    {"ui/live/a.cpp", "#include \"ui/shell/b.h\""},
    {"ui/widgets/a.cpp", "#include \"ui/live/b.h\""},
    {"ui/shell/a.cpp", "#include \"app/gui/b.h\""},
    // programs
    {"app/cli/a.cpp", "#include \"ui/state/b.h\""},
    {"app/gui/a.cpp", "#include \"app/cli/b.h\""},
    // libraries with a place of their own
    {"app/cli/commands/a.cpp", "#include <CLI/CLI.hpp>"},
    {"core/calibration/a.cpp", "#include <oneapi/tbb/parallel_for.h>"},
    {"core/calibration/a.cpp", "#include <tbb/parallel_for.h>"},
    {"core/calibration/a.cpp", "#include <execution>"},
    {"core/numeric/a.cpp", "#include <hwy/highway.h>"},
    {"core/embedding/a.cpp", "#include <cblas-openblas.h>"},
    {"core/mechanism/a.cpp", "#include <lapacke.h>"},
    // form
    {"core/base/a.cpp", "#include \"a.h\""},
    {"core/base/a.cpp", "#include \"core/base/../numeric/b.h\""},
    {"core/elsewhere/a.h", "#include \"core/base/b.h\""},
    {"core/a.h", "#include \"core/base/b.h\""},
    {"tests/core/base/a_test.cpp", "#include \"ui/state/b.h\""},
    {"tests/support/a.h", "#include \"tests/core/b.h\""},
};

const std::vector<Case> kAllowed{
    {"core/base/a.cpp", "#include \"core/base/a.h\""},
    {"core/base/a.cpp", "#include <oneapi/tbb/parallel_for.h>"},
    {"core/numeric/a.cpp", "#include <cblas-openblas.h>"},
    {"core/engine/a.cpp", "#include <hwy/highway.h>"},
    {"core/report/a.cpp", "#include \"core/calibration/b.h\""},
    {"core/text/a.cpp", "// #include <QString>"},
    {"core/text/a.cpp", "#include <unicode/uchar.h>"},
    {"ui/live/a.cpp", "#include \"ui/state/b.h\""},
    {"ui/live/a.cpp", "#include \"ui_live_panel.h\""},
    {"ui/live/a.cpp", "#include <QWidget>"},
    {"ui/shell/a.cpp", "#include \"ui/live/b.h\""},
    {"app/cli/parser/a.cpp", "#include <CLI/CLI.hpp>"},
    {"app/gui/main.cpp", "#include \"ui/shell/b.h\""},
    {"tests/ui/live/a_test.cpp", "#include <QTest>"},
    {"tests/cases/a_test.cpp", "#include \"ui/live/b.h\""},
    {"tests/core/base/a_test.cpp", "#include <tbb/parallel_for.h>"},
};

std::vector<std::string> violationsOf(const Case& tried) {
    const TemporaryFolder folder;
    folder.write(tried.file, std::string("#pragma once\n") + tried.line + "\n");
    return includeViolations(folder.path());
}

}  // namespace

TEST_CASE("Every forbidden include is found, with file and line") {
    for (const Case& tried : kForbidden) {
        CAPTURE(tried.file, tried.line);
        const std::vector<std::string> violations = violationsOf(tried);
        CHECK(violations.size() == 1);
        CHECK_THAT(violations.empty() ? "" : violations.front(),
                   StartsWith(std::string(tried.file) + ":2: "));
    }
}

TEST_CASE("Allowed includes pass") {
    for (const Case& tried : kAllowed) {
        CAPTURE(tried.file, tried.line);
        CHECK(violationsOf(tried).empty());
    }
}

TEST_CASE("All files of a tree are looked at") {
    const TemporaryFolder folder;
    folder.write("core/base/a.h", "#include <QString>\n");
    folder.write("core/base/deep/er/b.cpp", "\n#include <QList>\n#include <QMap>\n");
    folder.write("ui/live/a.cpp", "#include \"ui/curves/b.h\"");
    CHECK(includeViolations(folder.path()) ==
          std::vector<std::string>{
              "core/base/a.h:1: Qt is not for this file (QString)",
              "core/base/deep/er/b.cpp:2: Qt is not for this file (QList)",
              "core/base/deep/er/b.cpp:3: Qt is not for this file (QMap)",
              "ui/live/a.cpp:1: ui/live may not include ui/curves/b.h",
          });
}

TEST_CASE("What is missing at the top level or does not belong there is found") {
    const TemporaryFolder folder;
    for (const char* file : {"core/a", "ui/a", "build/a", "build-sanitize/a", ".git/a", "LICENSE",
                             "README.md", "notes.txt", "docs/a", "Testing/a"}) {
        folder.write(file, "");
    }
    for (const char* file : {"CHANGELOG.md", "CMakeLists.txt", "SECURITY.md", "app/a",
                             "packaging/a", "resources/a", "tests/a"}) {
        folder.write(file, "");
    }
    CHECK(wrongAtTopLevel(folder.path()) ==
          std::vector<std::string>{"CMakePresets.json is missing", "Testing does not belong here",
                                   "docs does not belong here", "notes.txt does not belong here"});
}

TEST_CASE("The project keeps its include rules") {
    REQUIRE(fs::exists(fs::path(EPSILENS_SOURCE) / "core/base/error.h"));
    CHECK_THAT(includeViolations(EPSILENS_SOURCE), Equals(std::vector<std::string>{}));
}

TEST_CASE("The project's top level holds what it should and nothing else") {
    CHECK_THAT(wrongAtTopLevel(EPSILENS_SOURCE), Equals(std::vector<std::string>{}));
}
