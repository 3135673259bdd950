#include "core/report/calibration_csv.h"

#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/provenance.h"
#include "core/io/csv.h"

namespace epsilens::report {
namespace {

using Fields = std::vector<std::string>;

constexpr std::string_view kStatistics[] = {"nw", "sw", "minEntropy", "shannonEntropy",
                                            "hartleyEntropy"};
constexpr std::string_view kAggregates[] = {"mean", "sd",  "sdTrue", "ci95Low", "ci95High",
                                            "min",  "p1",  "p5",     "p25",     "p50",
                                            "p75",  "p95", "p99",    "max"};

/// What only runs that compare words have.
constexpr std::string_view kComparisons[] = {"kw", "deniability"};

void appendNames(Fields& fields, std::string_view statistic) {
    for (const std::string_view aggregate : kAggregates) {
        fields.push_back(fmt::format("{}.{}", statistic, aggregate));
    }
}

Fields header() {
    Fields fields{"mechanism", "epsilon", "lambda", "gamma", "beta", "metric", "bound", "cap"};
    for (const std::string_view statistic : kStatistics) {
        appendNames(fields, statistic);
    }
    for (const char* name : {"kept", "near", "far", "meanDistance", "meanCosine", "coverage",
                             "words", "draws", "seed", "partial", "exact", "relativeError"}) {
        fields.emplace_back(name);
    }
    for (const std::string_view statistic : kComparisons) {
        appendNames(fields, statistic);
    }
    for (const char* name : {"deniability.odds", "deniability.words", "deniability.share",
                             "independentDraws", "worst.draws", "worst.largestShare"}) {
        fields.emplace_back(name);
    }
    return fields;
}

void appendSummary(Fields& fields, const statistics::Summary& summary) {
    std::optional<double> low;
    std::optional<double> high;
    if (summary.ci95) {
        low = (*summary.ci95)[0];
        high = (*summary.ci95)[1];
    }
    for (const std::optional<double>& value :
         {std::optional(summary.mean), std::optional(summary.sd), summary.sdTrue, low, high,
          std::optional(summary.min), std::optional(summary.p1), std::optional(summary.p5),
          std::optional(summary.p25), std::optional(summary.p50), std::optional(summary.p75),
          std::optional(summary.p95), std::optional(summary.p99), std::optional(summary.max)}) {
        fields.push_back(io::csvNumber(value));
    }
}

std::string lambdaField(const calibration::CalibrationSummary& summary, double lambda) {
    return summary.grid.mechanism.hasLambda() ? io::csvNumber(lambda) : std::string();
}

void appendCell(Fields& fields, const calibration::Cell& cell) {
    for (const statistics::Summary* statistic :
         {&cell.nw, &cell.sw, &cell.minEntropy, &cell.shannonEntropy, &cell.hartleyEntropy}) {
        appendSummary(fields, *statistic);
    }
    for (const double value : {cell.kept, cell.near, cell.far, cell.meanDistance}) {
        fields.push_back(io::csvNumber(value));
    }
    fields.push_back(io::csvNumber(cell.meanCosine));
    fields.push_back(io::csvNumber(cell.coverage));
}

void appendSummary(Fields& fields, const statistics::Summary* summary) {
    if (summary != nullptr) {
        appendSummary(fields, *summary);
    } else {
        fields.insert(fields.end(), std::size(kAggregates), std::string());
    }
}

void appendComparisons(Fields& fields, const calibration::Cell& cell) {
    appendSummary(fields, cell.kw ? &*cell.kw : nullptr);
    const std::optional<calibration::Deniability>& deniability = cell.deniability;
    appendSummary(fields, deniability ? &deniability->sizes : nullptr);
    fields.push_back(deniability ? io::csvNumber(deniability->odds) : "");
    fields.push_back(deniability ? fmt::format("{}", deniability->words) : "");
    fields.push_back(deniability ? io::csvNumber(deniability->share) : "");
}

/// Formatted as float: the shortest text of the stored number, not of its widening.
std::string criticalField(const calibration::CalibrationSummary& summary, std::size_t word,
                          std::size_t cell) {
    const std::vector<float>& medians = summary.perWord.criticalEpsilonMedian;
    if (medians.empty()) {
        return {};
    }
    // One median serves all epsilons, which are together in the order of the cells.
    const std::size_t epsilons = summary.grid.epsilons.size();
    const float median = medians[(word * summary.perWord.cells + cell) / epsilons];
    return std::isfinite(median) ? fmt::format("{}", median) : std::string();
}

}  // namespace

std::string calibrationCsv(const calibration::CalibrationSummary& summary) {
    std::string text;
    io::appendCsvLine(text, header());
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const calibration::Cell& cell = summary.cells[i];
        const mechanism::Guarantee& guarantee = summary.guarantees[i];
        Fields fields{std::string(summary.grid.mechanism.name()),
                      io::csvNumber(cell.epsilon),
                      lambdaField(summary, cell.lambda),
                      io::csvNumber(cell.gamma),
                      io::csvNumber(cell.beta),
                      std::string(mechanism::metricName(guarantee.metric)),
                      io::csvNumber(guarantee.bound),
                      io::csvNumber(guarantee.cap)};
        appendCell(fields, cell);
        fields.push_back(fmt::format("{}", summary.words));
        fields.push_back(fmt::format("{}", summary.draws));
        fields.push_back(fmt::format("{}", summary.seed));
        fields.emplace_back(summary.partial ? "true" : "false");
        fields.emplace_back(summary.isExact() ? "true" : "false");
        fields.push_back(io::csvNumber(cell.relativeError));
        appendComparisons(fields, cell);
        fields.emplace_back(summary.independentDraws ? "true" : "false");
        fields.push_back(cell.worst ? fmt::format("{}", cell.worst->draws) : "");
        fields.push_back(cell.worst ? io::csvNumber(cell.worst->largestShare()) : "");
        io::appendCsvLine(text, fields);
    }
    return text;
}

std::string perWordCsv(const calibration::CalibrationSummary& summary,
                       const embedding::Vocabulary& vocabulary) {
    const calibration::WordTable& table = summary.perWord;
    std::string text = "word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\n";
    for (std::size_t word = 0; word < table.words.size(); ++word) {
        const std::string name = io::csvWord(vocabulary.word(table.words[word]));
        const std::string row = fmt::format("{}", table.words[word]);
        for (std::size_t cell = 0; cell < table.cells; ++cell) {
            const std::size_t value = word * table.cells + cell;
            const calibration::Cell& setting = summary.cells[cell];
            io::appendCsvLine(
                text,
                {name, row, io::csvNumber(setting.epsilon), lambdaField(summary, setting.lambda),
                 io::csvNumber(setting.gamma), io::csvNumber(table.nw[value]),
                 io::csvNumber(table.sw[value]), criticalField(summary, word, cell)});
        }
    }
    return text;
}

}  // namespace epsilens::report
