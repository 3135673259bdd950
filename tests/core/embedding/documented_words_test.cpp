#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/ascii.h"
#include "core/embedding/load.h"
#include "tests/support/temporary_folder.h"

namespace epsilens::embedding {
namespace {

namespace fs = std::filesystem;

/// A word that a command shown to people asks for.
struct TypedWord {
    std::string word;
    bool poincare = false;  ///< of the Poincaré sample, not of the English one
};

/// Words behind --text, in quotes, and --pair, of commands in a text or in a C++ literal, and of
/// sentences to type, "such as *this one*".
std::vector<TypedWord> typedWords(const std::string& content) {
    static const std::regex kValue(
        R"re(--(?:text\s+\\?"([^"\\]*)|pair\s+\\?"?([^\s"\\`]+))|such as\s\*([^*]+)\*)re");
    static const std::regex kWord(R"re([^\s,.;:!?]+)re");
    std::vector<TypedWord> words;
    for (std::sregex_iterator value(content.begin(), content.end(), kValue), end; value != end;
         ++value) {
        const auto at = static_cast<std::size_t>(value->position());
        const std::size_t command = content.rfind("epsilens-cli", at);
        const std::size_t script = content.rfind("run.sh cli", at);
        const std::size_t begin = std::max(command == std::string::npos ? 0 : command,
                                           script == std::string::npos ? 0 : script);
        const bool poincare =
            content.substr(begin, at - begin).find("sample-poincare") != std::string::npos;
        std::string text = (*value)[1].str() + (*value)[2].str() + (*value)[3].str();
        std::transform(text.begin(), text.end(), text.begin(), asciiLower);
        for (std::sregex_iterator word(text.begin(), text.end(), kWord); word != end; ++word) {
            words.push_back({word->str(), poincare});
        }
    }
    return words;
}

/// All that shows commands: the README, the help of the window and of the command line.
std::vector<fs::path> documents() {
    const fs::path source(EPSILENS_SOURCE);
    std::vector<fs::path> paths{source / "README.md"};
    for (const char* folder : {"app/cli/parser", "resources/help"}) {
        for (const auto& entry : fs::directory_iterator(source / folder)) {
            paths.push_back(entry.path());
        }
    }
    return paths;
}

}  // namespace

TEST_CASE("documented words: the samples hold what README and help type") {
    const auto english = loadEmbedding({.path = std::string(kSampleName)}).value();
    const auto poincare = loadEmbedding({.path = std::string(kPoincareSampleName)}).value();
    std::map<fs::path, int> seen;
    for (const fs::path& path : documents()) {
        for (const TypedWord& typed : typedWords(test::contentOf(path.string()))) {
            CAPTURE(path.string(), typed.word);
            const Embedding& sample = typed.poincare ? poincare : english;
            CHECK(sample.vocabulary.find(typed.word).has_value());
            ++seen[path.parent_path().filename()];
        }
    }
    // The commands are found at all: beside the README, and in both folders.
    CHECK(seen.size() == 3);
}

}  // namespace epsilens::embedding
