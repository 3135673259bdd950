// Expected outcome of loading each file of the shared real data.
//
// Origin of the numbers: rows and dimensions from the description that comes with the data, checked
// by a separate count in Python (lines split at blanks, words decoded as UTF-8, dictionaries of
// fastText models walked through); it also gave the skipped rows.

#include "core/embedding/load.h"

#include <array>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/refusal.h"
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
    Expected{"formats/allennlp-fake_embeddings.5d.txt", kGlove, "", 15, 5},
    Expected{"formats/allennlp-fake_embeddings.5d.txt.bz2", kGlove, "bzip2", 15, 5},
    Expected{"formats/allennlp-fake_embeddings.5d.txt.gz", kGlove, "gzip", 15, 5},
    Expected{"formats/allennlp-fake_embeddings.5d.txt.xz", kGlove, "xz", 15, 5},
    Expected{"formats/allennlp-fake_embeddings.5d.txt.zip", kGlove, "zip", 15, 5},
    Expected{"formats/allennlp-glove.6B.100d.sample.txt.gz", kGlove, "gzip", 100, 100},
    Expected{"formats/allennlp-glove.6B.300d.sample.txt.gz", kGlove, "gzip", 100, 300},
    Expected{"formats/emoji2vec.bin", kBinary, "", 1661, 300},
    Expected{"formats/fasttext-crawl-300d-2M.sample770.vec", kText, "", 770, 300},
    Expected{"formats/finalfusion-analogy.bin", kBinary, "", 43, 100},
    Expected{"formats/finalfusion-fasttext.bin", kFasttext, "", 157, 50},
    Expected{"formats/finalfusion-similarity.bin", kBinary, "", 41, 100},
    Expected{"formats/finalfusion-similarity.nodims", kGlove, "", 41, 100},
    Expected{"formats/finalfusion-similarity.txt", kText, "", 41, 100},
    Expected{"formats/finalfusion-utf8-incomplete.bin", kBinary, "", 2, 3, 0, 1},
    Expected{"formats/finalfusion-utf8-incomplete.dims", kText, "", 2, 3, 0, 1},
    Expected{"formats/finalfusion-utf8-incomplete.txt", kGlove, "", 2, 3, 0, 1},
    Expected{"formats/gensim-EN.1-10.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt", kText, "", 20,
             300},
    Expected{"formats/gensim-IT.1-10.cbow1_wind5_hs0_neg10_size300_smpl1e-05.txt", kText, "", 20,
             300},
    Expected{"formats/gensim-cp852_fasttext.bin", kFasttext, "", 102, 2, 0, 69},
    Expected{"formats/gensim-crime-and-punishment.bin", kFasttext, "", 291, 5},
    Expected{"formats/gensim-crime-and-punishment.vec", kText, "", 291, 5},
    Expected{"formats/gensim-euclidean_vectors.bin", kBinary, "", 2747, 10},
    Expected{"formats/gensim-high_precision.kv.bin", kBinary, "", 2, 2},
    Expected{"formats/gensim-high_precision.kv.txt", kText, "", 2, 2},
    Expected{"formats/gensim-lee_fasttext.bin", kFasttext, "", 1762, 10},
    Expected{"formats/gensim-lee_fasttext.vec", kText, "", 1762, 10},
    Expected{"formats/gensim-lee_fasttext_new.bin", kFasttext, "", 1763, 10},
    Expected{"formats/gensim-non_ascii_fasttext.bin", kFasttext, "", 171, 2},
    Expected{"formats/gensim-pang_lee_polarity_fasttext.bin", kFasttext, "", 1689, 100, 0, 5},
    Expected{"formats/gensim-pang_lee_polarity_fasttext.vec", kText, "", 1689, 100, 0, 5},
    Expected{"formats/gensim-test_glove.txt", kGlove, "", 76, 50},
    Expected{"formats/gensim-toy-model-pretrained.bin", kFasttext, "", 23, 5, 0, 0, 1},
    Expected{"formats/gensim-toy-model.bin", kFasttext, "", 22, 5},
    Expected{"formats/gensim-toy-model.vec", kText, "", 22, 5},
    Expected{"formats/gensim-word2vec_pre_kv_c", kText, "", 1750, 10},
    Expected{"formats/glove.6B.50d.first2987-with-header.txt", kText, "", 2987, 50},
    Expected{"formats/glove.840B.300d.first600-truncated.txt", kGlove, "", 596, 300, 1, 0, 4},
    Expected{"embeddings-300d/numberbatch-en-41k.300d.txt.gz", kGlove, "gzip", 41353, 300},
    Expected{"glove-300d/glove.6B.300d.subset.txt.gz", kGlove, "gzip", 3165, 300},
    Expected{"glove-300d/glove.840B.300d.subset.txt.gz", kGlove, "gzip", 2200, 300},
    Expected{"poincare/poincare_vectors.bin", kBinary, "", 1182, 10},
    Expected{"poincare/mammal-poincare-5d.txt", kText, "", 1181, 5},
    Expected{"poincare/mammal-heat-ball-2d.txt", kText, "", 1180, 2},
};

constexpr std::array kBad{
    Refused{"formats/allennlp-multi-file-archive.zip", "several files"},
    Refused{"formats/finalfusion-similarity.fifu", "finalfusion"},
    Refused{"formats/gensim-ft_kv_3.6.0.model.gz", "pickle"},
    Refused{"formats/gensim-model-from-gensim-3.8.0.w2v", "pickle"},
    // The header announces three rows, one is there.
    Refused{"formats/gensim-pretrained.vec", "announces 3 rows, but the file has 1"},
    Refused{"formats/gensim-reproduce.dat", "not a word embedding"},
    Refused{"formats/gensim-reproduce.dat.gz", "not a word embedding"},
    Refused{"formats/gensim-w2v_keyedvectors_load_test.modeldata", "no usable row"},
    Refused{"formats/gensim-w2v_keyedvectors_load_test.vocab", "have one number"},
    Refused{"datasets/SMSSpamCollection", "not a word embedding"},
    Refused{"datasets/nlp-getting-started-train.csv", "not a word embedding"},
    Refused{"datasets/union-vocabulary.tsv", ""},
    Refused{"glove-300d/glove.6B.words.txt.gz", "not a word embedding"},
    Refused{"poincare/mammal_closure.tsv", "not a word embedding"},
    Refused{"README.md", "not a word embedding"},
};

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

TEST_CASE("Real files of many formats load as expected") {
    for (const Expected& expected : kGood) {
        const auto path = test::sharedFile(std::string("data/") += expected.file);
        if (!path) {
            return test::skipForWantOfData();
        }
        CAPTURE(expected.file);
        const auto loaded = loadEmbedding({.path = *path});
        if (!loaded) {
            FAIL_CHECK(loaded.error().message);
            continue;
        }
        checkOutcome(*loaded, expected);
    }
}

TEST_CASE("Files that are no embedding are refused with one clear message") {
    for (const Refused& expected : kBad) {
        const auto path = test::sharedFile(std::string("data/") += expected.file);
        if (!path) {
            return test::skipForWantOfData();
        }
        CAPTURE(expected.file);
        const Error error = test::checkRefused(loadEmbedding({.path = *path}), ErrorCode::badFile,
                                               std::string(expected.partOfMessage));
        CHECK(error.file == *path);
    }
}
