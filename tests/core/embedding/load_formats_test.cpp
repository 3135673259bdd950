#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/bad_content.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using namespace epsilens::embedding;

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

    for (const auto& entries :
         {std::vector<std::pair<std::string, std::string>>{{"a.txt", content}, {"b.txt", content}},
          std::vector<std::pair<std::string, std::string>>{{"folder/", ""}},
          std::vector<std::pair<std::string, std::string>>{}}) {
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
