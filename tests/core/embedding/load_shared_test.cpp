// Expected outcome of loading each file of the shared real data.
//
// Origin of the numbers: rows and dimensions from the description that comes with the data, checked
// by a separate count in Python (lines split at blanks, words decoded as UTF-8, dictionaries of
// fastText models walked through); it also gave the skipped rows.

#include "core/embedding/load.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/shared_data.h"

using namespace epsilens;
using namespace epsilens::embedding;

namespace {

struct Expected {
    std::string_view file;
    FileFormat format = FileFormat::gloveText;
    std::string_view compression{};
    std::int64_t words = 0;
    std::int64_t dimensions = 0;
    std::int64_t wrongLength = 0;
    std::int64_t invalidText = 0;
    std::int64_t emptyWords = 0;
};

struct Refused {
    std::string_view file;
    std::string_view partOfMessage;
};

constexpr FileFormat kGlove = FileFormat::gloveText;
constexpr FileFormat kText = FileFormat::word2vecText;
constexpr FileFormat kBinary = FileFormat::word2vecBinary;
constexpr FileFormat kFasttext = FileFormat::fasttextBinary;

constexpr std::array kGood{
    Expected{"allennlp-fake_embeddings.5d.txt", kGlove, "", 15, 5},
    Expected{"allennlp-fake_embeddings.5d.txt.bz2", kGlove, "bzip2", 15, 5},
    Expected{"allennlp-fake_embeddings.5d.txt.gz", kGlove, "gzip", 15, 5},
    Expected{"allennlp-fake_embeddings.5d.txt.xz", kGlove, "xz", 15, 5},
    Expected{"allennlp-fake_embeddings.5d.txt.zip", kGlove, "zip", 15, 5},
    Expected{"allennlp-glove.6B.100d.sample.txt.gz", kGlove, "gzip", 100, 100},
    Expected{"allennlp-glove.6B.300d.sample.txt.gz", kGlove, "gzip", 100, 300},
    Expected{"emoji2vec.bin", kBinary, "", 1661, 300},
    Expected{"fasttext-crawl-300d-2M.sample770.vec", kText, "", 770, 300},
    Expected{"finalfusion-analogy.bin", kBinary, "", 43, 100},
    Expected{"finalfusion-fasttext.bin", kFasttext, "", 157, 50},
    Expected{"finalfusion-similarity.bin", kBinary, "", 41, 100},
    Expected{"finalfusion-similarity.nodims", kGlove, "", 41, 100},
    Expected{"finalfusion-similarity.txt", kText, "", 41, 100},
    Expected{"finalfusion-utf8-incomplete.bin", kBinary, "", 2, 3, 0, 1},
    Expected{"finalfusion-utf8-incomplete.dims", kText, "", 2, 3, 0, 1},
    Expected{"finalfusion-utf8-incomplete.txt", kGlove, "", 2, 3, 0, 1},
    Expected{"gensim-EN.1-10.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt", kText, "", 20, 300},
    Expected{"gensim-IT.1-10.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt", kText, "", 20, 300},
    Expected{"gensim-cp852_fasttext.bin", kFasttext, "", 102, 2, 0, 69},
    Expected{"gensim-crime-and-punishment.bin", kFasttext, "", 291, 5},
    Expected{"gensim-crime-and-punishment.vec", kText, "", 291, 5},
    Expected{"gensim-euclidean_vectors.bin", kBinary, "", 2747, 10},
    Expected{"gensim-high_precision.kv.bin", kBinary, "", 2, 2},
    Expected{"gensim-high_precision.kv.txt", kText, "", 2, 2},
    Expected{"gensim-lee_fasttext.bin", kFasttext, "", 1762, 10},
    Expected{"gensim-lee_fasttext.vec", kText, "", 1762, 10},
    Expected{"gensim-lee_fasttext_new.bin", kFasttext, "", 1763, 10},
    Expected{"gensim-non_ascii_fasttext.bin", kFasttext, "", 171, 2},
    Expected{"gensim-pang_lee_polarity_fasttext.bin", kFasttext, "", 1689, 100, 0, 5},
    Expected{"gensim-pang_lee_polarity_fasttext.vec", kText, "", 1689, 100, 0, 5},
    Expected{"gensim-test_glove.txt", kGlove, "", 76, 50},
    Expected{"gensim-toy-model-pretrained.bin", kFasttext, "", 23, 5, 0, 0, 1},
    Expected{"gensim-toy-model.bin", kFasttext, "", 22, 5},
    Expected{"gensim-toy-model.vec", kText, "", 22, 5},
    Expected{"gensim-word2vec_pre_kv_c", kText, "", 1750, 10},
    Expected{"glove.6B.50d.first2987-with-header.txt", kText, "", 2987, 50},
    Expected{"glove.840B.300d.first600-truncated.txt", kGlove, "", 596, 300, 1, 0, 4},
};

constexpr std::array kBad{
    Refused{"allennlp-multi-file-archive.zip", "several files"},
    Refused{"finalfusion-similarity.fifu", "finalfusion"},
    Refused{"gensim-ft_kv_3.6.0.model.gz", "pickle"},
    Refused{"gensim-model-from-gensim-3.8.0.w2v", "pickle"},
    // The header announces three rows, one is there.
    Refused{"gensim-pretrained.vec", "announces 3 rows, but the file has 1"},
    Refused{"gensim-reproduce.dat", "not a word embedding"},
    Refused{"gensim-reproduce.dat.gz", "not a word embedding"},
    Refused{"gensim-w2v_keyedvectors_load_test.modeldata", "no usable row"},
    Refused{"gensim-w2v_keyedvectors_load_test.vocab", "have one number"},
};

Result<Embedding> loadShared(const std::string& path, InputFormat format = InputFormat::automatic) {
    LoadOptions options;
    options.path = path;
    options.inputFormat = format;
    return loadEmbedding(options);
}

void checkOutcome(const Embedding& loaded, const Expected& expected) {
    const LoadReport& report = loaded.report;
    CHECK(formatName(report.format) == formatName(expected.format));
    CHECK(report.compression == expected.compression);
    CHECK(loaded.wordCount() == expected.words);
    CHECK(loaded.vocabulary.size() == expected.words);
    CHECK(loaded.dimensions() == expected.dimensions);
    CHECK(report.wrongLength.count == expected.wrongLength);
    CHECK(report.invalidText.count == expected.invalidText);
    CHECK(report.emptyWords.count == expected.emptyWords);
    CHECK(report.notFinite.count == 0);
    CHECK(report.duplicates.count == 0);
    CHECK(loaded.vectors.allFinite());
    CHECK(report.fileBytes == std::filesystem::file_size(loaded.path));
}

}  // namespace

TEST_CASE("Files in many formats load as expected") {
    for (const Expected& expected : kGood) {
        const auto path = test::sharedFile(std::string("data/formats/") += expected.file);
        if (!path) {
            WARN("SKIPPED: the shared data is absent");
            return;
        }
        CAPTURE(expected.file);
        const auto loaded = loadShared(*path);
        if (!loaded) {
            FAIL_CHECK(loaded.error().message);
            continue;
        }
        checkOutcome(*loaded, expected);
    }
}

TEST_CASE("Files that are no embedding are refused with one clear message") {
    for (const Refused& expected : kBad) {
        const auto path = test::sharedFile(std::string("data/formats/") += expected.file);
        if (!path) {
            WARN("SKIPPED: the shared data is absent");
            return;
        }
        CAPTURE(expected.file);
        const auto loaded = loadShared(*path);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK(loaded.error().file == *path);
        CHECK_THAT(loaded.error().message, Catch::Contains(std::string(expected.partOfMessage)));
    }
}

TEST_CASE("The tables of expected outcomes name every file of the folder") {
    const auto folder = test::sharedFile("data/formats");
    if (!folder) {
        WARN("SKIPPED: the shared data is absent");
        return;
    }
    std::set<std::string> named;
    for (const Expected& expected : kGood) {
        named.emplace(expected.file);
    }
    for (const Refused& refused : kBad) {
        named.emplace(refused.file);
    }
    std::set<std::string> present;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        present.insert(entry.path().filename().string());
    }
    CHECK(named == present);
}

TEST_CASE("The real embeddings of the shared data load without a skipped row") {
    struct Real {
        std::string_view file;
        std::int64_t words;
        std::int64_t dimensions;
        std::string_view sha256;
    };
    // Words, dimensions and digests from the description that comes with the data.
    const std::array files{
        Real{"embeddings-300d/numberbatch-en-41k.300d.txt.gz", 41353, 300, ""},
        Real{"glove-300d/glove.6B.300d.subset.txt.gz", 3165, 300,
             "3e6f50ae1d3de472ea392196c8759e53f595abfa06866a337abf9c2543b37a2d"},
        Real{"glove-300d/glove.840B.300d.subset.txt.gz", 2200, 300,
             "2bb0a37470815528af75155d7afc64b0c517090df62fdbf10c0b73ccefcf8b26"},
        Real{"poincare/poincare_vectors.bin", 1182, 10,
             "321b94059b78892c37b8219a7477aa871417d22024155a53ca25a528aec42474"},
        Real{"poincare/mammal-poincare-5d.txt", 1181, 5,
             "21cdb2b33c39cb07abb81369fc41869468a16fb1109e5ecf94fc44eaab69584a"},
        Real{"poincare/mammal-heat-ball-2d.txt", 1180, 2,
             "66a77a34190d5720e1cc27ac111d73b8ef7243c3319229fc64235464e969eba2"},
    };
    for (const Real& expected : files) {
        const auto path = test::sharedFile(std::string("data/") += expected.file);
        if (!path) {
            WARN("SKIPPED: the shared data is absent");
            return;
        }
        CAPTURE(expected.file);
        const auto loaded = loadShared(*path);
        REQUIRE(loaded);
        CHECK(loaded->wordCount() == expected.words);
        CHECK(loaded->dimensions() == expected.dimensions);
        CHECK(loaded->report.badLines() == 0);
        CHECK(loaded->report.duplicates.count == 0);
        CHECK((expected.sha256.empty() || loaded->report.sha256 == expected.sha256));
    }
}

TEST_CASE("The vectors of Numberbatch have length one, as described") {
    const auto path = test::sharedFile("data/embeddings-300d/numberbatch-en-41k.300d.txt.gz");
    if (!path) {
        WARN("SKIPPED: the shared data is absent");
        return;
    }
    const auto loaded = loadShared(*path);
    REQUIRE(loaded);
    const Eigen::VectorXf lengths = loaded->vectors.rowwise().norm();
    CHECK(lengths.minCoeff() > 0.9997F);
    CHECK(lengths.maxCoeff() < 1.0003F);
}

TEST_CASE("The same vectors in text and binary files are equal") {
    const auto text = test::sharedFile("data/formats/finalfusion-similarity.txt");
    const auto headless = test::sharedFile("data/formats/finalfusion-similarity.nodims");
    const auto binary = test::sharedFile("data/formats/finalfusion-similarity.bin");
    if (!text || !headless || !binary) {
        WARN("SKIPPED: the shared data is absent");
        return;
    }
    const auto fromText = loadShared(*text);
    const auto fromHeadless = loadShared(*headless);
    const auto fromBinary = loadShared(*binary);
    REQUIRE((fromText && fromHeadless && fromBinary));
    CHECK(fromText->vectors == fromHeadless->vectors);
    CHECK(fromText->vectors.isApprox(fromBinary->vectors, 1e-6F));
    for (Row row = 0; row < fromText->wordCount(); ++row) {
        CHECK(fromText->vocabulary.word(row) == fromBinary->vocabulary.word(row));
    }
}

TEST_CASE("One number a line loads when the format is forced") {
    const auto path = test::sharedFile("data/datasets/union-vocabulary.tsv");
    if (!path) {
        WARN("SKIPPED: the shared data is absent");
        return;
    }
    const auto refused = loadShared(*path);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::badFile);
    const auto forced = loadShared(*path, InputFormat::glove);
    REQUIRE(forced);
    CHECK(forced->wordCount() == 26780);
    CHECK(forced->dimensions() == 1);
}

TEST_CASE("Texts of other kinds are refused") {
    for (const char* file :
         {"data/datasets/SMSSpamCollection", "data/datasets/nlp-getting-started-train.csv",
          "data/glove-300d/glove.6B.words.txt.gz", "data/poincare/mammal_closure.tsv",
          "data/README.md"}) {
        const auto path = test::sharedFile(file);
        if (!path) {
            WARN("SKIPPED: the shared data is absent");
            return;
        }
        CAPTURE(file);
        const auto loaded = loadShared(*path);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK_THAT(loaded.error().message, Catch::Contains("not a word embedding"));
    }
}
