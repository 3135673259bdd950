#include "core/report/info_report.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

void addWord(embedding::Embedding& embedding, const char* word, float x, float y) {
    const auto row = static_cast<Eigen::Index>(*embedding.vocabulary.add(word));
    embedding.vectors.conservativeResize(row + 1, 2);
    embedding.vectors.row(row) << x, y;
}

/// Norms 5, 13, 5, 0; rows 0 and 2 are identical.
embedding::PreparedEmbedding examplePrepared() {
    embedding::PreparedEmbedding prepared;
    embedding::Embedding& embedding = prepared.embedding;
    embedding.name = "toy.txt";
    addWord(embedding, "a", 3, 4);
    addWord(embedding, "b", 5, 12);
    addWord(embedding, "c", 3, 4);
    addWord(embedding, "d", 0, 0);
    embedding.report.format = embedding::FileFormat::gloveText;
    embedding.report.compression = "gzip";
    embedding.report.sha256 = "feed";
    embedding.report.fileBytes = 4096;
    embedding.report.wrongLength = {6, {5, 9, 1001, 1002, 1003}};
    embedding.report.duplicates = {1, {7}};
    prepared.duplicates.classes = 1;
    prepared.duplicates.extraRows = 1;
    prepared.squaredNorms = VectorD(4);
    prepared.squaredNorms << 25, 169, 25, 0;
    prepared.basis.mean = VectorD::Zero(2);
    prepared.basis.spectrum = VectorD(2);
    prepared.basis.spectrum << 1.75, 0.25;
    prepared.basis.totalVariance = 12.5;
    prepared.loadSeconds = 0.5;
    prepared.prepareSeconds = 0.125;
    return prepared;
}

constexpr engine::EpsilonRange kRange{8.2, 1.25, 40.5, 200};

}  // namespace

TEST_CASE("Info names norms, spectrum and the largest lambda of an embedding") {
    // Norms of (3,4), (5,12), (3,4), (0,0): 5, 13, 5, 0.
    const report::InfoReport info = report::describeInfo(examplePrepared(), kRange);
    CHECK(info.normMin == 0);
    CHECK(info.normMean == 5.75);
    CHECK(info.normMax == 13);
    CHECK(info.eigenvalueMin == 0.25);
    CHECK(info.eigenvalueMax == 1.75);
    CHECK(info.rank == 2);
    CHECK(info.largestUsableLambda == 1.0);
    CHECK(info.duplicateClasses == 1);
}

TEST_CASE("Info of a singular and of a vanishing covariance") {
    embedding::PreparedEmbedding prepared = examplePrepared();
    prepared.basis.spectrum << 2, 0;
    CHECK(report::describeInfo(prepared, kRange).largestUsableLambda == 0.99);
    prepared.basis.spectrum << 0, 0;
    prepared.basis.totalVariance = 0;
    const report::InfoReport info = report::describeInfo(prepared, std::nullopt);
    CHECK_FALSE(info.largestUsableLambda.has_value());
    CHECK(report::infoJson(info)["epsilonRange"].is_null());
    CHECK_THAT(report::infoText(info), Contains("all vectors are equal"));
    CHECK_THAT(report::infoText(info), !Contains("ε of interest"));
}

TEST_CASE("Rows left out are named by reason with their first places") {
    CHECK(report::skippedRowsText(examplePrepared().embedding.report) ==
          "7 rows skipped: wrong number of values 6 (at 5, 9, 1,001, 1,002, 1,003, …), "
          "duplicate word 1 (at 7)");
    embedding::LoadReport one;
    one.emptyWords = {1, {3}};
    CHECK(report::skippedRowsText(one) == "1 row skipped: empty word 1 (at 3)");
    one.endsWithinRow = true;
    CHECK(report::skippedRowsText(one) ==
          "1 row skipped: empty word 1 (at 3); the last line has no line end: the file may be cut "
          "off");
    one.emptyWords = {};
    CHECK_THAT(report::skippedRowsText(one), Contains("a short last number"));
    CHECK(report::skippedRowsText({}).empty());
}

TEST_CASE("Rows of outlying norm are named, the longest first, and counted") {
    embedding::PreparedEmbedding prepared = examplePrepared();
    CHECK(report::outlyingRowsText(report::outlyingRows(prepared)).empty());
    CHECK_THAT(report::infoText(report::describeInfo(prepared, kRange)), !Contains("outlying"));
    for (const char* word : {"e", "f", "g", "h", "i"}) {
        addWord(prepared.embedding, word, 3, 4);
    }
    // 20 times the median, 5, is 100.
    prepared.squaredNorms = VectorD(9);
    prepared.squaredNorms << 25, 25, 25, 0, 25, 25, 25, 10'000, 1.5376e10;
    const std::string one =
        "row 9, word \"i\": length 124,000, median 5.00: a missing decimal point?";
    CHECK(report::outlyingRowsText(report::outlyingRows(prepared)) == one);
    const report::InfoReport info = report::describeInfo(prepared, kRange);
    CHECK_THAT(report::infoText(info), Contains(one));
    const ordered_json rows = report::infoJson(info)["outlyingRows"];
    CHECK(rows["count"] == 1);
    CHECK(rows["medianNorm"] == 5.0);
    CHECK(rows["longest"] == ordered_json::parse(R"([{"row": 9, "word": "i", "norm": 124000.0}])"));
    prepared.squaredNorms << 25, 25, 25, 25, 25, 1e6, 1e8, 1e10, 1.5376e10;
    CHECK(report::outlyingRowsText(report::outlyingRows(prepared)) ==
          one +
              "; row 8, word \"h\": length 100,000, median 5.00: a missing decimal point?; "
              "row 7, word \"g\": length 10,000, median 5.00: a missing decimal point?; "
              "and 1 more above 20 times the median");
}

TEST_CASE("The info document has fixed keys") {
    const report::InfoReport info = report::describeInfo(examplePrepared(), kRange);
    const ordered_json json = report::infoJson(info);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    CHECK(keys == std::vector<std::string>{"schema", "version", "embedding", "skippedRows",
                                           "identicalVectors", "norms", "covariance",
                                           "epsilonRange", "partial", "seconds", "peakMemoryMiB"});
    CHECK(json["schema"] == "epsilens.info/1");
    CHECK(json["embedding"]["words"] == 4);
    CHECK(json["embedding"]["dimensions"] == 2);
    CHECK(json["embedding"]["format"] == "glove-text");
    CHECK(json["embedding"]["compression"] == "gzip");
    CHECK(json["embedding"]["fileBytes"] == 4096);
    CHECK(json["embedding"]["skipped"]["badLines"] == 6);
    CHECK(json["skippedRows"]["wrongLength"]["count"] == 6);
    CHECK(json["skippedRows"]["wrongLength"]["firstPositions"] ==
          ordered_json({5, 9, 1001, 1002, 1003}));
    CHECK(json["skippedRows"]["notFinite"]["count"] == 0);
    CHECK(json["skippedRows"]["notFinite"]["firstPositions"] == ordered_json::array());
    CHECK(json["identicalVectors"]["extraRows"] == 1);
    CHECK(json["norms"]["mean"] == 5.75);
    CHECK(json["covariance"]["eigenvalueMax"] == 1.75);
    CHECK(json["covariance"]["largestUsableLambda"] == 1.0);
    CHECK(json["epsilonRange"]["suggested"] == 8.2);
    CHECK(json["epsilonRange"]["low"] == 1.25);
    CHECK(json["epsilonRange"]["high"] == 40.5);
    CHECK(json["epsilonRange"]["words"] == 200);
}

TEST_CASE("The info text is for people") {
    const std::string text = report::infoText(report::describeInfo(examplePrepared(), kRange));
    CHECK_THAT(text, Contains("glove-text, gzip"));
    CHECK_THAT(text, Contains("7 rows skipped"));
    CHECK_THAT(text, Contains("1 group(s), 1 row(s) beyond the first of their group"));
    CHECK_THAT(text, Contains("0 min, 5.750 mean, 13.00 max"));
    CHECK_THAT(text, Contains("ξ from 0.2500 to 1.750"));
    CHECK_THAT(text, Contains("1.2 to 40, 8.2 to start with"));
}
