#include "core/report/evaluation_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/attack/findings.h"
#include "core/base/numbers.h"
#include "core/report/evaluation_parts.h"
#include "core/report/report_parts.h"
#include "core/report/trade_off_text.h"

namespace epsilens::report {
namespace {

using attack::AttackResults;
using document::EvaluationRecord;
using evaluation::ClassifierKind;
using evaluation::EvaluationCell;
using evaluation::EvaluationSummary;
using evaluation::FigureValue;
using evaluation::SettingFamily;
using Kind = evaluation::FigureName::Kind;

/// Whether a setting has the accuracy of the ceiling in every repeat.
bool isAsCeiling(const EvaluationSummary& summary, std::size_t cell, ClassifierKind classifier) {
    const std::string path = fmt::format("{}.accuracy", evaluation::classifierName(classifier));
    const attack::Figure* own = figureAt(summary.cells[cell].classify, path);
    const attack::Figure* ceiling = figureAt(summary.ceiling, path);
    return own != nullptr && ceiling != nullptr && !own->repeats.empty() &&
           own->repeats == ceiling->repeats;
}

std::string percentText(const FigureValue& share) {
    return share.ci95 ? fmt::format("{:.0f}% ({:.0f} to {:.0f}%)", 100.0 * share.value,
                                    100.0 * (*share.ci95)[0], 100.0 * (*share.ci95)[1])
                      : fmt::format("{:.0f}%", 100.0 * share.value);
}

/// Where the task works by a classifier, and how much is kept there.
///
/// shown  the cell that the other sentences are about
std::string workSentence(const EvaluationSummary& summary, ClassifierKind classifier,
                         std::size_t shown, bool works) {
    const EvaluationCell& cell = summary.cells[shown];
    const FigureValue retained =
        figureOf(summary, evaluation::kBaselines + shown, {Kind::retained, classifier});
    const std::string where = familyText(summary, cell);
    return fmt::format(
        "{}{}{}: accuracy {:.3f} with random words and {:.3f} without noise; {}.",
        evaluation::classifierName(classifier), where.empty() ? "" : ", ", where,
        figureOf(summary, evaluation::kFloor, {Kind::accuracy, classifier}).value,
        figureOf(summary, evaluation::kCeiling, {Kind::accuracy, classifier}).value,
        std::isnan(retained.value)
            ? "they differ too little to tell what the replaced words are worth"
        : works ? fmt::format("from ε = {} on every setting reliably keeps 90% of the difference, "
                              "{} there",
                              formatNumber(cell.epsilon), percentText(retained))
                : fmt::format("no ε on the grid reliably keeps 90% of the difference, ε = {} keeps "
                              "{}",
                              formatNumber(cell.epsilon), percentText(retained)));
}

/// The figures that tasks are judged by, at a setting.
void addRisks(BulletList& list, const EvaluationSummary& summary, std::size_t cell) {
    for (const AttackResults& attack : summary.attacks) {
        const auto& found = attack.cells[cell];
        const attack::Figure* risk = found ? figureAt(*found, attack.risk) : nullptr;
        // The trade-off sentence is about the words that are guessed.
        if (risk != nullptr && attack.task != attack::Task::reconstruct) {
            list.items.push_back(fmt::format("{} {} {} at {}.", attackTitle(attack.task),
                                             riskTitle(attack),
                                             intervalText({risk->value, risk->ci95}),
                                             settingText(summary, summary.cells[cell])));
        }
    }
}

BulletList familyAnswer(const EvaluationSummary& summary, const SettingFamily& family) {
    BulletList list;
    std::optional<std::size_t> shown;
    for (const ClassifierKind classifier : summary.classified()) {
        const auto works = firstThatWorks(summary, family, classifier);
        const std::size_t at = works.value_or(family.cells.back());
        list.items.push_back(workSentence(summary, classifier, at, works.has_value()));
        shown = shown.value_or(at);
    }
    const std::size_t cell = shown.value_or(family.cells.back());
    list.items.push_back(tradeOffSentence(summary, cell));
    addRisks(list, summary, cell);
    if (cell < summary.guarantees.size()) {
        list.items.push_back(fmt::format(
            "Promised there: {}.",
            mechanism::guaranteeSentence(summary.guarantees[cell], summary.data.exemptsWords())));
    }
    std::erase_if(list.items, [](const std::string& item) { return item.empty(); });
    return list;
}

Section answerSection(const EvaluationSummary& summary) {
    Section section{
        "answer", "At which ε does the task still work, and what does an attacker get there?", {}};
    section.say(summary.partial ? partialSentence(summary) : "", true);
    for (const SettingFamily& family : evaluation::familiesOf(summary)) {
        if (!family.cells.empty()) {
            section.blocks.emplace_back(familyAnswer(summary, family));
        }
    }
    for (const AttackResults& attack : summary.attacks) {
        // Where an attack proves nothing.
        section.say(attack::originalSentence(attack));
        section.say(attack::nullSentence(attack));
    }
    section.say(summary.attacks.empty()        ? prose("no attacker measured")
                : summary.classified().empty() ? prose("no task measured")
                                               : "");
    return section;
}

/// The comparisons at equal epsilon one by one.
Table differencesTable(const EvaluationSummary& summary) {
    Table table{
        "Differences in accuracy at equal ε, in points, paired, with 95% intervals of each "
        "alone; verdicts at 5% over all of the run (Holm).",
        {"settings", {"classifier", Align::left}, "first less second", {"verdict", Align::left}},
        {}};
    for (const evaluation::SettingsCompared& compared : summary.differences) {
        const evaluation::Estimate& difference = compared.accuracy.difference;
        const auto& verdict = compared.accuracy.verdict;
        table.rows.push_back(
            {fmt::format("{} and {}", settingText(summary, summary.cells[compared.first]),
                         settingText(summary, summary.cells[compared.second])),
             std::string(evaluation::classifierName(compared.classifier)),
             fmt::format("{:+.1f}{}", 100.0 * difference.mean,
                         difference.ci95
                             ? fmt::format(" ({:+.1f} to {:+.1f})", 100.0 * (*difference.ci95)[0],
                                           100.0 * (*difference.ci95)[1])
                             : ""),
             verdict == evaluation::Verdict::different ? "differ"
             : verdict == evaluation::Verdict::withinMargin
                 ? fmt::format("within {} points",
                               formatNumber(100.0 * evaluation::EvaluationOptions::kMargin))
                 : "open"});
    }
    return table;
}

/// The words guessed most often at the smallest epsilon that was reached.
Table wordsTable(const EvaluationSummary& summary, const AttackResults& attack) {
    constexpr std::size_t kShown = 10;
    Table table{"", {"word", "guessed, of all its occurrences", "occurrences"}, {}};
    std::optional<std::size_t> smallest;
    for (std::size_t i = 0; i < attack.cells.size(); ++i) {
        if (attack.cells[i] && !attack.cells[i]->words.empty() &&
            (!smallest || summary.cells[i].epsilon < summary.cells[*smallest].epsilon)) {
            smallest = i;
        }
    }
    if (smallest) {
        table.caption = fmt::format("Guessed most often even at {}.",
                                    settingText(summary, summary.cells[*smallest]));
        const auto& words = attack.cells[*smallest]->words;
        for (std::size_t i = 0; i < std::min(kShown, words.size()); ++i) {
            table.rows.push_back(
                {words[i].word, decimals(words[i].success, 2), formatCount(words[i].tokens)});
        }
    }
    return table;
}

/// N_w and S_w of each setting.
Section survivalSection(const EvaluationRecord& record) {
    Section section{"survival", "How many words survive?", {}};
    if (!record.survival) {
        return section;
    }
    Table table{fmt::format("Means over {} words of the vocabulary with 95% intervals. N_w: how "
                            "many of {} draws keep the word; S_w: how many different words come "
                            "out in its place.",
                            formatCount(record.survival->words), record.survival->draws),
                {"setting", "N_w", "S_w"},
                {}};
    const auto meanText = [](const calibration::Summary& values) {
        return values.ci95 ? fmt::format("{:.1f} ({:.1f} to {:.1f})", values.mean,
                                         (*values.ci95)[0], (*values.ci95)[1])
                           : decimals(values.mean, 1);
    };
    for (std::size_t i = 0; i < record.survival->cells.size(); ++i) {
        const calibration::Cell& cell = record.survival->cells[i];
        table.rows.push_back({settingText(record.summary, record.summary.cells[i]),
                              meanText(cell.nw), meanText(cell.sw)});
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

Section circumstances(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    const calibration::EmbeddingDescription& embedding = record.provenance.embedding;
    return {"circumstances",
            "How it was measured",
            {BulletList{dataSentences(summary)},
             Facts{{{"Mechanism", std::string(summary.options.grid.mechanism.title())},
                    {"Law", summary.options.grid.mechanism.formula()},
                    {"Embedding", runTitle(record.provenance)},
                    {"SHA-256", embedding.sha256},
                    {"Seed", fmt::format("{}", summary.options.seed)},
                    {"Version", record.provenance.version}}}}};
}

}  // namespace

std::optional<std::size_t> firstThatWorks(const EvaluationSummary& summary,
                                          const SettingFamily& family, ClassifierKind classifier) {
    constexpr double kWorks = 0.9;
    const auto fails = [&](std::size_t cell) {
        const FigureValue retained =
            figureOf(summary, evaluation::kBaselines + cell, {Kind::retained, classifier});
        const bool surelyWorks =
            !std::isnan(retained.value) && (isAsCeiling(summary, cell, classifier) ||
                                            (retained.ci95 && (*retained.ci95)[0] >= kWorks));
        return !surelyWorks;
    };
    const auto lastFailing = std::find_if(family.cells.rbegin(), family.cells.rend(), fails);
    return lastFailing == family.cells.rbegin() ? std::nullopt
                                                : std::optional(*std::prev(lastFailing));
}

ReportContent evaluationPage(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    ReportContent content{
        fmt::format("Utility and attacks: {} after the release", summary.data.file),
        {answerSection(summary)},
        {}};
    for (Section& section : evaluationSections(summary)) {
        content.sections.push_back(std::move(section));
    }
    if (!summary.differences.empty()) {
        content.sections.push_back(
            {"differences", "Settings compared", {differencesTable(summary)}});
    }
    for (const AttackResults& attack : summary.attacks) {
        if (Table words = wordsTable(summary, attack); !words.rows.empty()) {
            content.sections.push_back({"words", "Words guessed most often", {std::move(words)}});
        }
    }
    content.sections.push_back(survivalSection(record));
    content.sections.push_back({"limits",
                                "What this does not show",
                                {BulletList{proseList("limits of evaluations")},
                                 Paragraph{summary.attacks.empty() ? "" : prose("no guarantee")}}});
    content.sections.push_back(circumstances(record));
    return content;
}

}  // namespace epsilens::report
