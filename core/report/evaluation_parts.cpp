#include "core/report/evaluation_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/corpus/tokenised_documents.h"
#include "core/release/policies.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using evaluation::EvaluationCell;
using evaluation::EvaluationSummary;

std::string percent(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? fmt::format("{:.0f}%",
                                   100.0 * static_cast<double>(part) / static_cast<double>(whole))
                     : "0%";
}

/// " of 2 classes (ham, spam) and 50 authors"; empty without either.
std::string groupsText(const evaluation::DataDescription& data) {
    std::string text;
    if (!data.classes.empty()) {
        text += fmt::format(" of {} classes ({})", data.classes.size(),
                            corpus::classesText(data.classes));
    }
    if (data.authors > 0) {
        text += fmt::format("{} {} authors", text.empty() ? " of" : " and", data.authors);
    }
    return text;
}

}  // namespace

std::string intervalText(const corpus::Measured& figure) {
    const std::string value =
        std::isnan(figure.value) ? kAbsent : fmt::format("{:.3f}", figure.value);
    return figure.ci95
               ? fmt::format("{} ({:.3f} to {:.3f})", value, (*figure.ci95)[0], (*figure.ci95)[1])
               : value;
}

std::string partialSentence(const EvaluationSummary& summary) {
    std::string text = "Partial:";
    if (summary.options.has(attack::Task::classify)) {
        text += fmt::format(" {} of {} repeats of the classification were finished;",
                            summary.repeats, summary.options.repeats);
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        const auto reached =
            std::ranges::count_if(attack.cells, [](const auto& cell) { return cell.has_value(); });
        text += fmt::format(" {} reached {} of {} settings;", attack::taskName(attack.task),
                            reached, attack.cells.size());
    }
    text.back() = '.';
    return text;
}

std::string familyText(const EvaluationSummary& summary, const EvaluationCell& cell) {
    return familyText(summary.options.grid.mechanism, cell.lambda, cell.gamma, cell.beta, " ");
}

std::vector<std::string> dataSentences(const EvaluationSummary& summary) {
    const evaluation::DataDescription& data = summary.data;
    std::vector<std::string> sentences{
        fmt::format("{}: {} documents{}; {}.", data.file, formatCount(data.documents),
                    groupsText(data), data.columns),
        fmt::format("{} words, {} of them in the vocabulary; {} are replaced. Words that are not "
                    "in the vocabulary: {}.",
                    formatCount(data.tokens), percent(data.knownTokens, data.tokens),
                    percent(data.replacedTokens, data.tokens),
                    release::unknownPolicyName(summary.options.policies.unknown))};
    if (data.onlyWords) {
        sentences.emplace_back(corpus::kOnlyWordsNotice);
    }
    if (!summary.original.empty()) {
        sentences.push_back(
            data.hasOwnSplit
                ? fmt::format("Trained on {} documents and tested on {} others, as the data set "
                              "splits them; {} repeats with noise of their own.",
                              formatCount(data.trainingDocuments), formatCount(data.testDocuments),
                              summary.repeats)
                : fmt::format("{} repeats, each with a random split: trained on {} documents, "
                              "tested on {}. Documents with the same text stay on the same side.",
                              summary.repeats, formatCount(data.trainingDocuments),
                              formatCount(data.testDocuments)));
        sentences.push_back(fmt::format("Training texts are perturbed, test texts are {}.",
                                        summary.options.perturbTest
                                            ? "perturbed too, with noise of their own"
                                            : "not perturbed"));
    }
    if (data.duplicates > 0) {
        sentences.push_back(
            fmt::format("{} documents repeat the text of another.", formatCount(data.duplicates)));
    }
    if (data.repeatedTestDocuments > 0) {
        sentences.push_back(
            fmt::format("{} of the test documents repeat a training document, as the data set "
                        "splits them: what "
                        "was learned from is easier to classify and to guess.",
                        formatCount(data.repeatedTestDocuments)));
    }
    if (data.badRows > 0) {
        sentences.push_back(
            fmt::format("{} rows were left out because they lack a text or a label, or are "
                        "malformed.",
                        formatCount(data.badRows)));
    }
    if (summary.partial) {
        sentences.push_back(partialSentence(summary));
    }
    return sentences;
}

std::string settingText(const EvaluationSummary& summary, const EvaluationCell& cell) {
    const std::string family = familyText(summary, cell);
    return fmt::format("ε {}{}{}", formatNumber(cell.epsilon), family.empty() ? "" : ", ", family);
}

}  // namespace epsilens::report
