#include "core/report/steps_csv.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/calibration/step_functions.h"

namespace epsilens::report {
namespace {

/// Lines that are handed on once there are enough of them.
class StepLines {
public:
    StepLines(const io::TakeText& take, std::string_view lambda) : m_take(take), m_lambda(lambda) {}

    /// before  the fields before that of lambda, with their commas
    Result<void> add(std::string_view before, const calibration::StepValue& step) {
        fmt::format_to(std::back_inserter(m_text), "{}{},{},{},{},{}\n", before, m_lambda,
                       step.statistic, io::csvNumber(step.from), io::csvNumber(step.to),
                       io::csvNumber(step.value));
        return m_text.size() < kPiece ? Result<void>() : handOn();
    }
    Result<void> handOn() {
        RETURN_IF_ERROR(m_take(m_text));
        m_text.clear();
        return {};
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20U;

    const io::TakeText& m_take;
    std::string_view m_lambda;
    std::string m_text{};
};

}  // namespace

Result<void> writeSteps(const io::TakeText& take, std::span<const calibration::WordSteps> words,
                        int draws, std::string_view lambda, const JobContext& job) {
    StepLines lines(take, lambda);
    RETURN_IF_ERROR(calibration::stepsOverWords(
        words, draws, [&](const calibration::StepValue& step) { return lines.add({}, step); },
        job));
    return lines.handOn();
}

Result<void> writeWordSteps(const io::TakeText& take, std::span<const calibration::WordSteps> words,
                            int draws, std::string_view lambda,
                            const embedding::Vocabulary& vocabulary, io::CsvWords spelling,
                            const JobContext& job) {
    std::vector<const calibration::WordSteps*> byRow(words.size());
    std::transform(words.begin(), words.end(), byRow.begin(),
                   [](const calibration::WordSteps& word) { return &word; });
    std::sort(byRow.begin(), byRow.end(),
              [](const auto* a, const auto* b) { return a->word < b->word; });
    StepLines lines(take, lambda);
    for (const calibration::WordSteps* word : byRow) {
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        const std::string before =
            fmt::format("{},{},", io::csvWord(vocabulary.word(word->word), spelling), word->word);
        RETURN_IF_ERROR(calibration::stepsOfWord(
            *word, draws,
            [&](const calibration::StepValue& step) { return lines.add(before, step); }));
    }
    return lines.handOn();
}

}  // namespace epsilens::report
