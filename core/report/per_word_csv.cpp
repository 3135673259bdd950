#include "core/report/per_word_csv.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/provenance.h"
#include "core/io/csv.h"

namespace epsilens::report {
namespace {

std::string lambdaField(const calibration::CalibrationSummary& summary, double lambda) {
    return summary.grid.mechanism.hasLambda() ? io::csvNumber(lambda) : std::string();
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
