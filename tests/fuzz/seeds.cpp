#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/core/embedding/embedding_files.h"
#include "tests/core/report/example_calibration.h"
#include "tests/support/shared_data.h"

// seeds FOLDER: writes inputs for each target into a folder named after it.

namespace fs = std::filesystem;
using namespace epsilens;
using namespace std::string_literals;

namespace {

constexpr std::uintmax_t kLargestSeed = 20'000;

class Seeds {
public:
    explicit Seeds(fs::path root) : m_root(std::move(root)) {}

    void add(std::string_view target, std::string_view content) {
        const fs::path folder = m_root / target;
        fs::create_directories(folder);
        std::ofstream file(folder / ("seed-" + std::to_string(m_number++)), std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        m_written = m_written && file.good();
    }

    [[nodiscard]] bool written() const { return m_written; }

private:
    fs::path m_root;
    int m_number = 0;
    bool m_written = true;
};

const std::string kGlove =
    "the 0.418 -0.5 1e-3\n, 1 2 3\n. . . 0.1 0.2 0.3\nd\xc3\xa9j\xc3\xa0 4 5 "
    "6\r\n\nshort 1 2\nbig nan 1 2\nthe 1 1 1\n";
const std::string kWord2vec = "3 2\na 1 2\nb 3 4\nc d 5 6\n";

void addTexts(Seeds& seeds) {
    seeds.add("glove_text", kGlove);
    seeds.add("glove_text", "\xef\xbb\xbf" + kGlove);
    seeds.add("glove_text", "a 1\nb 2\nc 3e38\n");
    seeds.add("word2vec_text", kWord2vec);
    seeds.add("word2vec_text", "4294967297 1000000\na 1 2\n");
    for (const std::string& text : {kGlove, kWord2vec}) {
        seeds.add("any_embedding", text);
        seeds.add("format_detection", text);
    }
    seeds.add("format_detection", "\x93NUMPY"s);
    seeds.add("format_detection", "\x80\x02}q"s);
    seeds.add("word_list", "paris\n london \n\nparis\r\nna\xc3\xafve");
}

void addBinaries(Seeds& seeds) {
    const test::WordsAndValues rows{{"ab", {1.0F, -2.0F}}, {"c", {0.5F, 3e38F}}};
    for (const bool lineEnds : {false, true}) {
        for (const char* target : {"word2vec_binary", "any_embedding", "format_detection"}) {
            seeds.add(target, test::word2vecBinary(rows, lineEnds));
        }
    }
    using Parts = test::FasttextParts;
    for (const Parts& parts : {Parts{}, Parts{.oldLayout = true},
                               Parts{.version = 11, .model = 3, .labels = {"__label__a"}},
                               Parts{.buckets = 0, .pruned = 0}, Parts{.quantised = true}}) {
        for (const char* target : {"fasttext_model", "any_embedding", "format_detection"}) {
            seeds.add(target, test::fasttextModel(parts));
        }
    }
}

void addArchives(Seeds& seeds) {
    for (const char* compression : {"gzip", "xz", "bzip2", "zstd"}) {
        seeds.add("archive", test::compressed(kGlove, compression));
        seeds.add("any_embedding", test::compressed(kGlove, compression));
    }
    seeds.add("archive", test::compressed(std::string(300'000, 'a'), "gzip"));
    for (const int property : {20, 34, 40}) {
        seeds.add("archive", test::withDictionary(test::compressed(kGlove, "xz"), property));
    }
    for (const int windowLog : {20, 28, 41}) {
        seeds.add("archive", test::withWindow(test::compressed(kGlove, "zstd"), windowLog));
    }
    seeds.add("archive", test::compressed(kGlove, "xz") + test::compressed(kGlove, "xz"));
    seeds.add("archive", test::compressed(kGlove, "zstd") + std::string(20, '\0'));
    seeds.add("archive", test::zipped({{"a.txt", kGlove}}) + std::string(20, '\0'));
    seeds.add("archive", test::zipped({{"a.txt", kGlove}}));
    seeds.add("archive", test::zipped({{"folder/", ""}, {"folder/a.txt", kWord2vec}}));
    seeds.add("archive", test::zipped({{"a.txt", kGlove}, {"b.txt", "b"}}));
    seeds.add("archive", kGlove);
}

void addSentences(Seeds& seeds) {
    for (const std::string& text :
         {"The quick brown fox doesn't see the well-known U.S. #hashTag of @name@host.org."s,
          "See https://x.com/a?b=c(d), www.a.org, me@a.org; 3.14 1,000 \xc2\xbd 2019-20 a--b -c-"s,
          "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xb9\xd8\xb1\xd8\xa8 \xe2\x80\xae"
          "abc\xe2\x80\xac"s,
          "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 "
          "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa \xe6\x9d\xb1\xe4\xba\xac \xe0\xb8\x81\xe0\xb8\xb2"s,
          "bad \xff\xc3 \xed\xa0\x80 \xf4\x90\x80\x80 nul \0 end"s,
          "DON\xe2\x80\x99T e\xcc\x81t\xc3\xa9"s}) {
        seeds.add("tokeniser", text);
    }
    // The first byte chooses how they are read, as the target says.
    for (const char* text : {"\x30one \xc3\xa9 \xf0\x9f\x98\x80 \xff", "\x39\xfe\xffone",
                             "\x5c\x83\x65\x83\x58\x83", "\x2d\x1b$B;d\x1b(B"}) {
        seeds.add("text_decoder", text);
    }
}

void addTables(Seeds& seeds) {
    // The first byte chooses format and column, as the target says.
    seeds.add("data_set", "\x09label,text\r\n1,\"a, \"\"b\"\"\nc\"\r\n2,d\r\n");
    seeds.add("data_set", "\x08label\ttext\n1\tone\n2\n3\tthree\n");
    seeds.add("data_set", "\x01\xef\xbb\xbfone\n\ntwo"s);
    seeds.add("data_set", "\x15\"open");
    seeds.add("is_a_pairs", "dog\tanimal\ncat\tanimal\n\nhot dog\tfood\r\ndog\tanimal\nx\tx\n");
    seeds.add("is_a_pairs",
              "\xef\xbb\xbf"
              "a\tb\nno tab\na\tb\tc\n\t\n");
}

void addOptions(Seeds& seeds) {
    for (const char* list : {"1,5,10", "1;2;3", "1..40x9", "0..1x5", "+1.5e-3", "1e-300..1e300x7",
                             "-1e308..1e308x3", "0,5", "nan", "1e999", " 7 "}) {
        seeds.add("number_list", list);
    }
    for (const char* limit :
         {"nw.p95<=50%", "sw.p5 >= 20", "shannonEntropy.mean>=4", "kw.min>=2", "kept.mean<=1e-3",
          "far.mean>=100%", "minEntropy.p1<=-1", "nw.max=29.7%", "attack.gain<=5%",
          "attack.best=20%", "classify.linear.retained>=33.333333333333333%"}) {
        seeds.add("limit", limit);
    }
}

void addDocuments(Seeds& seeds) {
    for (const auto& [target, json] : test::exampleDocuments()) {
        seeds.add(target, json);
        seeds.add("kept_document", json);
    }
    seeds.add("kept_document", "{\"schema\": \"epsilens.session/2\"}");
    // The first byte chooses the document, two bytes before each value its place in it.
    for (const char document : {'\0', '\1', '\2', '\3', '\4', '\5', '\6'}) {
        std::string changes(1, document);
        char place = 1;
        for (const char* value : {"null", "-1", "1e308", "\"<b>&\\u0000\"", "[]", "{}", ""}) {
            seeds.add("changed_document", changes + '\0' + place + value);
            changes += std::string("\1") + place + value + '\n';
            place = static_cast<char>(place + 17);
        }
        seeds.add("changed_document", changes);
    }
}

/// Real files of every format, as far as they are at hand and small.
void addShared(Seeds& seeds) {
    const auto folder = test::sharedFile("data/formats");
    if (!folder) {
        return;
    }
    for (const auto& entry : fs::directory_iterator(*folder)) {
        if (entry.is_regular_file() && entry.file_size() <= kLargestSeed) {
            const std::string content = test::contentOf(entry.path().string());
            seeds.add("any_embedding", content);
            seeds.add("format_detection", content);
            seeds.add("archive", content);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: seeds FOLDER\n", stderr);
        return 2;
    }
    fs::remove_all(argv[1]);
    Seeds seeds(argv[1]);
    addTexts(seeds);
    addBinaries(seeds);
    addArchives(seeds);
    addSentences(seeds);
    addTables(seeds);
    addOptions(seeds);
    addDocuments(seeds);
    addShared(seeds);
    return seeds.written() ? 0 : 1;
}
