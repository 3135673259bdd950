#include "core/report/steps_csv.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/calibration/step_functions.h"

namespace epsilens::report {
namespace {

void appendStep(std::string& text, std::string_view before, std::string_view lambda,
                const calibration::StepValue& step) {
    fmt::format_to(std::back_inserter(text), "{}{},{},{},{},{}\n", before, lambda, step.statistic,
                   io::csvNumber(step.from), io::csvNumber(step.to), io::csvNumber(step.value));
}

}  // namespace

Result<void> appendSteps(std::string& text, std::span<const calibration::WordSteps> words,
                         int draws, std::string_view lambda, const JobContext& job) {
    return calibration::stepsOverWords(
        words, draws,
        [&](const calibration::StepValue& step) -> Result<void> {
            appendStep(text, {}, lambda, step);
            return {};
        },
        job);
}

Result<void> appendWordSteps(std::string& text, std::span<const calibration::WordSteps> words,
                             int draws, std::string_view lambda,
                             const embedding::Vocabulary& vocabulary, io::CsvWords spelling,
                             const JobContext& job) {
    std::vector<const calibration::WordSteps*> byRow(words.size());
    std::transform(words.begin(), words.end(), byRow.begin(),
                   [](const calibration::WordSteps& word) { return &word; });
    std::sort(byRow.begin(), byRow.end(),
              [](const auto* a, const auto* b) { return a->word < b->word; });
    for (const calibration::WordSteps* word : byRow) {
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        const std::string before =
            fmt::format("{},{},", io::csvWord(vocabulary.word(word->word), spelling), word->word);
        RETURN_IF_ERROR(calibration::stepsOfWord(
            *word, draws, [&](const calibration::StepValue& step) -> Result<void> {
                appendStep(text, before, lambda, step);
                return {};
            }));
    }
    return {};
}

}  // namespace epsilens::report
