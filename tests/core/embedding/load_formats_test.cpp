#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/embedding/load.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using namespace epsilens::embedding;
using namespace std::string_literals;

namespace {

constexpr std::string_view kGloveText = "the 0.5 -1 2\nof 1 2 3\nand 4 5 6\n";
// sha256sum of the bytes above.
constexpr std::string_view kGloveSha256 =
    "71f955213ee30ca69edd128e5b23176d935e3e185e33a86577ed64600507aa36";

RowMatrixF gloveVectors() {
    return (RowMatrixF(3, 3) << 0.5F, -1.0F, 2.0F, 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F).finished();
}

test::WordsAndValues gloveRows() {
    return {{"the", {0.5F, -1.0F, 2.0F}}, {"of", {1.0F, 2.0F, 3.0F}}, {"and", {4.0F, 5.0F, 6.0F}}};
}

void checkIsGlove(const Result<Embedding>& loaded) {
    REQUIRE(loaded);
    CHECK(loaded->vectors == gloveVectors());
    REQUIRE(loaded->vocabulary.size() == 3);
    CHECK(loaded->vocabulary.word(0) == "the");
    CHECK(loaded->vocabulary.word(1) == "of");
    CHECK(loaded->vocabulary.word(2) == "and");
    CHECK(loaded->report.badLines() == 0);
    CHECK(loaded->report.duplicates.count == 0);
    CHECK_FALSE(loaded->report.limitedTo);
    CHECK_FALSE(loaded->report.vocabulary);
}

Vocabulary wordsOfFormat(Row count) {
    Vocabulary words;
    for (Row row = 0; row < count; ++row) {
        words.add("w" + std::to_string(row));
    }
    return words;
}

/// A tar archive of one file, laid out by POSIX.1-2017: fields of 100, 8, 8, 8, 12, 12, 8, 1 and
/// 100 bytes, then the magic text; blocks of 512 bytes.
std::string tarOf(std::string_view content, std::string_view magic) {
    constexpr std::size_t kBlock = 512;
    std::string archive("glove.txt");
    archive.resize(100, '\0');
    archive +=
        "0000644\0"
        "0001750\0"
        "0001750\0"s;
    archive += fmt::format("{:011o}", content.size()) + '\0' + "14705413000\0"s;
    archive += "        0";
    archive.resize(257, '\0');
    archive += magic;
    archive.resize(kBlock, '\0');
    archive += content;
    archive.resize((archive.size() / kBlock + 3) * kBlock, '\0');
    return archive;
}

}  // namespace

TEST_CASE("GloVe text is found and described") {
    const test::TemporaryFolder folder;
    const LoadOptions options{.path = folder.file("some folder/vectors.txt", kGloveText)};
    const auto loaded = loadEmbedding(options);
    checkIsGlove(loaded);
    CHECK(loaded->report.format == FileFormat::gloveText);
    CHECK(loaded->report.compression.empty());
    CHECK(loaded->report.fileBytes == kGloveText.size());
    CHECK(loaded->report.sha256 == kGloveSha256);
    CHECK(loaded->name == "vectors.txt");
    CHECK(loaded->path == options.path);
}

TEST_CASE("word2vec text is told by its header") {
    const std::string header = GENERATE("3 3\n", "3 3 \r\n",
                                        "\xef\xbb\xbf"
                                        "3 3\n",
                                        "3\t3\n");
    const auto loaded = test::loadContent(header + std::string(kGloveText));
    checkIsGlove(loaded);
    CHECK(loaded->report.format == FileFormat::word2vecText);
}

TEST_CASE("word2vec binary is read with and without line ends") {
    const bool lineEnds = GENERATE(false, true);
    const auto loaded = test::loadContent(test::word2vecBinary(gloveRows(), lineEnds));
    checkIsGlove(loaded);
    CHECK(loaded->report.format == FileFormat::word2vecBinary);
}

TEST_CASE("Every format is read from every compression") {
    struct Content {
        FileFormat format;
        std::string name;
        std::string bytes;
    };
    const test::FasttextParts model{.longest = 0};
    const std::array contents{
        Content{FileFormat::gloveText, "glove-text", std::string(kGloveText)},
        Content{FileFormat::word2vecText, "word2vec-text", "3 3\n" + std::string(kGloveText)},
        Content{FileFormat::word2vecBinary, "word2vec-binary",
                test::word2vecBinary(gloveRows(), false)},
        Content{FileFormat::fasttextBinary, "fasttext-binary", test::fasttextModel(model)},
    };
    for (const Content& content : contents) {
        const auto plain = test::loadContent(content.bytes).value();
        CHECK(plain.report.format == content.format);
        CHECK(formatName(content.format) == content.name);
        for (const std::string name : {"gzip", "xz", "bzip2", "zstd", "zip"}) {
            CAPTURE(formatName(content.format), name);
            const auto loaded =
                test::loadContent(name == "zip" ? test::zipped({{"vectors.txt", content.bytes}})
                                                : test::compressed(content.bytes, name));
            REQUIRE(loaded);
            CHECK(loaded->report.compression == name);
            CHECK(loaded->report.format == content.format);
            CHECK(loaded->vectors == plain.vectors);
        }
    }
}

TEST_CASE("A zip file may have folders but only one file") {
    const std::string content(kGloveText);
    checkIsGlove(test::loadContent(test::zipped({{"folder/", ""}, {"folder/a.txt", content}})));

    for (const auto& entries : {test::Entries{{"a.txt", content}, {"b.txt", content}},
                                test::Entries{{"folder/", ""}}, test::Entries{}}) {
        test::checkBadContent(test::zipped(entries), "zip file holds");
    }
}

TEST_CASE("Compressed files of several members are read to the end") {
    for (const std::string name : {"gzip", "xz", "bzip2", "zstd"}) {
        CAPTURE(name);
        checkIsGlove(test::loadContent(test::compressed(kGloveText.substr(0, 13), name) +
                                       test::compressed(kGloveText.substr(13), name)));
    }
}

TEST_CASE("The format can be forced") {
    LoadOptions options;
    options.inputFormat = parseInputFormat("glove").value();
    const auto headerAsRow = test::loadContent("3 3\n" + std::string(kGloveText), options).value();
    CHECK(headerAsRow.wordCount() == 3);
    CHECK(headerAsRow.report.wrongLength.firstPositions == std::vector<std::int64_t>{1});

    // Values whose bytes are letters and blanks look like a text.
    const std::string printable = "2 1\nab     cd     ";
    options.inputFormat = parseInputFormat("word2vec-binary").value();
    const auto binary = test::loadContent(printable, options).value();
    CHECK(binary.report.format == FileFormat::word2vecBinary);

    options.inputFormat = parseInputFormat("word2vec-text").value();
    test::checkBadContent(kGloveText, "header", options);

    options.inputFormat = parseInputFormat("fasttext").value();
    test::checkBadContent(kGloveText, "", options);
}

TEST_CASE("word2vec text: header, words and shortest numbers") {
    Vocabulary words;
    words.add("dog");
    words.add("S\xc3\xa4ugetier");
    RowMatrixF vectors(2, 3);
    vectors << 0.1F, -1.0F, 0.0F, 1e-7F, 16777216.0F, 0.33333334F;
    // The shortest decimals of these float32 numbers, written down by hand.
    CHECK(word2vecText(words, vectors) ==
          "2 3\ndog 0.1 -1 0\nS\xc3\xa4ugetier 1e-07 16777216 0.33333334\n");
}

TEST_CASE("word2vec text: what is written reads back bit for bit") {
    constexpr Row kRows = 500;
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    RowMatrixF vectors(kRows, 4);
    for (Eigen::Index i = 0; i < vectors.size(); ++i) {
        float value = std::numeric_limits<float>::quiet_NaN();
        while (!std::isfinite(value)) {
            value = std::bit_cast<float>(static_cast<std::uint32_t>(stream()));
        }
        vectors.data()[i] = value;
    }
    vectors.row(0) << std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max(),
        std::numeric_limits<float>::lowest(), -0.0F;
    const auto loaded = test::loadContent(word2vecText(wordsOfFormat(kRows), vectors)).value();
    CHECK(loaded.report.format == FileFormat::word2vecText);
    CHECK(loaded.report.badLines() == 0);
    REQUIRE(loaded.wordCount() == kRows);
    CHECK(loaded.vocabulary.word(kRows - 1) == "w499");
    for (Eigen::Index i = 0; i < vectors.size(); ++i) {
        REQUIRE(std::bit_cast<std::uint32_t>(loaded.vectors.data()[i]) ==
                std::bit_cast<std::uint32_t>(vectors.data()[i]));
    }
}

// What files are taken for by their content.

TEST_CASE("A tar archive is refused, packed or not") {
    // As POSIX has it, and as GNU tar writes it.
    const std::string magic = GENERATE(
        "ustar\0"
        "00"s,
        "ustar  \0"s);
    const std::string archive = tarOf(test::manyRows(300), magic);
    for (const std::string& bytes : {archive, test::compressed(archive, "gzip")}) {
        test::checkBadContent(bytes, "it is a tar archive; unpack it");
    }
}

TEST_CASE("The word ustar does not make a tar archive of a text") {
    for (std::size_t before = 200; before < 270; ++before) {
        const std::string content =
            "a" + std::string(before, 'b') + " 1.5 2.5\nustar 3.5 4.5\nustars 5.5 6.5\n";
        const auto loaded = test::loadContent(content).value();
        CHECK(loaded.wordCount() == 3);
    }
}

// 0.1 is CD CC CC 3D in float32, so none of its bytes is a control character; 0.2 is CD CC 4C 3E.
TEST_CASE("A small word2vec binary file is found without control characters") {
    const bool lineEnds = GENERATE(false, true);
    for (const test::WordsAndValues& rows :
         {test::WordsAndValues{{"ab", {0.1F, 0.2F}}},
          test::WordsAndValues{{"ab", {0.1F, 0.2F}}, {"c", {0.2F, 0.1F}}}}) {
        const auto loaded = test::loadContent(test::word2vecBinary(rows, lineEnds)).value();
        CHECK(loaded.report.format == FileFormat::word2vecBinary);
        REQUIRE(loaded.wordCount() == static_cast<Row>(rows.size()));
        CHECK(loaded.vectors(0, 0) == rows.front().second.front());
        CHECK(loaded.vocabulary.word(0) == rows.front().first);
    }
}

TEST_CASE("Rows of one number without a header are vectors where the format says so") {
    const LoadOptions options{.inputFormat = InputFormat::glove};
    for (const char* content :
         {"7 3\n8 4\n9 5\n", "7 3\n8 4\n9 5", "1 0.5\n2 0.7\n", "a 3\nb 4\n"}) {
        CAPTURE(content);
        CHECK_FALSE(test::loadContent(content));
        CHECK(test::loadContent(content, options).value().dimensions() == 1);
    }
    test::checkBadContent("1 0.5\n2 0.7\n", "first lines have one number");
    const auto forced = test::loadContent("the 5\nof 7\n3 2\n", options).value();
    CHECK(forced.vectors == (RowMatrixF(3, 1) << 5.0F, 7.0F, 2.0F).finished());
    CHECK(forced.vocabulary.word(2) == "3");
}

TEST_CASE("Vectors of one dimension load with a header that agrees") {
    CHECK(test::loadContent("2 2\nz\xe9ro 1 2\nb 3 4\n").value().report.format ==
          FileFormat::word2vecText);
    for (const char* content : {"2 1\n3 4\n5 6\n", "1 1\nthe 4\n"}) {
        const auto loaded = test::loadContent(content).value();
        CHECK(loaded.report.format == FileFormat::word2vecText);
        CHECK(loaded.dimensions() == 1);
        CHECK(loaded.report.badLines() == 0);
    }
}
