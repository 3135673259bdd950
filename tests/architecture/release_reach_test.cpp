#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> projectIncludes(const fs::path& file) {
    constexpr std::string_view kBegin = "#include \"";
    std::vector<std::string> includes;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(kBegin)) {
            includes.push_back(line.substr(kBegin.size(), line.rfind('"') - kBegin.size()));
        }
    }
    return includes;
}

/// All files that the code of a folder can call into: what it includes, what implements that, and
/// so on.
std::set<std::string> reachableFrom(const fs::path& root, const std::string& folder) {
    std::vector<std::string> open;
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
        for (std::string& include : projectIncludes(root / file)) {
            open.push_back(std::move(include));
        }
        if (file.ends_with(".h")) {
            open.push_back(file.substr(0, file.size() - 1) + "cpp");
        }
    }
    return reached;
}

}  // namespace

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
        std::ifstream stream(fs::path(EPSILENS_SOURCE) / file);
        std::stringstream content;
        content << stream.rdbuf();
        CHECK(content.str().find("class SeededStream") == std::string::npos);
        CHECK(content.str().find("StreamKey") == std::string::npos);
    }
    // Where seeds are used the same walk finds them.
    CHECK(reachableFrom(EPSILENS_SOURCE, "core/calibration").contains("core/base/random_stream.h"));
}
