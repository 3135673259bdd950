#include "tests/architecture/include_rules.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>

namespace epsilens::test {

namespace {

namespace fs = std::filesystem;

/// Files below `folder` may include project headers below `mayInclude`, separated by spaces.
struct FolderRule {
    std::string_view folder;
    std::string_view mayInclude;
};

// The first rule whose folder holds a file decides about it. A folder without a rule is a mistake:
// its place in the picture has to be settled here first.
constexpr std::array kFolderRules{
    FolderRule{"core/base", "core/base"},
    FolderRule{"core/io", "core/base core/io"},
    FolderRule{"core/numeric", "core/base core/numeric"},
    FolderRule{"core/embedding", "core/base core/io core/numeric core/embedding"},
    FolderRule{"core/text", "core/base core/io core/embedding core/text"},
    FolderRule{"core/training",
               "core/base core/io core/numeric core/embedding core/metric core/training"},
    FolderRule{"core/metric", "core/base core/numeric core/embedding core/metric"},
    FolderRule{"core/mechanism",
               "core/base core/numeric core/embedding core/metric core/mechanism"},
    FolderRule{
        "core/engine",
        "core/base core/io core/numeric core/embedding core/metric core/mechanism core/engine"},
    FolderRule{
        "core/plane",
        "core/base core/numeric core/embedding core/metric core/mechanism core/engine core/plane"},
    FolderRule{"core/statistics",
               "core/base core/numeric core/embedding core/metric core/mechanism core/engine "
               "core/statistics"},
    FolderRule{"core/calibration",
               "core/base core/io core/numeric core/embedding core/text core/metric core/mechanism "
               "core/engine core/statistics core/calibration"},
    FolderRule{"core/release",
               "core/base core/io core/numeric core/embedding core/text core/metric core/mechanism "
               "core/engine core/release"},
    FolderRule{"core/experiment",
               "core/base core/io core/numeric core/embedding core/text core/metric core/mechanism "
               "core/engine core/statistics core/calibration core/release core/experiment"},
    FolderRule{"core/document",
               "core/base core/io core/numeric core/embedding core/text core/training core/metric "
               "core/mechanism core/engine core/statistics core/calibration "
               "core/release core/experiment core/document"},
    FolderRule{"core/report",
               "core/base core/io core/numeric core/embedding core/text core/training core/metric "
               "core/mechanism core/engine core/statistics core/calibration "
               "core/release core/experiment core/document core/report"},
    FolderRule{"ui/widgets", "core/base ui/widgets"},
    FolderRule{"ui/plot", "core/base ui/widgets ui/plot"},
    FolderRule{"ui/state", "core ui/widgets ui/state"},
    FolderRule{"ui/shell", "core ui"},
    FolderRule{"ui/setup", "core ui/widgets ui/plot ui/state ui/setup"},
    FolderRule{"ui/dial", "core ui/widgets ui/plot ui/state ui/dial"},
    FolderRule{"ui/live", "core ui/widgets ui/plot ui/state ui/live"},
    FolderRule{"ui/mechanisms", "core ui/widgets ui/plot ui/state ui/mechanisms"},
    FolderRule{"ui/curves", "core ui/widgets ui/plot ui/state ui/curves"},
    FolderRule{"ui/space", "core ui/widgets ui/plot ui/state ui/space"},
    FolderRule{"ui/words", "core ui/widgets ui/plot ui/state ui/words"},
    FolderRule{"ui/tradeoff", "core ui/widgets ui/plot ui/state ui/tradeoff"},
    FolderRule{"ui/present", "core ui/widgets ui/plot ui/state ui/dial ui/live ui/present"},
    FolderRule{"ui/help", "core ui/widgets ui/plot ui/state ui/help"},
    FolderRule{"ui/report", "core ui/widgets ui/plot ui/state ui/report"},
    FolderRule{"ui/release", "core ui/widgets ui/plot ui/state ui/release"},
    FolderRule{"app/cli", "core app/cli"},
    FolderRule{"app/gui", "core ui app/gui"},
    FolderRule{"app/mpi", "core app/cli app/mpi"},
    FolderRule{"resources", ""},
    FolderRule{"tests/architecture", "tests/architecture"},
    FolderRule{"tests/core", "core tests/core tests/support"},
    FolderRule{"tests/support", "core tests/support"},
    FolderRule{"tests/ui", "core ui tests/support tests/ui"},
    FolderRule{"tests/cases", "core ui app/cli tests"},
    FolderRule{"tests/bench/window", "core ui tests/support"},
    FolderRule{"tests/screenshots", "core ui"},
    FolderRule{"tests", "core app/cli tests"},
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

// What Qt's tools write while building lies beside no source.
bool isGenerated(std::string_view include) {
    return include.starts_with("ui_") || include.starts_with("moc_") || include.ends_with(".moc");
}

std::optional<std::string> projectViolation(std::string_view file, std::string_view include) {
    const auto* const rule = std::find_if(kFolderRules.begin(), kFolderRules.end(),
                                          [&](const auto& r) { return isBelow(file, r.folder); });
    if (rule == kFolderRules.end()) {
        return "the include rules do not know this folder";
    }
    if (!isBelowAny(include, "core ui app resources tests")) {
        return fmt::format("\"{}\" is no path from the root of the project", include);
    }
    if (include.find("..") != std::string_view::npos) {
        return fmt::format("\"{}\" takes a way around", include);
    }
    if (!isBelowAny(include, rule->mayInclude)) {
        return fmt::format("{} may not include {}", rule->folder, include);
    }
    return std::nullopt;
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
        if (!include.starts_with(rule.headers) || (isTest && rule.library != "Qt")) {
            continue;
        }
        if (!isBelowAny(file, rule.folders)) {
            return fmt::format("{} is not for this file ({})", rule.library, include);
        }
    }
    return std::nullopt;
}

bool isCppFile(const fs::path& path) {
    return path.extension() == ".h" || path.extension() == ".cpp";
}

std::vector<std::string> cppFiles(const fs::path& root) {
    std::vector<std::string> files;
    for (const char* folder : {"app", "core", "resources", "tests", "ui"}) {
        if (!fs::is_directory(root / folder)) {
            continue;
        }
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.is_regular_file() && isCppFile(entry.path())) {
                files.push_back(entry.path().lexically_relative(root).generic_string());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

struct Include {
    std::string_view path;
    bool quoted = false;
};

std::string_view withoutLeadingBlanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::optional<Include> parseInclude(std::string_view line) {
    constexpr std::string_view kDirective = "include";
    line = withoutLeadingBlanks(line);
    if (!line.starts_with('#')) {
        return std::nullopt;
    }
    line = withoutLeadingBlanks(line.substr(1));
    if (!line.starts_with(kDirective)) {
        return std::nullopt;
    }
    line = withoutLeadingBlanks(line.substr(kDirective.size()));
    const bool quoted = line.starts_with('"');
    const std::size_t end = line.find(quoted ? '"' : '>', 1);
    if ((!quoted && !line.starts_with('<')) || end == std::string_view::npos) {
        return std::nullopt;
    }
    return Include{line.substr(1, end - 1), quoted};
}

void addViolations(const fs::path& root, const std::string& file,
                   std::vector<std::string>& violations) {
    std::ifstream stream(root / file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        const std::optional<Include> include = parseInclude(line);
        const auto reason =
            include ? includeViolation(file, include->path, include->quoted) : std::nullopt;
        if (reason) {
            violations.push_back(fmt::format("{}:{}: {}", file, number, *reason));
        }
    }
}

}  // namespace

std::optional<std::string> includeViolation(std::string_view file, std::string_view include,
                                            bool quoted) {
    if (quoted && isGenerated(include)) {
        return std::nullopt;
    }
    if (quoted || isBelowAny(include, "core ui app resources tests")) {
        return projectViolation(file, include);
    }
    return libraryViolation(file, include);
}

std::vector<std::string> includeViolations(const fs::path& root) {
    std::vector<std::string> violations;
    for (const std::string& file : cppFiles(root)) {
        addViolations(root, file, violations);
    }
    return violations;
}

std::vector<std::string> wrongAtTopLevel(const fs::path& root) {
    constexpr std::array<std::string_view, 12> kExpected{
        "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
        "LICENSE",      "README.md",      "SECURITY.md",
        "app",          "core",           "packaging",
        "resources",    "tests",          "ui"};
    std::vector<std::string> wrong;
    for (const std::string_view name : kExpected) {
        if (!fs::exists(root / name)) {
            wrong.push_back(fmt::format("{} is missing", name));
        }
    }
    for (const auto& entry : fs::directory_iterator(root)) {
        const std::string name = entry.path().filename().string();
        const bool isKnown = name == "build" || name.starts_with("build-") ||
                             name.starts_with(".") ||
                             std::find(kExpected.begin(), kExpected.end(), name) != kExpected.end();
        if (!isKnown) {
            wrong.push_back(fmt::format("{} does not belong here", name));
        }
    }
    std::sort(wrong.begin(), wrong.end());
    return wrong;
}

}  // namespace epsilens::test
