#include "core/embedding/word_list.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace epsilens::embedding {

using test::TemporaryFolder;

TEST_CASE("A list of words: blanks, blank lines and repetitions do not count") {
    const TemporaryFolder folder;
    const std::string path = folder.file("words.txt", "  sea \r\n\n\t\nnew york\nsea\nlast");
    const auto list = readWordList(path).value();
    REQUIRE(list.size() == 3);
    CHECK(list.word(0) == "sea");
    CHECK(list.word(1) == "new york");
    CHECK(list.word(2) == "last");
}

TEST_CASE("A list without a word is refused, with its name") {
    const TemporaryFolder folder;
    const std::string path = folder.file("none.txt", " \n\r\n");
    const Error error = test::checkRefused(readWordList(path), ErrorCode::badFile);
    CHECK(error.file == path);
}

TEST_CASE("A list of more words than memory has room for is refused, with its name") {
    const TemporaryFolder folder;
    std::string words;
    for (int word = 0; word < 100'000; ++word) {
        words += std::to_string(word) + "\n";
    }
    const std::string path = folder.file("words.txt", words);
    // Text, ends and slots of 100,000 words take more than 5 + 8 + 4 bytes each.
    const Error error = test::checkRefused(readWordList(path, {}, 1'700'000),
                                           ErrorCode::resourceLimit, "use a shorter list");
    CHECK(error.file == path);
    CHECK(readWordList(path, {}, 100'000'000));
}

TEST_CASE("Words of a list are looked up as they are written, in the order of the list") {
    Vocabulary vocabulary;
    for (const auto* word : {"sea", "lake", "pond", "river"}) {
        vocabulary.add(word);
    }
    const TemporaryFolder folder;
    const auto found =
        findListedWords(folder.file("words.txt", "river\nLake\nocean\nsea\nriver\n"), vocabulary)
            .value();
    CHECK(found.rows == std::vector<Row>{3, 0});
    CHECK(found.words == 4);
}

TEST_CASE("A list of which no word is known is no failure") {
    Vocabulary vocabulary;
    vocabulary.add("sea");
    const TemporaryFolder folder;
    const auto found = findListedWords(folder.file("words.txt", "ocean\n"), vocabulary).value();
    CHECK(found.rows.empty());
    CHECK(found.words == 1);
    CHECK_FALSE(findListedWords(folder.path("missing.txt"), vocabulary));
}

}  // namespace epsilens::embedding
