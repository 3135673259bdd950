#include "core/report/evaluation_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/attack/findings.h"
#include "core/base/enum_names.h"
#include "core/base/numbers.h"
#include "core/corpus/tokenised_documents.h"
#include "core/document/session.h"
#include "core/evaluation/evaluation.h"
#include "core/release/policies.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using attack::AttackResults;
using document::EvaluationRecord;
using evaluation::ClassifierKind;
using evaluation::EvaluationCell;
using evaluation::EvaluationSummary;
using evaluation::FigureValue;
using evaluation::figureValueText;
using evaluation::SettingFamily;
using Kind = evaluation::FigureName::Kind;

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

/// Of a run that was cancelled.
std::string partialSentence(const EvaluationSummary& summary) {
    return fmt::format("Partial: it was interrupted{}; – stands where nothing was measured.",
                       summary.options.has(attack::Task::classify)
                           ? fmt::format(" after {} of {} repeats of the classification",
                                         summary.repeats, summary.options.repeats)
                           : "");
}

/// "24", or "6.2" below ten: a share as a count out of 100.
std::string countText(double share) {
    const double count = 100.0 * share;
    return fmt::format("{:.{}f}", count, count < 9.95 ? 1 : 0);
}

/// "24 of 100 words (95% interval 20 to 28)": a share, with its interval if it has one.
std::string hundredWords(const FigureValue& share, std::string_view what) {
    const CountWords count = shareWords(share, 0.0);
    return fmt::format("{} of 100 {}{}", count.value, what, count.interval("95% interval "));
}

/// By the first classifier; the tables have all.
std::string utilityClause(const EvaluationSummary& summary, std::size_t cell, bool isAgain) {
    const ClassifierKind classifier = summary.options.classifiers.front();
    const auto accuracyAt = [&](std::size_t condition) {
        return figureOf(summary, condition, {Kind::accuracy, classifier});
    };
    const FigureValue accuracy = accuracyAt(evaluation::kBaselines + cell);
    if (isAgain || std::isnan(accuracy.value)) {
        return {};
    }
    const std::string& commonest = summary.data.commonest;
    return fmt::format(
        "{} still get the right class by {}; always saying {} would be right for {}, without "
        "protection {} are right",
        hundredWords(accuracy, "texts"), classifierWords(classifier),
        commonest.empty() ? "the commonest class" : fmt::format("\"{}\"", commonest),
        countText(summary.majority), countText(accuracyAt(evaluation::kOriginal).value));
}

std::string attackClauses(const EvaluationSummary& summary, std::size_t cell, bool isAgain) {
    std::vector<std::string> clauses;
    const auto add = [&](const std::string& path, std::string_view before, std::string_view what,
                         const std::string& behind = {}) {
        if (const auto figure = figureAt(summary, evaluation::kBaselines + cell, path)) {
            clauses.push_back(fmt::format("{} {}{}", before, hundredWords(*figure, what), behind));
        }
    };
    if (const auto prior = figureAt(summary, evaluation::kBaselines + cell, "reconstruct.prior")) {
        add("reconstruct.best", "the best attacker guesses", "words",
            fmt::format(", {} without the release", countText(prior->value)));
    }
    if (isAgain && !clauses.empty()) {
        return clauses.front();
    }
    constexpr std::string_view kCases = "cases, where 50 are chance";
    // By the classifier that tells most.
    std::string path;
    double most = 0.0;
    for (const ClassifierKind classifier : summary.options.classifiers) {
        const std::string own =
            fmt::format("membership.{}.threshold.auc", evaluation::classifierName(classifier));
        const auto figure = figureAt(summary, evaluation::kBaselines + cell, own);
        if (figure && figure->value > most) {
            path = own;
            most = figure->value;
        }
    }
    add(path, "of two texts, one of which a classifier was trained on, an attacker tells which in",
        kCases);
    add("authorship.adaptive.correct",
        "an attacker who knows other texts by the same authors finds the author of", "texts");
    add("audit.adaptive.auc",
        "of two users, on the texts of one of whom a language model was trained, an attacker tells "
        "which in",
        kCases);
    return joined(std::move(clauses), "; ");
}

/// isAgain  with other draws than an evaluation before: the best attacker alone
using ClausesOf = std::string (*)(const EvaluationSummary& summary, std::size_t cell, bool isAgain);

/// How far from the chosen epsilon the nearest setting of an evaluation is; infinite without one.
double distanceTo(const Judged& judged, const EvaluationSummary& summary) {
    const auto setting = document::nearestSetting(summary, *judged.cell);
    return setting ? std::fabs(summary.cells[*setting].epsilon - judged.cell->epsilon)
                   : std::numeric_limits<double>::infinity();
}

/// What evaluations say of the chosen setting, or the nearest one that they have, a sentence each.
///
/// clausesOf  what one says of a setting; empty: the evaluation is passed over
std::string sentencesOf(const Judged& judged, ClausesOf clausesOf) {
    std::vector<std::string> sentences;
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        const auto setting = document::nearestSetting(summary, *judged.cell);
        const bool isAgain = isWithOtherDraws(judged.report, summary);
        const std::string clauses = setting ? clausesOf(summary, *setting, isAgain) : "";
        if (clauses.empty() || isOvertaken(judged, summary)) {
            continue;
        }
        const double epsilon = summary.cells[*setting].epsilon;
        sentences.push_back(
            fmt::format("{}, on the texts of {}{}, {}.",
                        epsilon == judged.cell->epsilon
                            ? "At this setting"
                            : fmt::format("At ε = {}, the nearest setting that was evaluated",
                                          formatNumber(epsilon)),
                        summary.data.file, isAgain ? ", with other random draws" : "", clauses));
    }
    return joined(std::move(sentences), " ");
}

/// A share out of 100, rounded up to one decimal; nothing where that is all.
std::optional<std::string> atMostOf100(double share) {
    constexpr double kTenths = 10.0;
    constexpr double kAll = 100.0;
    constexpr double kRoundoff = 1e-9;
    const double rounded = std::ceil(kTenths * kAll * share - kRoundoff) / kTenths;
    return rounded < kAll ? std::optional(fmt::format("{:.1f} of 100", rounded)) : std::nullopt;
}

/// Of what sees the noise itself, the upper end of its interval.
std::string upperClause(const EvaluationSummary& summary, std::size_t cell, bool isAgain) {
    const auto bound = figureAt(summary, evaluation::kBaselines + cell, "reconstruct.upper");
    if (!bound || isAgain) {
        return {};
    }
    const auto most =
        atMostOf100(bound->ci95 ? std::max((*bound->ci95)[1], bound->value) : bound->value);
    return fmt::format(
        "of words as frequent as the attackers assume, {}",
        most ? fmt::format("no attacker who ignores context can guess more than {} (95% bound)",
                           *most)
             : "no useful bound is known for other attackers");
}

/// What the guarantee leaves of the first pair of words; empty without pairs.
std::string guaranteeBound(const Judged& judged) {
    if (judged.findings.odds.empty()) {
        return {};
    }
    // The largest share of right guesses is e^loss / (1 + e^loss).
    const calibration::PairDistance& pair = judged.findings.odds.front().pair;
    const double loss = mechanism::pairLoss(*judged.guarantee, pair.distance);
    const auto most = atMostOf100(1.0 / (1.0 + std::exp(-loss)));
    return fmt::format(
        "Between “{}” and “{}”, equally likely beforehand, {}.", pair.first, pair.second,
        most ? fmt::format("no attacker can exceed {} right guesses, whatever they know: this "
                           "follows from the promise",
                           *most)
             : "the promise still allows an attacker more than 99.9 of 100 right guesses");
}

/// Whether a setting has the accuracy of the ceiling in every repeat.
bool isAsCeiling(const EvaluationSummary& summary, std::size_t cell, ClassifierKind classifier) {
    const std::string path = fmt::format("{}.accuracy", evaluation::classifierName(classifier));
    const attack::Figure* own = figureAt(summary.cells[cell].classify, path);
    const attack::Figure* ceiling = figureAt(summary.ceiling, path);
    return own != nullptr && ceiling != nullptr && !own->repeats.empty() &&
           own->repeats == ceiling->repeats;
}

/// Where the task works by a classifier, and how much is kept there.
///
/// shown  the cell that the other sentences are about
std::string workSentence(const EvaluationSummary& summary, ClassifierKind classifier,
                         std::size_t shown, bool works) {
    const EvaluationCell& cell = summary.cells[shown];
    const FigureValue retained =
        figureOf(summary, evaluation::kBaselines + shown, {Kind::retained, classifier});
    return fmt::format(
        "{}: accuracy {:.3f} with random words and {:.3f} without noise; {}.",
        joined({std::string(evaluation::classifierName(classifier)), familyText(summary, cell)},
               ", "),
        figureOf(summary, evaluation::kFloor, {Kind::accuracy, classifier}).value,
        figureOf(summary, evaluation::kCeiling, {Kind::accuracy, classifier}).value,
        std::isnan(retained.value)
            ? "they differ too little to tell what the replaced words are worth"
        : works ? fmt::format("from ε = {} on every setting reliably keeps 90% of the difference, "
                              "{} there",
                              formatNumber(cell.epsilon), figureValueText(retained))
                : fmt::format("no ε on the grid reliably keeps 90% of the difference, ε = {} keeps "
                              "{}",
                              formatNumber(cell.epsilon), figureValueText(retained)));
}

double chanceOf(const AttackResults& results) {
    const attack::Figure* chance = results.floor ? figureAt(*results.floor, "chance") : nullptr;
    return chance != nullptr ? chance->value : attack::headlineOf(results.task).chance;
}

/// What the figure is called that a task is judged by.
std::string riskTitle(const AttackResults& results) {
    return attack::ofClassifier(attack::headlineOf(results.task).title,
                                results.risk.substr(0, results.risk.find('.')));
}

/// Says that the attack is told from chance on uniformly random words, where the 95% interval of
/// that figure there does not hold its chance; else empty. What the mechanism leaves as it is, such
/// as punctuation, may tell something whatever the setting; and one interval in twenty errs.
std::string nullSentence(const AttackResults& results) {
    const attack::Figure* figure = results.floor ? figureAt(*results.floor, results.risk) : nullptr;
    const double chance = chanceOf(results);
    if (figure == nullptr || !figure->ci95 || std::isnan(chance) ||
        ((*figure->ci95)[0] <= chance && chance <= (*figure->ci95)[1])) {
        return {};
    }
    return fmt::format(
        "On random words this attack is told from chance: {} {}, chance is {:.3f}. What is not "
        "replaced tells that much at any setting (length, punctuation, words that stay), unless it "
        "is chance after all: one interval in twenty errs.",
        riskTitle(results), intervalText("{:.3f}", *figure), chance);
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
    if (cell < summary.guarantees.size()) {
        list.items.push_back(fmt::format(
            "Promised there: {}.",
            mechanism::guaranteeSentence(summary.guarantees[cell], summary.data.exemptsWords())));
    }
    std::erase_if(list.items, [](const std::string& item) { return item.empty(); });
    return list;
}

Section answerSection(const EvaluationSummary& summary) {
    Section section{"answer",
                    "At which ε does the task still work, and what does an attacker get there?"};
    section.say(summary.partial ? partialSentence(summary) : "", true);
    for (const SettingFamily& family : evaluation::familiesOf(summary)) {
        if (!family.cells.empty()) {
            section.blocks.emplace_back(familyAnswer(summary, family));
        }
    }
    for (const AttackResults& attack : summary.attacks) {
        // Where an attack proves nothing.
        section.say(originalSentence(attack));
        section.say(nullSentence(attack));
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
        {"settings", {"classifier", Align::left}, "first less second", {"verdict", Align::left}}};
    for (const evaluation::SettingsCompared& compared : summary.differences) {
        const evaluation::Estimate& difference = compared.accuracy.difference;
        const auto& verdict = compared.accuracy.verdict;
        table.rows.push_back(
            {fmt::format("{} and {}", settingText(summary, summary.cells[compared.first]),
                         settingText(summary, summary.cells[compared.second])),
             std::string(evaluation::classifierName(compared.classifier)),
             intervalText("{:+.1f}", {difference.mean, difference.ci95}, 100.0),
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
    Table table{"", {"word", "guessed, of all its occurrences", "occurrences"}};
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
    Section section{"survival", "How many words survive?"};
    if (!record.survival) {
        return section;
    }
    Table table{fmt::format("Means over {} words of the vocabulary with 95% intervals. N_w: how "
                            "many of {} draws keep the word; S_w: how many different words come "
                            "out in its place.",
                            formatCount(record.survival->words), record.survival->draws),
                {"setting", "N_w", "S_w"}};
    const auto meanText = [](const calibration::Summary& values) {
        return intervalText("{:.1f}", {values.mean, values.ci95});
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

bool isWithOtherDraws(const Report& report, const EvaluationSummary& summary) {
    return std::ranges::any_of(report.evaluations, [&summary](const EvaluationRecord& before) {
        return &before.summary < &summary && before.summary.data.file == summary.data.file &&
               before.summary.options.seed != summary.options.seed;
    });
}

bool isOvertaken(const Judged& judged, const EvaluationSummary& summary) {
    const auto asksTheSame = [&summary](const EvaluationSummary& other) {
        return other.data.file == summary.data.file && other.options.seed == summary.options.seed &&
               other.options.tasks == summary.options.tasks &&
               other.options.classifiers == summary.options.classifiers;
    };
    return std::ranges::any_of(judged.report.evaluations, [&](const EvaluationRecord& record) {
        const double away = distanceTo(judged, record.summary);
        const double own = distanceTo(judged, summary);
        return asksTheSame(record.summary) &&
               (away < own || (away == own && &record.summary < &summary));
    });
}

std::string originalSentence(const AttackResults& results) {
    const attack::Figure* figure =
        results.original ? figureAt(*results.original, results.risk) : nullptr;
    const double chance = chanceOf(results);
    if (figure == nullptr || std::isnan(chance) ||
        (figure->ci95 ? (*figure->ci95)[0] : figure->value) > chance) {
        return {};
    }
    return fmt::format(
        "Even on the original text this attack is not told from chance ({} {:.3f}, chance is "
        "{:.3f}): it says nothing about the settings.",
        riskTitle(results), figure->value, chance);
}

std::string intervalText(std::string_view format, const corpus::Measured& measured, double times) {
    const auto& [value, ci95] = measured;
    const auto text = [&](double number) {
        return std::isnan(number) ? kAbsent : fmt::format(fmt::runtime(format), times * number);
    };
    return ci95 ? fmt::format("{} ({} to {})", text(value), text((*ci95)[0]), text((*ci95)[1]))
                : text(value);
}

std::string familyText(const EvaluationSummary& summary, const EvaluationCell& cell) {
    return familyText(summary.options.grid.mechanism, cell, " ");
}

std::vector<std::string> dataSentences(const EvaluationSummary& summary) {
    const evaluation::DataDescription& data = summary.data;
    const auto shareOfWords = [&data](std::int64_t some) {
        return shownShare(static_cast<double>(some) /
                          static_cast<double>(std::max<std::int64_t>(data.tokens, 1)));
    };
    std::vector<std::string> sentences{
        fmt::format("{}: {} documents{}; {}.", data.file, formatCount(data.documents),
                    groupsText(data), data.columns),
        fmt::format("{} words, {} of them in the vocabulary; {} are replaced. Words that are not "
                    "in the vocabulary: {}.",
                    formatCount(data.tokens), shareOfWords(data.knownTokens),
                    shareOfWords(data.replacedTokens),
                    release::unknownPolicyName(summary.options.policies.unknown))};
    if (data.onlyWords) {
        sentences.emplace_back(corpus::kOnlyWordsNotice);
    }
    if (!summary.classified().empty()) {
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
    return joined({"ε " + formatNumber(cell.epsilon), familyText(summary, cell)}, ", ");
}

std::string classifierWords(ClassifierKind classifier) {
    constexpr EnumNames<ClassifierKind, 3> kWords{
        {{"a linear classifier of the words", ClassifierKind::linear},
         {"a classifier of mean word vectors", ClassifierKind::vectors},
         {"fastText's classifier", ClassifierKind::fasttext}}};
    return std::string(nameIn(kWords, classifier));
}

std::string tradeOffSentence(const EvaluationSummary& summary, std::size_t cell, bool hasUtility) {
    const std::string clauses = joined({hasUtility ? utilityClause(summary, cell, false) : "",
                                        attackClauses(summary, cell, false)},
                                       "; ");
    return clauses.empty()
               ? clauses
               : fmt::format("At {}: {}.", settingText(summary, summary.cells[cell]), clauses);
}

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
        {answerSection(summary)}};
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

std::string measuredUtility(const Judged& judged) {
    return sentencesOf(judged, utilityClause);
}

std::string measuredAttacks(const Judged& judged) {
    return sentencesOf(judged, attackClauses);
}

std::string attackBounds(const Judged& judged) {
    const std::string bounds = sentencesOf(judged, upperClause);
    return bounds.empty() ? guaranteeBound(judged) : bounds;
}

}  // namespace epsilens::report
