#include "core/report/calibration_text.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/io/csv.h"
#include "core/report/report_parts.h"

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

std::string calibrationText(const calibration::Run& run) {
    constexpr std::size_t kFew = 4;
    const CalibrationSummary& summary = *run.summary;
    const Report report{{}, run};
    const Findings findings;
    Judged judged{report, findings};
    if (judged.told.size() > kFew) {
        judged.told.clear();
    }
    Section results = resultSection(judged);
    results.say(judged.told.empty()
                    ? "Entropies, distances and all percentiles: --format json or csv."
                    : "");
    results.say(fmt::format("It took {:.1f} s.", summary.seconds));
    Section promised{"guarantee", "What is promised", {}};
    addGuarantees(promised, summary, judged.shown.cells, "every calibrated setting");
    Section again{"again", "Words counted again", {}};
    for (const std::size_t cell : judged.shown.cells) {
        if (summary.cells[cell].worst) {
            again.blocks.emplace_back(rerunTable(summary, summary.cells[cell]));
        }
    }
    return reportText({fmt::format("{}{} on {}", summary.partial ? "PARTIAL: " : "",
                                   summary.grid.mechanism.title(), runTitle(run.provenance)),
                       {std::move(results), std::move(promised), std::move(again)},
                       {}});
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
