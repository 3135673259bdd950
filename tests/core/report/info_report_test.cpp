#include "core/report/info_report.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/report_text.h"
#include "tests/support/toy_embedding.h"

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

}  // namespace

TEST_CASE("Info of a singular and of a vanishing covariance") {
    embedding::PreparedEmbedding prepared = examplePrepared();
    const auto covariance = [&] { return report::infoJson({prepared})["covariance"]; };
    CHECK(covariance()["largestUsableLambda"] == 1.0);
    prepared.basis.spectrum << 2, 0;
    CHECK(covariance()["largestUsableLambda"] == 0.99);
    prepared.basis.spectrum << 0, 0;
    prepared.basis.totalVariance = 0;
    CHECK(covariance()["largestUsableLambda"].is_null());
    CHECK_THAT(report::infoText({prepared}),
               Contains("all vectors are equal") && !Contains("ε of interest"));
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
    CHECK(report::outlyingRowsText(prepared).empty());
    for (const char* word : {"e", "f", "g", "h", "i"}) {
        addWord(prepared.embedding, word, 3, 4);
    }
    // 20 times the median, 5, is 100.
    prepared.squaredNorms = VectorD(9);
    prepared.squaredNorms << 25, 25, 25, 0, 25, 25, 25, 10'000, 1.5376e10;
    prepared.outlying = embedding::outlyingNorms(prepared.squaredNorms);
    const std::string one =
        "row 9, word \"i\": length 124,000, median 5.00: a missing decimal point?";
    CHECK(report::outlyingRowsText(prepared) == one);
    const ordered_json rows = report::infoJson({prepared})["outlyingRows"];
    CHECK(rows["count"] == 1);
    CHECK(rows["medianNorm"] == 5.0);
    CHECK(rows["longest"] == ordered_json::parse(R"([{"row": 9, "word": "i", "norm": 124000.0}])"));
    prepared.squaredNorms << 25, 25, 25, 25, 25, 1e6, 1e8, 1e10, 1.5376e10;
    prepared.outlying = embedding::outlyingNorms(prepared.squaredNorms);
    CHECK(report::outlyingRowsText(prepared) ==
          one +
              "; row 8, word \"h\": length 100,000, median 5.00: a missing decimal point?; "
              "row 7, word \"g\": length 10,000, median 5.00: a missing decimal point?; "
              "and 1 more above 20 times the median");
}

// Words a to d on a line; nearest distances 1, 1, 2, 7.
TEST_CASE("What an embedding is, and its density, are told as approved") {
    RowMatrixF vectors(4, 1);
    vectors << 0, 1, 3, 10;
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    text::DataSetWords data;
    data.file = "data\x1b.tsv";
    data.column = "message";
    data.skippedRecords = 1;
    data.addRecord(std::vector<embedding::Row>{0, 1, 0}, 2);
    data.addRecord(std::vector<embedding::Row>{0}, 0);
    const embedding::PreparedEmbedding prepared = examplePrepared();
    report::InfoReport info{prepared};
    info.provenance.version = "9.8.7";
    info.provenance.peakMemoryMiB = 700;
    info.epsilonRange = engine::EpsilonRange{8.2, 1.25, 40.5, 200};
    info.density = {calibration::densityProfile(space).value(), space.positions(), 0.25, data};
    const ordered_json json = report::infoJson(info);
    // a in two of two records, b in one, the other two in none.
    CHECK(json["density"]["sparsestShareOfRecords"] == 0.375);
    CHECK(json["density"]["data"]["density"]["sparsestShareOfRecords"] == 0.75);
    test::checkApproved("info.json", json.dump(1));
    test::checkApproved("info.txt", report::infoText(info));
    // A data set without known words has no profile of its own.
    info.density->data = text::DataSetWords();
    info.density->data->addRecord({}, 3);
    CHECK(report::infoJson(info)["density"]["data"]["density"].is_null());
    info.density->data.reset();
    CHECK_FALSE(report::infoJson(info)["density"].contains("recordsWithSparsest"));
    CHECK(report::infoJson(info)["density"]["data"].is_null());
}
