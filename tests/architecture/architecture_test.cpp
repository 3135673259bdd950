#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace epsilens::test;
using Catch::Matchers::StartsWith;

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// Files below `folder` may include project headers below `own`, separated by spaces, and those
/// that files below `like` may; empty: no others.
struct FolderRule {
    std::string_view folder;
    std::string_view like;
    std::string_view own;
};

// The first rule whose folder holds a file decides about it. A folder without a rule is a mistake:
// its place in the picture has to be settled here first.
constexpr std::array kFolderRules{
    FolderRule{"core/base", "", "core/base"},
    FolderRule{"core/io", "core/base", "core/io"},
    FolderRule{"core/numeric", "core/base", "core/numeric"},
    FolderRule{"core/embedding", "core/numeric", "core/io core/embedding"},
    FolderRule{"core/text", "core/io", "core/embedding core/text"},
    FolderRule{"core/training", "core/embedding", "core/metric core/training"},
    FolderRule{"core/metric", "core/numeric", "core/embedding core/metric"},
    FolderRule{"core/mechanism", "core/metric", "core/mechanism"},
    FolderRule{"core/engine", "core/mechanism", "core/io core/engine"},
    FolderRule{"core/plane", "core/mechanism", "core/engine core/plane"},
    FolderRule{"core/calibration", "core/engine", "core/text core/calibration"},
    FolderRule{"core/release", "core/engine", "core/text core/release"},
    FolderRule{"core/corpus", "core/release", "core/calibration core/corpus"},
    FolderRule{"core/attack", "core/corpus", "core/attack"},
    FolderRule{"core/evaluation", "core/attack", "core/evaluation"},
    FolderRule{"core/document", "core/evaluation", "core/training core/document"},
    FolderRule{"core/report", "core/document", "core/report"},
    FolderRule{"ui/widgets", "core/base", "ui/widgets"},
    FolderRule{"ui/plot", "ui/widgets", "ui/plot"},
    FolderRule{"ui/state", "", "core ui/widgets ui/state"},
    FolderRule{"ui/shell", "", "core ui"},
    FolderRule{"ui/setup", "ui/state", "ui/plot ui/setup"},
    FolderRule{"ui/dial", "ui/state", "ui/plot ui/dial"},
    FolderRule{"ui/choose", "ui/state", "ui/plot ui/choose"},
    FolderRule{"ui/mechanisms", "ui/state", "ui/plot ui/mechanisms"},
    FolderRule{"ui/curves", "ui/state", "ui/plot ui/curves"},
    FolderRule{"ui/space", "ui/state", "ui/plot ui/space"},
    FolderRule{"ui/words", "ui/state", "ui/plot ui/words"},
    FolderRule{"ui/tradeoff", "ui/state", "ui/plot ui/tradeoff"},
    FolderRule{"ui/present", "ui/state", "ui/plot ui/dial ui/choose ui/present"},
    FolderRule{"ui/help", "ui/state", "ui/plot ui/help"},
    FolderRule{"ui/report", "ui/state", "ui/plot ui/report"},
    FolderRule{"ui/release", "ui/state", "ui/plot ui/release"},
    FolderRule{"app/cli", "", "core app/cli"},
    FolderRule{"app/gui", "", "core ui app/gui"},
    FolderRule{"app/mpi", "", "core app/cli app/mpi"},
    FolderRule{"resources", "", ""},
    FolderRule{"tests/architecture", "", "tests/support"},
    FolderRule{"tests/core", "", "core tests/core tests/support"},
    FolderRule{"tests/support", "", "core tests/support"},
    FolderRule{"tests/ui", "", "core ui tests/support tests/ui"},
    FolderRule{"tests/cases", "", "core ui app/cli tests"},
    FolderRule{"tests/bench/window", "", "core ui tests/support"},
    FolderRule{"tests/screenshots", "", "core ui"},
    FolderRule{"tests", "", "core app/cli tests"},
};

/// A library that only some folders of core, app and ui may use, found by how its headers begin.
struct LibraryRule {
    std::string_view headers;
    std::string_view folders;
    std::string_view library;
};

// Qt headers begin with a Q, those of its plotting library and of its older modules with a q; no
// other library of the project has such names.
constexpr std::array kLibraryRules{
    LibraryRule{"Q", "ui app/gui", "Qt"},
    LibraryRule{"q", "ui app/gui", "Qt"},
    LibraryRule{"CLI/", "app/cli/parser", "CLI11"},
    LibraryRule{"mpi", "app/mpi", "MPI"},
    LibraryRule{"oneapi/", "core/base core/engine", "oneTBB"},
    LibraryRule{"tbb/", "core/base core/engine", "oneTBB"},
    LibraryRule{"execution", "core/base core/engine", "oneTBB"},
    LibraryRule{"hwy/", "core/engine", "Highway"},
    LibraryRule{"cblas", "core/numeric core/engine", "BLAS"},
    LibraryRule{"lapack", "core/numeric core/engine", "LAPACK"},
};

constexpr std::string_view kProject = "core ui app resources tests";

bool isBelow(std::string_view path, std::string_view folder) {
    return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

bool isBelowAny(std::string_view path, std::string_view folders) {
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(' '), folders.size());
        if (isBelow(path, folders.substr(0, end))) {
            return true;
        }
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return false;
}

/// The rule of a file or folder; null where there is none.
const FolderRule* ruleOf(std::string_view path) {
    const auto* const rule = std::ranges::find_if(
        kFolderRules, [&](const FolderRule& one) { return isBelow(path, one.folder); });
    return rule == kFolderRules.end() ? nullptr : rule;
}

bool mayInclude(const FolderRule& rule, std::string_view include) {
    return isBelowAny(include, rule.own) ||
           (!rule.like.empty() && mayInclude(*ruleOf(rule.like), include));
}

std::optional<std::string> projectViolation(std::string_view file, std::string_view include) {
    const FolderRule* const rule = ruleOf(file);
    if (rule == nullptr) {
        return "the include rules do not know this folder";
    }
    if (!isBelowAny(include, kProject)) {
        return fmt::format("\"{}\" is no path from the root of the project", include);
    }
    if (include.find("..") != std::string_view::npos) {
        return fmt::format("\"{}\" takes a way around", include);
    }
    return mayInclude(*rule, include)
               ? std::nullopt
               : std::optional(fmt::format("{} may not include {}", rule->folder, include));
}

std::optional<std::string> libraryViolation(std::string_view file, std::string_view include) {
    // Tests of the window use Qt too; nothing else limits which libraries a test may use.
    const bool isTest = isBelow(file, "tests");
    constexpr std::string_view kTestsOfTheWindow =
        "tests/ui tests/cases tests/bench/window tests/screenshots";
    if (isTest && isBelowAny(file, kTestsOfTheWindow)) {
        return std::nullopt;
    }
    for (const LibraryRule& rule : kLibraryRules) {
        if (include.starts_with(rule.headers) && (!isTest || rule.library == "Qt") &&
            !isBelowAny(file, rule.folders)) {
            return fmt::format("{} is not for this file ({})", rule.library, include);
        }
    }
    return std::nullopt;
}

/// Why a file may not have this include, or nothing when it may.
std::optional<std::string> violation(std::string_view file, const std::string& include,
                                     bool isQuoted) {
    // What Qt's tools write while building lies beside no source.
    static const std::regex kGenerated("(ui_|moc_).*|.*\\.moc");
    if (isQuoted && std::regex_match(include, kGenerated)) {
        return std::nullopt;
    }
    return isQuoted || isBelowAny(include, kProject) ? projectViolation(file, include)
                                                     : libraryViolation(file, include);
}

struct Include {
    int line = 0;
    std::string path{};
    bool isQuoted = false;
};

std::vector<Include> includesOf(const fs::path& file) {
    static const std::regex kInclude(R"re(\s*#\s*include\s*(["<])([^">]+)[">].*)re");
    std::vector<Include> includes;
    std::ifstream stream(file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        // Most lines are no directives.
        if (std::smatch found;
            line.find('#') != std::string::npos && std::regex_match(line, found, kInclude)) {
            includes.push_back({number, found[2], found[1] == "\""});
        }
    }
    return includes;
}

/// Every include below root's app, core, resources, tests and ui that breaks a rule, as
/// "file:line: reason", in the order of the file names. Empty when all is well.
Texts includeViolations(const fs::path& root) {
    std::set<std::string> files;
    for (const char* folder : {"app", "core", "resources", "tests", "ui"}) {
        if (!fs::is_directory(root / folder)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const fs::path ending = entry.path().extension();
            if (entry.is_regular_file() && (ending == ".h" || ending == ".cpp")) {
                files.insert(entry.path().lexically_relative(root).generic_string());
            }
        }
    }
    Texts violations;
    for (const std::string& file : files) {
        for (const Include& include : includesOf(root / file)) {
            if (const auto reason = violation(file, include.path, include.isQuoted)) {
                violations.push_back(fmt::format("{}:{}: {}", file, include.line, *reason));
            }
        }
    }
    return violations;
}

/// What is missing at the top level of root, and what does not belong there; dot files and build
/// folders do. Sorted; empty when all is well.
Texts wrongAtTopLevel(const fs::path& root) {
    const std::set<std::string> expected{"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
                                         "LICENSE",      "README.md",      "SECURITY.md",
                                         "app",          "core",           "packaging",
                                         "resources",    "tests",          "ui"};
    Texts wrong;
    for (const std::string& name : expected) {
        if (!fs::exists(root / name)) {
            wrong.push_back(name + " is missing");
        }
    }
    for (const auto& entry : fs::directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        if (name != "build" && !name.starts_with("build-") && !name.starts_with(".") &&
            !expected.contains(name)) {
            wrong.push_back(name + " does not belong here");
        }
    }
    std::ranges::sort(wrong);
    return wrong;
}

/// All files that the code of a folder can call into: what it includes, what implements that, and
/// so on.
std::set<std::string> reachableFrom(const fs::path& root, const std::string& folder) {
    Texts open;
    for (const auto& entry : fs::directory_iterator(root / folder)) {
        open.push_back(entry.path().lexically_relative(root).generic_string());
    }
    std::set<std::string> reached;
    while (!open.empty()) {
        const std::string file = open.back();
        open.pop_back();
        if (!fs::is_regular_file(root / file) || !reached.insert(file).second) {
            continue;
        }
        for (const Include& include : includesOf(root / file)) {
            open.push_back(include.path);
        }
        if (file.ends_with(".h")) {
            open.push_back(file.substr(0, file.size() - 1) + "cpp");
        }
    }
    return reached;
}

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
    {"ui/choose/a.cpp", "#include \"ui/curves/b.h\""},
    {"ui/setup/a.cpp", "#include \"ui/choose/b.h\""},
    {"ui/curves/a.cpp", "#include \"ui/space/b.h\""},
    {"ui/space/a.cpp", "#include \"ui/words/b.h\""},
    {"ui/words/a.cpp", "#include \"ui/report/b.h\""},
    {"ui/report/a.cpp", "#include \"ui/setup/b.h\""},
    {"ui/choose/a.cpp", "#include \"ui/shell/b.h\""},
    {"ui/widgets/a.cpp", "#include \"ui/choose/b.h\""},
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
    {"ui/choose/a.cpp", "#include \"ui/state/b.h\""},
    {"ui/choose/a.cpp", "#include \"ui_choose_panel.h\""},
    {"ui/choose/a.cpp", "#include <QWidget>"},
    {"ui/shell/a.cpp", "#include \"ui/choose/b.h\""},
    {"app/cli/parser/a.cpp", "#include <CLI/CLI.hpp>"},
    {"app/gui/main.cpp", "#include \"ui/shell/b.h\""},
    {"tests/ui/choose/a_test.cpp", "#include <QTest>"},
    {"tests/cases/a_test.cpp", "#include \"ui/choose/b.h\""},
    {"tests/core/base/a_test.cpp", "#include <tbb/parallel_for.h>"},
};

Texts violationsOf(const Case& tried) {
    const TemporaryFolder folder;
    folder.file(tried.file, std::string("#pragma once\n") + tried.line + "\n");
    return includeViolations(folder.path(""));
}

}  // namespace

TEST_CASE("Every forbidden include is found, with file and line") {
    for (const Case& tried : kForbidden) {
        CAPTURE(tried.file, tried.line);
        const Texts violations = violationsOf(tried);
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
    folder.file("core/base/a.h", "#include <QString>\n");
    folder.file("core/base/deep/er/b.cpp", "\n#include <QList>\n#include <QMap>\n");
    folder.file("ui/choose/a.cpp", "#include \"ui/curves/b.h\"");
    CHECK(includeViolations(folder.path("")) ==
          Texts{"core/base/a.h:1: Qt is not for this file (QString)",
                "core/base/deep/er/b.cpp:2: Qt is not for this file (QList)",
                "core/base/deep/er/b.cpp:3: Qt is not for this file (QMap)",
                "ui/choose/a.cpp:1: ui/choose may not include ui/curves/b.h"});
}

TEST_CASE("What is missing at the top level or does not belong there is found") {
    const TemporaryFolder folder;
    for (const char* file :
         {"core/a", "ui/a", "build/a", "build-sanitize/a", ".git/a", "LICENSE", "README.md",
          "notes.txt", "docs/a", "Testing/a", "CHANGELOG.md", "CMakeLists.txt", "SECURITY.md",
          "app/a", "packaging/a", "resources/a", "tests/a"}) {
        folder.file(file, "");
    }
    CHECK(wrongAtTopLevel(folder.path("")) ==
          Texts{"CMakePresets.json is missing", "Testing does not belong here",
                "docs does not belong here", "notes.txt does not belong here"});
}

TEST_CASE("The project keeps its include rules, and its top level holds what it should") {
    REQUIRE(fs::exists(fs::path(EPSILENS_SOURCE) / "core/base/error.h"));
    const Texts none;
    CHECK(includeViolations(EPSILENS_SOURCE) == none);
    CHECK(wrongAtTopLevel(EPSILENS_SOURCE) == none);
}

TEST_CASE("Nothing that a release can call knows a seeded stream") {
    const std::set<std::string> reached = reachableFrom(EPSILENS_SOURCE, "core/release");
    // The walk goes all the way: search, products and the noise are on it.
    for (const char* part : {"core/release/fresh_noise.cpp", "core/engine/point_search.cpp",
                             "core/engine/tile_bounds.cpp", "core/numeric/matrix_product.cpp",
                             "core/base/operating_system_stream.cpp"}) {
        CHECK(reached.contains(part));
    }
    for (const std::string& file : reached) {
        CAPTURE(file);
        CHECK(file != "core/base/random_stream.h");
        const std::string content = contentOf(std::string(EPSILENS_SOURCE "/") + file);
        CHECK(content.find("class SeededStream") == std::string::npos);
        CHECK(content.find("StreamKey") == std::string::npos);
    }
    // Where seeds are used the same walk finds them.
    CHECK(reachableFrom(EPSILENS_SOURCE, "core/calibration").contains("core/base/random_stream.h"));
}
