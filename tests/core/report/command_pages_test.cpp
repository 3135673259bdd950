#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/report/command_fields.h"
#include "core/report/info_report.h"
#include "core/report/release_report.h"
#include "core/text/tokenised_text.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::report;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

// What commands print.

namespace {

std::string textOf(const calibration::Run& run) {
    return reportText(calibrationPage(run));
}

ComparisonRow row(const mechanism::Mechanism& mechanism, double loss, double near,
                  std::optional<double> cap = {}) {
    ComparisonRow made{mechanism, 0.5, {}, 4.0, loss, {}};
    made.setting.epsilon = loss / 4.0;
    made.setting.shares = {0.5, near, 0.5 - near};
    made.setting.guarantee.epsilon = made.setting.guarantee.bound = loss / 4.0;
    made.setting.guarantee.cap = cap;
    return made;
}

ComparisonReport comparisonOf(std::vector<ComparisonRow> rows) {
    ComparisonReport made;
    made.pair = {"w0", "w1"};
    made.pairText = "paris against london";
    made.rows = std::move(rows);
    return made;
}

std::vector<std::string_view> ranking(const ComparisonReport& report) {
    std::vector<std::string_view> names;
    for (const ComparisonRow* row : rankedRows(report, 0.5)) {
        names.push_back(row->mechanism.name());
    }
    return names;
}

/// Vectors (0,0), (3,4), (3,0), (0,0).
embedding::Embedding threeWords() {
    embedding::Embedding words;
    words.vocabulary = test::exampleVocabulary();
    words.vectors = RowMatrixF(4, 2);
    words.vectors << 0, 0, 3, 4, 3, 0, 0, 0;
    return words;
}

mechanism::GuaranteedSetting settingWith(double bound, std::optional<double> cap) {
    mechanism::GuaranteedSetting setting;
    setting.guarantee.epsilon = 0.5;
    setting.guarantee.lambda = 0.25;
    setting.guarantee.metric = mechanism::Metric::mahalanobis;
    setting.guarantee.bound = bound;
    setting.guarantee.cap = cap;
    setting.guarantee.statement = "ε·‖·‖_RM";
    setting.guarantee.euclidean = {0.125, 1.5};
    // Twice the Euclidean one.
    setting.distance = [](auto first, auto second) { return second - first == 1 ? 10.0 : 0.0; };
    return setting;
}

GuaranteeReport reportWith(const mechanism::GuaranteedSetting& setting, double odds = 2.0) {
    GuaranteeReport report;
    report.provenance = test::exampleProvenance();
    report.mechanism = mechanism::Mahalanobis{};
    report.odds = odds;
    report.add(setting, {{0, 1}, {0, 3}}, threeWords());
    return report;
}

/// "The quick, blorp fox" with quick -> slow in the first of two sentences; 4 draws.
SampleReport exampleSample() {
    using calibration::OutputClass;
    static const embedding::Vocabulary vocabulary = [] {
        embedding::Vocabulary words;
        for (const char* word : {"the", "quick", "fox", "slow"}) {
            words.add(word);
        }
        return words;
    }();
    SampleReport sample{vocabulary};
    sample.provenance.version = "9.8.7";
    sample.mechanism = mechanism::Mahalanobis{};
    sample.text = text::tokeniseText("The quick, blorp fox",
                                     text::Lookup(vocabulary, text::CasePolicy::lower));
    sample.distinctWords = {0, 1, 2};
    sample.draws = 4;
    sample.seed = 7;
    sample.threads = 2;
    sample.nearNeighbours = 100;
    sample.topOutputs = 1;
    SampledSetting setting;
    setting.guarantee.epsilon = 10;
    setting.guarantee.lambda = 0.5;
    setting.guarantee.bound = 10;
    setting.guarantee.statement = "ε·‖·‖_RM";
    setting.sentences = {{0, 3, text::kAsTyped, 2}, {0, 1, text::kAsTyped, 2}};
    setting.distributions = {{4, 4, 0, 0, {{0, 4, OutputClass::kept}}},
                             {4, 1, 2, 1, {{3, 2, OutputClass::near}, {1, 1, OutputClass::kept}}},
                             {4, 0, 0, 4, {{1, 4, OutputClass::far}}}};
    sample.settings = {setting};
    return sample;
}

}  // namespace

TEST_CASE("A calibration as text and as JSON is as approved, whatever was measured") {
    calibration::CalibrationSummary all = test::exampleMahalanobis();
    all.independentDraws = true;
    all.draws = 100;
    for (calibration::Cell& cell : all.cells) {
        cell.kw = cell.nw;
        cell.deniability = calibration::Deniability{2.5, cell.hartleyEntropy, 17, 0.875};
        cell.worst = calibration::WorstWords{10'000, {{3, "bee", 3.0, 2'512}}};
    }
    all.cells[0].nw.min = 0.0;
    for (const auto& [name, summary] :
         {std::pair("", test::exampleMahalanobis()), std::pair("_of_one", test::exampleLaplace()),
          std::pair("_exact", test::exampleTem()), std::pair("_compared", all)}) {
        const calibration::Run run = test::exampleRun(summary);
        test::checkApproved(fmt::format("calibration{}.txt", name), textOf(run));
        test::checkApproved(fmt::format("calibration{}.json", name),
                            document::jsonText(document::calibrationDocument(run)));
    }
    // The rule of three: 1 - 0.05^(1/100) is 2.95%.
    CHECK_THAT(
        textOf(test::exampleRun(all)),
        Contains("A word kept in none of its 100 draws is kept with probability ≤ 3% (95%)"));
}

TEST_CASE("A partial calibration says so in its first line") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.partial = true;
    summary.words = 312;
    summary.wordsAsked = 500;
    const std::string text = textOf(test::exampleRun(summary));
    CHECK(text.starts_with("PARTIAL: "));
    CHECK_THAT(text, Contains("312 of 500 words, the calibration was interrupted"));
}

TEST_CASE(
    "A radius that was given follows from no beta, and λ are compared where there are several") {
    calibration::CalibrationSummary given = test::exampleTem();
    given.grid.betas.clear();
    for (calibration::Cell& cell : given.cells) {
        cell.beta.reset();
    }
    given.grid.gammas = {20, 5};
    CHECK_THAT(textOf(test::exampleRun(given)), !Contains("β"));
    given.grid.mechanism = mechanism::Tem{mechanism::Metric::mahalanobis};
    given.grid.lambdas = {0, 1};
    CHECK_THAT(textOf(test::exampleRun(given)),
               Contains("Equal ε across λ does not mean an equal guarantee"));
}

TEST_CASE("the best promise leads, and of nearly equal ones one with a cap") {
    using Names = std::vector<std::string_view>;
    const ComparisonRow laplace = row(mechanism::Laplace{}, 32.0, 0.14);
    const ComparisonRow exponential = row(mechanism::Exponential{}, 10.44, 0.07);
    CHECK(ranking(comparisonOf({laplace, exponential, row(mechanism::Tem{}, 10.45, 0.07, 32.0)})) ==
          Names{"tem", "exponential", "laplace"});
    CHECK(ranking(comparisonOf({laplace, exponential, row(mechanism::Tem{}, 10.9, 0.07, 32.0)})) ==
          Names{"exponential", "tem", "laplace"});
    // Without a pair there is nothing to rank by.
    ComparisonReport without = comparisonOf({laplace, exponential});
    without.pair.reset();
    CHECK(ranking(without) == Names{"laplace", "exponential"});
    CHECK(comparisonSentence(without, 0.5).empty());
    CHECK(rankedRows(comparisonOf({laplace}), 0.4).empty());
}

TEST_CASE("two sentences say what a comparison found") {
    // exp(10.45) is 34,544, rounded up; exp(31.99) is 7.8e13.
    CHECK(
        comparisonSentence(comparisonOf({row(mechanism::Laplace{}, 31.99, 0.14),
                                         row(mechanism::Tem{}, 10.45, 0.07, 32.0)}),
                           0.5) ==
        "At 50 of 100 words kept, Truncated exponential (TEM) promises ×34,600 for paris "
        "against london; Multivariate Laplace promises nothing of use (×10¹⁴). The first replaces "
        "7, the second 14 of 100 words by near ones.");
    // Against the present one; where that promises most, against the next that promises less.
    // exp(15) is 3.3e6: beyond a million nothing is promised.
    const ComparisonReport three = comparisonOf(
        {row(mechanism::Laplace{}, 31.99, 0.14), row(mechanism::Tem{}, 15.0, 0.07),
         row(mechanism::Exponential{}, 15.01, 0.07), row(mechanism::Mahalanobis{1.0}, 40.0, 0.2)});
    const auto said = [&three](const mechanism::Mechanism& present) {
        return comparisonSentence(three, 0.5, present);
    };
    CHECK(said(mechanism::Mahalanobis{1.0}) ==
          "At 50 of 100 words kept, Truncated exponential (TEM) promises nothing of use (×10⁷) for "
          "paris against london; the present Regularized Mahalanobis, λ 1, promises nothing of use "
          "(×10¹⁸). The first replaces 7, the second 20 of 100 words by near ones.");
    CHECK_THAT(said(mechanism::Tem{}), Contains("kept, the present Truncated exponential (TEM)"));
    CHECK_THAT(said(mechanism::Tem{}), Contains("london; Multivariate Laplace promises"));
    // 45.3, 2.49 and 52.21 add up to 100; rounded each by itself, 45, 2 and 52 are one short.
    ComparisonRow uneven = row(mechanism::Laplace{}, 31.99, 0.14);
    uneven.setting.shares = {0.453, 0.0249, 0.5221};
    CHECK(comparisonSentence(comparisonOf({uneven, row(mechanism::Tem{}, 15.0, 0.07, 32.0)}), 0.5)
              .find("the second 3 of 100") != std::string::npos);
}

TEST_CASE("a comparison as text and as JSON is as approved") {
    ComparisonReport made = comparisonOf(
        {row(mechanism::Mahalanobis{1.0}, 34.95, 0.12), row(mechanism::Tem{}, 10.45, 0.07)});
    made.provenance = test::exampleProvenance();
    for (ComparisonRow& one : made.rows) {
        one.figures[1] = evaluation::FigureValue{0.25, {}};
    }
    made.missing = {{mechanism::Hyperbolic{}, "no ball"}};
    test::checkApproved("comparison.txt", comparisonText(made));
    test::checkApproved("comparison.json", kComparison.write(made).dump(1));
    made.pair.reset();
    made.rows[0].pairDistance.reset();
    const auto without = kComparison.write(made);
    CHECK(without["pair"].is_null());
    CHECK(without["rows"][0]["pairLogOdds"].is_null());
    made.missing.clear();
    made.rows[1].mechanism = mechanism::Tem{mechanism::Metric::angular};
    CHECK(test::isReadBack(kComparison, made));
}

TEST_CASE("Distances and losses of pairs, and the guarantee as text and as JSON, are as approved") {
    const auto report = reportWith(settingWith(0.5, 3.0));
    test::checkApproved("guarantee.txt", guaranteeText(report));
    test::checkApproved("guarantee.json", kGuarantee.write(report).dump(1));
    CHECK(test::isReadBack(kGuarantee, report));
}

TEST_CASE("Every bound of the guarantee text is rounded to its safe side, odds up to a million") {
    const auto textWith = [](double bound, std::optional<double> cap) {
        return guaranteeText(reportWith(settingWith(bound, cap)));
    };
    // e^5 = 148.41; e^20 is more than a million; truncation at radius 0 leaves every word equally
    // likely; e^3 = 20.0855.
    CHECK_THAT(textWith(0.5, std::nullopt), Contains("×149"));
    CHECK_THAT(textWith(2.0, std::nullopt), Contains("no useful bound"));
    CHECK_THAT(textWith(0.5, 0.0), Contains("The odds of any two words change by at most ×1.00.") &&
                                       !Contains("apart"));
    CHECK_THAT(textWith(0.5, 3.0), Contains("any two words change by at most ×20.1."));
    CHECK_THAT(textWith(0.5, 20.001), Contains("at most 10⁹: no useful bound."));
    auto setting = settingWith(0.5, std::nullopt);
    setting.guarantee.euclidean = {0.12349, 1.50001};
    setting.distance = [](embedding::Row, embedding::Row) { return 2.00002; };
    // The loss is 1.00001, and e^1.00001 = 2.71831. The radius is 2 ln 3.00001 = 2.1972312.
    for (const char* shown : {"1.001", "×2.72", "at most 1.501 times", "less than 0.1234 times",
                              "at most 2.19 apart change by at most ×3.01"}) {
        CHECK_THAT(guaranteeText(reportWith(setting, 3.00001)), Contains(shown));
    }
    // 2 ln 1e30 = 138.155
    CHECK_THAT(guaranteeText(reportWith(setting, 1e30)),
               Contains("at most 138 apart change by at most ×1.00e+30"));
}

TEST_CASE("A sample as text and as JSON is as approved, and not for release") {
    SampleReport sample = exampleSample();
    test::checkApproved("sample.json", sampleJson(sample).dump(1));
    const std::string shown = sampleText(sample);
    test::checkApproved("sample.txt", shown);
    CHECK_THAT(shown, Contains("not for release") && Contains("The *slow*, [blorp?] fox"));
    // No hit in 4 draws: at 95% the share is below 1 - 0.05^(1/4) = 0.527.
    CHECK_THAT(shown, Contains("≤ 53%"));
    sample.topOutputs = 0;
    CHECK_THAT(sampleText(sample), !Contains("most frequent"));
}

TEST_CASE("The sample of a TEM names its metric and its radius") {
    SampleReport sample = exampleSample();
    sample.mechanism = mechanism::Tem{mechanism::Metric::angular};
    sample.settings[0].guarantee.gamma = 1.25;
    sample.settings[0].guarantee.statement = "ε·min(∠, γ)";
    const std::string shown = sampleText(sample);
    CHECK_THAT(shown, Contains("tem, angular metric, 4 draws (R)"));
    CHECK_THAT(shown, Contains("ε = 10, γ = 1.250, guarantee ε·min(∠, γ)"));
    CHECK_THAT(shown, !Contains("λ"));
    const ordered_json json = sampleJson(sample);
    CHECK(json["mechanism"]["metric"] == "angular");
    CHECK(json["mechanism"]["exact"] == false);
    CHECK(json["results"][0]["lambda"].is_null());
    CHECK(json["guarantee"][0]["gamma"] == 1.25);
}

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
    const auto covariance = [&] { return infoJson({prepared})["covariance"]; };
    CHECK(covariance()["largestUsableLambda"] == 1.0);
    prepared.basis.spectrum << 2, 0;
    CHECK(covariance()["largestUsableLambda"] == 0.99);
    prepared.basis.spectrum << 0, 0;
    prepared.basis.totalVariance = 0;
    CHECK(covariance()["largestUsableLambda"].is_null());
    CHECK_THAT(infoText({prepared}),
               Contains("all vectors are equal") && !Contains("ε of interest"));
}

TEST_CASE("Rows left out are named by reason with their first places") {
    CHECK(skippedRowsText(examplePrepared().embedding.report) ==
          "7 rows skipped: wrong number of values 6 (at 5, 9, 1,001, 1,002, 1,003, …), "
          "duplicate word 1 (at 7)");
    embedding::LoadReport one;
    one.emptyWords = {1, {3}};
    CHECK(skippedRowsText(one) == "1 row skipped: empty word 1 (at 3)");
    one.endsWithinRow = true;
    CHECK(skippedRowsText(one) ==
          "1 row skipped: empty word 1 (at 3); the last line has no line end: the file may be cut "
          "off");
    CHECK(skippedRowsText({}).empty());
}

TEST_CASE("Rows of outlying norm are named, the longest first, and counted") {
    embedding::PreparedEmbedding prepared = examplePrepared();
    CHECK(outlyingRowsText(prepared).empty());
    for (const char* word : {"e", "f", "g", "h", "i"}) {
        addWord(prepared.embedding, word, 3, 4);
    }
    // 20 times the median, 5, is 100.
    prepared.squaredNorms = VectorD(9);
    prepared.squaredNorms << 25, 25, 25, 0, 25, 25, 25, 10'000, 1.5376e10;
    prepared.outlying = embedding::outlyingNorms(prepared.squaredNorms);
    const std::string one =
        "row 9, word \"i\": length 124,000, median 5.00: a missing decimal point?";
    CHECK(outlyingRowsText(prepared) == one);
    const ordered_json rows = infoJson({prepared})["outlyingRows"];
    CHECK(rows["count"] == 1);
    CHECK(rows["medianNorm"] == 5.0);
    CHECK(rows["longest"] == ordered_json::parse(R"([{"row": 9, "word": "i", "norm": 124000.0}])"));
    prepared.squaredNorms << 25, 25, 25, 25, 25, 1e6, 1e8, 1e10, 1.5376e10;
    prepared.outlying = embedding::outlyingNorms(prepared.squaredNorms);
    CHECK(outlyingRowsText(prepared) ==
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
    InfoReport info{prepared};
    info.provenance.version = "9.8.7";
    info.provenance.peakMemoryMiB = 700;
    info.epsilonRange = engine::EpsilonRange{8.2, 1.25, 40.5, 200};
    info.density = {calibration::densityProfile(space).value(), space.positions(), 0.25, data};
    const ordered_json json = infoJson(info);
    // a in two of two records, b in one, the other two in none.
    CHECK(json["density"]["sparsestShareOfRecords"] == 0.375);
    CHECK(json["density"]["data"]["density"]["sparsestShareOfRecords"] == 0.75);
    test::checkApproved("info.json", json.dump(1));
    test::checkApproved("info.txt", infoText(info));
    // A data set without known words has no profile of its own.
    info.density->data = text::DataSetWords();
    info.density->data->addRecord({}, 3);
    CHECK(infoJson(info)["density"]["data"]["density"].is_null());
    info.density->data.reset();
    CHECK_FALSE(infoJson(info)["density"].contains("recordsWithSparsest"));
    CHECK(infoJson(info)["density"]["data"].is_null());
}

namespace {

ReleaseReport exampleRelease() {
    ReleaseReport report;
    report.provenance = test::exampleProvenance();
    report.setting.mechanism = mechanism::Laplace{};
    report.guarantee.epsilon = 2.0;
    report.guarantee.bound = 2.0;
    report.end.counts.lines = 2;
    report.end.counts.words = 120;
    report.end.counts.replaced = 100;
    report.end.counts.masked = 20;
    report.end.unchanged = 31;
    return report;
}

/// All remarks, a line each, warnings marked.
std::string remarks(const ReleaseReport& report) {
    std::string text;
    for (const ReleaseRemark& remark : releaseRemarks(report)) {
        text += (remark.isWarning ? "warning: " : "") + remark.text + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("Words are said to be processed, and how many came out unchanged") {
    const std::string text = remarks(exampleRelease());
    CHECK_THAT(text, Contains("120 words in 2 lines: 100 processed, 20 unknown words masked"));
    CHECK_THAT(text, Contains("31 of 100 processed words came out unchanged; this depends on "
                              "the text: keep it to yourself"));
    CHECK_THAT(text, !Contains("replaced") && !Contains("warning"));
}

TEST_CASE("A release that keeps more than 95 of 100 words is warned of") {
    ReleaseReport report = exampleRelease();
    report.end.unchanged = 95;
    CHECK_THAT(remarks(report), !Contains("warning"));
    report.end.unchanged = 96;
    CHECK_THAT(remarks(report), Contains("warning: 96 of 100 processed words came out unchanged, "
                                         "so epsilon has next to no effect"));
    report.end.counts.replaced = 0;
    report.end.unchanged = 0;
    CHECK_THAT(remarks(report), !Contains("came out"));
}

// What is published may follow from setting and vocabulary, never from the text that went in.
TEST_CASE("The sidecar is the same however many words came out unchanged") {
    ReleaseReport report = exampleRelease();
    const std::string before = releaseJson(report);
    report.end.unchanged = 100;
    CHECK(releaseJson(report) == before);
    const ordered_json document = ordered_json::parse(before);
    CHECK(document["counts"]["processed"] == 100);
    CHECK(document["warnings"].empty());
}

// Equal words of a document lose once together.
TEST_CASE("What a line and the text may lose counts the words that lose on their own") {
    ReleaseReport report = exampleRelease();
    report.guarantee.statement = "ε·‖·‖₂";
    report.end.counts.mostReplacedInLine = 12;
    const auto lossOf = [&](bool isConsistent, std::int64_t drawn, std::int64_t mostDrawn) {
        report.policies.isConsistent = isConsistent;
        report.end.counts.drawn = drawn;
        report.end.counts.mostDrawn = mostDrawn;
        const ordered_json guarantee = ordered_json::parse(releaseJson(report))["guarantee"];
        for (const char* part : {"perLine", "total"}) {
            // Each word loses the bound, 2, times its distance.
            CHECK(guarantee[part]["boundTimesMeanDistance"] ==
                  2.0 * guarantee[part]["words"].get<double>());
        }
        return std::pair(guarantee["perLine"]["words"].get<int>(),
                         guarantee["total"]["words"].get<int>());
    };
    CHECK(lossOf(false, 0, 0) == std::pair(12, 100));
    // A document may be a line, or many.
    CHECK(lossOf(true, 40, 9) == std::pair(9, 40));
    CHECK(lossOf(true, 40, 15) == std::pair(12, 40));
}

// ln 10^6 = 13.8155; the bound of the example is 2. Rounded down to three digits.
TEST_CASE("How far the guarantee reaches is said beside the text and to whoever releases it") {
    ReleaseReport report = exampleRelease();
    const auto reach = [&] {
        return ordered_json::parse(releaseJson(report))["guarantee"]["reach1000000"];
    };
    CHECK(reach().get<double>() == Approx(6.907755));
    CHECK_THAT(remarks(report),
               Contains("the odds of two words at most 6.90 apart change by at most ×1,000,000"));
    // e^13 = 442,413.4; of e^14 more than 10^6 is left.
    report.guarantee.cap = 13.0;
    CHECK(reach().is_null());
    CHECK_THAT(remarks(report), Contains("the odds of any two words change by at most ×443,000"));
    report.guarantee.cap = 14.0;
    CHECK(reach().get<double>() == Approx(6.907755));
    // None of this is warned of: it is what the setting says.
    CHECK_THAT(remarks(exampleRelease()), !Contains("warning"));
}

TEST_CASE("Settings that leave words unprotected stand among the sidecar's warnings") {
    ReleaseReport report = exampleRelease();
    report.policies.unknown = release::UnknownPolicy::keep;
    report.policies.stopWords = std::make_shared<release::StopWords>(test::exampleVocabulary());
    const ordered_json warnings = ordered_json::parse(releaseJson(report))["warnings"];
    REQUIRE(warnings.size() == 2);
    CHECK_THAT(warnings[0].get<std::string>(), Contains("are not in the vocabulary are left"));
    CHECK_THAT(warnings[1].get<std::string>(), Contains("stop words are left"));
    CHECK_THAT(remarks(report),
               Contains("For all words w, w' other than the stop words and every output u"));
}
