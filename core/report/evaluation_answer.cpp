#include "core/report/evaluation_answer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/experiment/findings.h"
#include "core/report/attack_report.h"
#include "core/report/evaluation_parts.h"
#include "core/report/frontier.h"
#include "core/report/trade_off_text.h"

namespace epsilens::report {
namespace {

using experiment::Estimate;
using experiment::EvaluationCell;
using experiment::EvaluationSummary;
using experiment::Measure;
using experiment::SettingFamily;
using experiment::TradeOffPoint;

// Share of the way from floor to ceiling from which a task is said to work.
constexpr double kWorks = 0.9;

std::string percentText(const Estimate& share) {
    return share.ci95 ? fmt::format("{:.0f}% ({:.0f} to {:.0f}%)", 100.0 * share.mean,
                                    100.0 * (*share.ci95)[0], 100.0 * (*share.ci95)[1])
                      : fmt::format("{:.0f}%", 100.0 * share.mean);
}

/// Whether a setting has the accuracy of the ceiling in every repeat.
bool isAsCeiling(const EvaluationSummary& summary, std::size_t cell, std::size_t classifier) {
    const auto& own = summary.cells[cell].classify[classifier].repeats;
    const auto& ceiling = summary.ceiling[classifier].repeats;
    constexpr auto kAccuracy = static_cast<std::size_t>(Measure::accuracy);
    return !own.empty() && std::equal(own.begin(), own.end(), ceiling.begin(), ceiling.end(),
                                      [](const experiment::Scores& a, const experiment::Scores& b) {
                                          return a.at(kAccuracy) == b.at(kAccuracy);
                                      });
}

/// Where the task works by a classifier, and how much is kept there.
///
/// shown  the cell that the other sentences are about
std::string workSentence(const EvaluationSummary& summary, const SettingFamily& family,
                         std::size_t classifier, std::size_t shown, bool works) {
    const double floor = summary.floor[classifier].of(Measure::accuracy).mean;
    const double ceiling = summary.ceiling[classifier].of(Measure::accuracy).mean;
    const EvaluationCell& cell = summary.cells[shown];
    const auto& retained = cell.classify[classifier].retained;
    const std::string where = familyText(summary, cell);
    const std::string with =
        fmt::format("{}{}", experiment::classifierName(summary.options.classifiers[classifier]),
                    where.empty() ? "" : ", " + where);
    if (!retained) {
        return fmt::format(
            "{}: accuracy {:.3f} with random words and {:.3f} without noise differ "
            "too little to tell what the replaced words are worth.",
            with, floor, ceiling);
    }
    if (!works) {
        return fmt::format(
            "{}: no ε on the grid reliably keeps 90% of the accuracy gained over random words "
            "({:.3f} with them, {:.3f} without noise); ε = {} keeps {}.",
            with, floor, ceiling, formatNumber(cell.epsilon), percentText(*retained));
    }
    if (isAsCeiling(summary, shown, classifier)) {
        return fmt::format(
            "{}: ε = {} has the accuracy of no noise, {:.3f}, in every repeat{}; with random words "
            "it is {:.3f}.",
            with, formatNumber(cell.epsilon), ceiling,
            shown == family.cells.back() ? ""
                                         : ", and all larger ones on the grid reliably keep "
                                           "90% of what that gains",
            floor);
    }
    return fmt::format(
        "{}: ε = {} {} 90% of the accuracy gained over random words ({:.3f} with them, {:.3f} "
        "without noise): {}.",
        with, formatNumber(cell.epsilon),
        shown == family.cells.back() ? "reliably keeps"
                                     : "and all larger ones on the grid reliably keep",
        floor, ceiling, percentText(*retained));
}

/// Task, risk and setting of the attacks that guess no words; the others are part of the trade-off
/// sentence.
std::vector<std::string> otherRisks(const EvaluationSummary& summary, std::size_t cell) {
    std::vector<std::string> sentences;
    for (const experiment::AttackResults& attack : summary.attacks) {
        if (attack.task != experiment::Task::reconstruct) {
            sentences.push_back(
                fmt::format("{} {}.", attackTitle(attack.task), riskText(summary, attack, cell)));
        }
        if (std::string failed = experiment::originalSentence(attack); !failed.empty()) {
            sentences.push_back(std::move(failed));
        }
    }
    return sentences;
}

std::string promiseSentence(const EvaluationSummary& summary, std::size_t cell) {
    if (cell >= summary.guarantees.size()) {
        return {};
    }
    return fmt::format("Promised there: {}.",
                       mechanism::guaranteeSentence(summary.guarantees[cell],
                                                    summary.options.policies.stopWords ||
                                                        summary.options.policies.onlyWords));
}

}  // namespace

std::optional<std::size_t> firstThatWorks(const EvaluationSummary& summary,
                                          const SettingFamily& family, std::size_t classifier) {
    const auto fails = [&](std::size_t cell) {
        const auto& retained = summary.cells[cell].classify[classifier].retained;
        const bool surelyWorks = retained && (isAsCeiling(summary, cell, classifier) ||
                                              (retained->ci95 && (*retained->ci95)[0] >= kWorks));
        return !surelyWorks;
    };
    const auto lastFailing = std::find_if(family.cells.rbegin(), family.cells.rend(), fails);
    return lastFailing == family.cells.rbegin() ? std::nullopt
                                                : std::optional(*std::prev(lastFailing));
}

std::vector<std::vector<std::string>> answers(const EvaluationSummary& summary) {
    std::vector<std::vector<std::string>> all;
    if (summary.partial) {
        all.push_back({partialSentence(summary)});
    }
    for (const SettingFamily& family : experiment::familiesOf(summary)) {
        if (family.cells.empty()) {
            continue;
        }
        std::vector<std::string> sentences;
        std::optional<std::size_t> shown;
        for (std::size_t i = 0; i < summary.original.size(); ++i) {
            const auto works = firstThatWorks(summary, family, i);
            const std::size_t at = works.value_or(family.cells.back());
            sentences.push_back(workSentence(summary, family, i, at, works.has_value()));
            if (!shown) {
                shown = at;
            }
        }
        const std::size_t cell = shown.value_or(family.cells.back());
        if (std::string sentence = tradeOffSentence(summary, cell, 0); !sentence.empty()) {
            sentences.push_back(std::move(sentence));
        }
        for (std::string& risk : otherRisks(summary, cell)) {
            sentences.push_back(std::move(risk));
        }
        if (std::string promise = promiseSentence(summary, cell); !promise.empty()) {
            sentences.push_back(std::move(promise));
        }
        all.push_back(std::move(sentences));
    }
    if (summary.attacks.empty()) {
        all.push_back(
            {"No attacker was measured, so that these results say nothing about what an "
             "attacker learns; --task classify,reconstruct measures both."});
    } else if (!isClassified(summary)) {
        all.push_back(
            {"No task was measured, so that these results do not say what the texts are "
             "still good for; --task classify with the others measures both."});
    }
    return all;
}

std::optional<Table> survivalTable(const document::EvaluationRecord& record) {
    if (!record.survival) {
        return std::nullopt;
    }
    const EvaluationSummary& summary = record.summary;
    Table table{fmt::format("Means over {} words of the vocabulary with 95% intervals. N_w: how "
                            "many of {} draws keep the word; S_w: how many different words come "
                            "out in its place.",
                            formatCount(record.survival->words), record.survival->draws),
                {"setting", "N_w", "S_w"},
                {}};
    const auto meanText = [](const statistics::Summary& values) {
        return values.ci95 ? fmt::format("{:.1f} ({:.1f} to {:.1f})", values.mean,
                                         (*values.ci95)[0], (*values.ci95)[1])
                           : fmt::format("{:.1f}", values.mean);
    };
    for (std::size_t i = 0; i < record.survival->cells.size(); ++i) {
        const calibration::Cell& cell = record.survival->cells[i];
        table.rows.push_back(
            {settingText(summary, summary.cells[i]), meanText(cell.nw), meanText(cell.sw)});
    }
    return table;
}

std::vector<Figure> frontierFigures(const EvaluationSummary& summary) {
    std::vector<Figure> figures;
    for (const experiment::AttackResults& attack : summary.attacks) {
        const std::vector<TradeOffPoint> settings = experiment::tradeOffOf(summary, 0, attack.task);
        if (settings.empty()) {
            continue;
        }
        FrontierWords words{std::string(attackHeading(experiment::taskName(attack.task))),
                            riskTitle(attack),
                            fmt::format("accuracy of {}", experiment::classifierName(
                                                              summary.options.classifiers.front())),
                            {}};
        for (const SettingFamily& family : experiment::familiesOf(summary)) {
            const std::string text = familyText(summary, summary.cells[family.cells.front()]);
            words.families.push_back(text.empty() ? "settings" : text);
        }
        std::vector<FrontierPoint> points;
        points.reserve(settings.size());
        for (const TradeOffPoint& setting : settings) {
            const EvaluationCell& cell = summary.cells[setting.cell];
            points.push_back({setting.family, cell.epsilon, settingText(summary, cell),
                              setting.utility, setting.risk});
        }
        figures.push_back(frontierFigure(words, points));
    }
    return figures;
}

}  // namespace epsilens::report
