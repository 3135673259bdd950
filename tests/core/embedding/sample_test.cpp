// The two embeddings in the program, and the examples that are shown with them.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/ascii.h"
#include "core/embedding/load.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::embedding;
namespace fs = std::filesystem;

namespace {

Row rowOf(const Embedding& sample, std::string_view word) {
    CAPTURE(word);
    const auto row = sample.vocabulary.find(word);
    REQUIRE(row.has_value());
    return *row;
}

Embedding loaded(std::string_view name) {
    return loadEmbedding({.path = std::string(name)}).value();
}

struct Value {
    std::string_view word;
    Row row;
    Eigen::Index column;
    float value;
};

struct ExpectedSample {
    std::string_view name;
    Row words;
    Eigen::Index dimensions;
    std::string_view letters;  ///< of the words
    std::uint64_t fileBytes;   ///< wc -c and sha256sum; resources/sample/README.md says the same
    std::string_view sha256;
    std::vector<Value> values;  ///< read from the files by numpy, frombuffer after the words
};

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789'";
const std::vector<ExpectedSample> kSamples{
    {"sample",
     12000,
     100,
     kLetters,
     2497121,
     "3c8a39d49f9b7fdbc6d51f7f0f82cade6275a520608edd4140a2aaef89080b33",
     {{"the", 1, 0, -1.41796875F},
      {"the", 1, 99, -0.482666015625F},
      {"car", 228, 1, -2.9140625F},
      {"car", 228, 99, -0.0186004638671875F}}},
    {"sample-poincare",
     14065,
     10,
     "abcdefghijklmnopqrstuvwxyz0123456789'_-",
     692895,
     "68241db4c165ce5f8761e20c89e2efce2ed9e200c234f96c7752d8a7ab3116a0",
     {{"entity", 6, 0, 0.0015101393F},
      {"entity", 6, 9, 0.00043891554F},
      {"dog", 603, 0, -0.05869071F},
      {"dog", 603, 9, -0.2740722F}}}};

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
        std::ranges::transform(text, text.begin(), asciiLower);
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
    for (const char* folder : {"app/cli/commands", "app/cli/parser", "resources/help"}) {
        for (const auto& entry : fs::directory_iterator(source / folder)) {
            paths.push_back(entry.path());
        }
    }
    return paths;
}

}  // namespace

TEST_CASE("samples: their words, values and bytes are those of their files") {
    for (const ExpectedSample& expected : kSamples) {
        CAPTURE(expected.name);
        const Embedding sample = loaded(expected.name);
        CHECK(sample.name == expected.name);
        CHECK(sample.path.empty());
        CHECK(sample.report.format == FileFormat::builtIn);
        CHECK(sample.report.compression.empty());
        CHECK(sample.report.fileBytes == expected.fileBytes);
        CHECK(sample.report.sha256 == expected.sha256);
        CHECK(sample.wordCount() == expected.words);
        CHECK(sample.vocabulary.size() == expected.words);
        CHECK(sample.dimensions() == expected.dimensions);
        CHECK(sample.vectors.allFinite());
        CHECK(sample.vectors.rowwise().squaredNorm().minCoeff() > 0.0F);
        for (const Value& value : expected.values) {
            CHECK(rowOf(sample, value.word) == value.row);
            CHECK(sample.vectors(value.row, value.column) == value.value);
        }
        std::set<std::string> rows;
        for (Row row = 0; row < sample.wordCount(); ++row) {
            const std::string_view word = sample.vocabulary.word(row);
            CAPTURE(word);
            REQUIRE(word.find_first_not_of(expected.letters) == std::string_view::npos);
            rows.emplace(reinterpret_cast<const char*>(sample.vectors.row(row).data()),
                         sizeof(float) * static_cast<std::size_t>(sample.dimensions()));
        }
        // No two words of the ball have the same vector.
        CHECK((expected.name == "sample" || std::ssize(rows) == sample.vectors.rows()));
    }
}

TEST_CASE("samples: hold the words of the examples") {
    const Embedding english = loaded(kSampleName);
    const Embedding ball = loaded(kPoincareSampleName);
    for (const std::string_view sentence : exampleSentences()) {
        CAPTURE(sentence);
        std::string word;
        int words = 0;
        for (const char letter : std::string(sentence) + ' ') {
            if (letter != ' ') {
                word += asciiLower(letter);
                continue;
            }
            static_cast<void>(rowOf(english, std::exchange(word, {})));
            ++words;
        }
        CHECK(words >= 8);   // ux: long enough for a kept, a near and a far word,
        CHECK(words <= 12);  // short enough for one line of a window 960 wide
    }
    for (const auto& [first, second] : examplePairs()) {
        CHECK(first != second);
        for (const std::string_view word : {first, second}) {
            static_cast<void>(rowOf(english, word));
            static_cast<void>(rowOf(ball, word));
        }
    }
    for (const std::string_view noun :
         {"doctor", "appointment", "hospital", "friday", "morning", "train", "paris", "london",
          "tomorrow", "money", "rent", "bank", "today", "dog", "fox", "salmon", "cancer", "car"}) {
        static_cast<void>(rowOf(ball, noun));
    }
}

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
    // The commands are found at all: beside the README, and in each folder.
    CHECK(seen.size() == 4);
}
