#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/experiment/classifier.h"
#include "core/experiment/findings.h"
#include "core/report/attack_report.h"
#include "core/report/evaluation_parts.h"
#include "core/report/frontier.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"
#include "core/report/trade_off_text.h"

// What evaluations say in the report of a calibration: a sentence or two in the memo, figures in
// the appendix.

namespace epsilens::report {
namespace {

using calibration::Cell;
using document::StoredCondition;
using document::StoredEvaluation;
using document::StoredFigure;
using Column = StoredColumn;
using experiment::ClassifierKind;
using experiment::Estimate;
using experiment::Task;
using experiment::taskName;

constexpr std::array kClassifiers{ClassifierKind::linear, ClassifierKind::vectors,
                                  ClassifierKind::fasttext};
constexpr std::array kAttacks{Task::reconstruct, Task::membership, Task::authorship, Task::audit};

std::string accuracyOf(ClassifierKind classifier) {
    return fmt::format("classify.{}.accuracy", experiment::classifierName(classifier));
}

std::string membershipOf(ClassifierKind classifier, std::string_view measure) {
    return fmt::format("membership.{}.threshold.{}", experiment::classifierName(classifier),
                       measure);
}

std::vector<Column> accuracies() {
    std::vector<Column> columns;
    columns.reserve(kClassifiers.size());
    for (const ClassifierKind classifier : kClassifiers) {
        columns.push_back({accuracyOf(classifier),
                           fmt::format("accuracy of {}", experiment::classifierName(classifier))});
    }
    return columns;
}

/// What tables show of a task, where it was measured.
std::vector<Column> columnsOf(Task task) {
    std::vector<Column> columns;
    switch (task) {
        case Task::classify:
            for (const ClassifierKind classifier : kClassifiers) {
                const std::string_view name = experiment::classifierName(classifier);
                columns.push_back({accuracyOf(classifier), fmt::format("accuracy, {}", name)});
                columns.push_back(
                    {fmt::format("classify.{}.retained", name), fmt::format("retained, {}", name)});
            }
            return columns;
        case Task::membership:
            for (const ClassifierKind classifier : kClassifiers) {
                const std::string_view name = experiment::classifierName(classifier);
                columns.push_back({membershipOf(classifier, "auc"), fmt::format("AUC, {}", name)});
                columns.push_back(
                    {membershipOf(classifier, "accuracy"), fmt::format("accuracy, {}", name)});
                columns.push_back(
                    {membershipOf(classifier, "advantage"), fmt::format("advantage, {}", name)});
                columns.push_back(
                    {membershipOf(classifier, "tprAt1"), fmt::format("TPR at 1% FPR, {}", name)});
            }
            return columns;
        case Task::authorship:
            return {{"authorship.adaptive.correct", "found, adaptive"},
                    {"authorship.correct", "found by original texts"}};
        case Task::audit:
            return {{"audit.adaptive.auc", "AUC, adaptive"}, {"audit.auc", "AUC, naive"}};
        case Task::reconstruct:
            break;
    }
    return {{"reconstruct.best", "best attacker"},  {"reconstruct.gain", "gain over prior"},
            {"reconstruct.prior", "prior"},         {"reconstruct.echo", "guesses what it sees"},
            {"reconstruct.map", "knows the noise"}, {"reconstruct.context", "knows noise, context"},
            {"reconstruct.upper", "upper end"}};
}

/// What sentences say of the best attacker of a task: of membership for each classifier.
std::vector<Column> told(Task task) {
    std::vector<Column> columns = columnsOf(task);
    if (task == Task::membership) {
        std::erase_if(columns,
                      [](const Column& column) { return !column.figure.ends_with("auc"); });
    } else {
        columns.resize(1);
    }
    return columns;
}

/// What a task is judged by when settings are compared: AttackResults::risk, in the order of the
/// classifiers.
std::vector<Column> risksOf(Task task) {
    switch (task) {
        case Task::membership: {
            std::vector<Column> columns = columnsOf(task);
            std::erase_if(columns, [](const Column& column) {
                return !column.figure.ends_with("advantage");
            });
            return columns;
        }
        case Task::reconstruct:
            return {{"reconstruct.gain", "gain over prior"}};
        case Task::authorship:
        case Task::audit:
        case Task::classify:
            break;
    }
    return told(task);
}

std::vector<const StoredCondition*> conditionsOf(const StoredEvaluation& evaluation) {
    std::vector<const StoredCondition*> conditions;
    for (const auto* list : {&evaluation.baselines, &evaluation.cells}) {
        for (const StoredCondition& condition : *list) {
            conditions.push_back(&condition);
        }
    }
    return conditions;
}

std::string conditionText(const StoredCondition& condition) {
    return condition.name == "original"  ? "original text"
           : condition.name == "ceiling" ? "ceiling: no noise"
           : condition.name == "floor"   ? "floor: random words"
                                         : condition.name;
}

/// A row for each condition that has a figure of the columns.
Table figuresTable(const StoredEvaluation& evaluation, const std::vector<Column>& columns) {
    const std::vector<const StoredCondition*> conditions = conditionsOf(evaluation);
    Table table{"With 95% intervals; – where a figure does not exist.", {"setting"}, {}};
    for (const Column& column : columns) {
        table.titles.push_back(column.title);
    }
    for (const StoredCondition* condition : conditions) {
        std::vector<std::string> row{conditionText(*condition)};
        bool isMeasured = false;
        for (const Column& column : columns) {
            const StoredFigure* figure = condition->find(column.figure);
            isMeasured = isMeasured || figure != nullptr;
            row.push_back(figure == nullptr ? "–" : intervalText(figure->estimate));
        }
        if (isMeasured) {
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

bool hasTask(const StoredEvaluation& evaluation, Task task) {
    return !figuresTable(evaluation, columnsOf(task)).rows.empty();
}

/// "93.1 of 100 texts (95% interval 92.0 to 94.1)"
///
/// least  of the share: a gain may be a loss
std::string outOf100(const Estimate& estimate, const std::string& what, double least = 0.0) {
    const CountWords count = shareWords(estimate.mean, estimate.ci95, least);
    std::string text = fmt::format("{} of 100{}", count.value, what);
    if (estimate.ci95) {
        text += fmt::format(" (95% interval {} to {})", count.low, count.high);
    }
    return text;
}

/// "At this setting", or where else it was measured.
std::string placeText(const Report& report, const StoredEvaluation& evaluation,
                      const StoredCondition& setting, const Cell& cell) {
    const std::string place = setting.epsilon() == cell.epsilon
                                  ? std::string("At this setting")
                                  : fmt::format("At ε = {}, the nearest setting that was evaluated",
                                                formatNumber(setting.epsilon()));
    return isWithOtherDraws(report, evaluation) ? place + ", with other random draws" : place;
}

std::string notEvaluated(const StoredEvaluation& evaluation) {
    return fmt::format("No setting with these parameters was evaluated on {}.", evaluation.file);
}

/// "without noise 97.1 (usefulness 100%), with random words 86.6 (0%), by always naming the
/// commonest class 86.6"
std::string referenceText(const StoredEvaluation& evaluation, const std::string& figure) {
    std::string text;
    struct End {
        const char* name;
        const char* words;
        const char* usefulness;
    };
    for (const End& end : {End{"ceiling", "without noise", "usefulness 100%"},
                           End{"floor", "with random words", "0%"}}) {
        if (const StoredFigure* found = evaluation.baseline(end.name).find(figure)) {
            text += fmt::format("{} {:.1f} ({}), ", end.words, 100.0 * found->estimate.mean,
                                end.usefulness);
        }
    }
    return text +
           fmt::format("by always naming the commonest class {:.1f}", 100.0 * evaluation.majority);
}

std::string utilitySentence(const Report& report, const StoredEvaluation& evaluation,
                            const StoredCondition& setting, const Cell& cell,
                            ClassifierKind classifier) {
    const std::string name = accuracyOf(classifier);
    return fmt::format(
        "{}, {} that learned from released texts puts {} into the right class; {}.",
        placeText(report, evaluation, setting, cell), classifierWords(classifier),
        outOf100(setting.find(name)->estimate, fmt::format(" texts of {}", evaluation.file)),
        referenceText(evaluation, name));
}

/// What an attacker of the task reaches, as the end of a sentence.
std::string riskText(const StoredEvaluation& evaluation, const StoredCondition& setting, Task task,
                     const StoredFigure& risk) {
    const auto reached = [&](const std::string& what) { return outOf100(risk.estimate, what); };
    switch (task) {
        case Task::membership:
            return fmt::format(
                "of two texts of {}, one of which a classifier was trained on, an attacker tells "
                "which in {}, where 50 are chance",
                evaluation.file, reached(" cases"));
        case Task::authorship:
            return fmt::format(
                "an attacker who knows other texts by the same authors finds the author of {}",
                reached(fmt::format(" texts of {}", evaluation.file)));
        case Task::audit:
            return fmt::format(
                "of two users of {}, on the texts of one of whom a language model was trained, an "
                "attacker tells which in {}, where 50 are chance",
                evaluation.file, reached(" cases"));
        case Task::reconstruct:
        case Task::classify:
            break;
    }
    std::string text = fmt::format("the best attacker that was tried guesses {}",
                                   reached(fmt::format(" known words of {}", evaluation.file)));
    const StoredFigure* prior = setting.find("reconstruct.prior");
    const StoredFigure* gain = setting.find("reconstruct.gain");
    if (prior != nullptr && gain != nullptr) {
        text += fmt::format(
            "; naming the commonest word without any release guesses {:.1f}, so that the release "
            "adds {}",
            100.0 * prior->estimate.mean, outOf100(gain->estimate, "", -1.0));
    }
    return text;
}

PlotLine lineOf(const StoredEvaluation& evaluation, const StoredCondition& family,
                const Column& column, std::size_t place) {
    constexpr std::array kColours{kBlue, kGreen, kPurple, kVermillion, kBlack};
    constexpr std::array kMarkers{Marker::circle, Marker::triangle, Marker::diamond, Marker::square,
                                  Marker::triangleDown};
    PlotLine line{column.title,
                  kColours.at(place % kColours.size()),
                  {},
                  Dash::solid,
                  kMarkers.at(place % kMarkers.size())};
    for (const StoredCondition& cell : evaluation.cells) {
        if (const StoredFigure* figure = cell.find(column.figure);
            figure != nullptr && isSameFamily(cell, family)) {
            line.points.push_back({cell.epsilon(), figure->estimate.mean});
        }
    }
    std::sort(line.points.begin(), line.points.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    return line;
}

void addRule(Plot& plot, const char* label, const StoredFigure* figure, Dash dash) {
    if (figure != nullptr) {
        plot.rules.push_back({label, kGrey, true, figure->estimate.mean, dash});
    }
}

/// Accuracy and the best attackers against epsilon, for the shape of the chosen setting.
Figure tradeOffFigure(const StoredEvaluation& evaluation, const StoredCondition& family,
                      const Cell* chosen) {
    Plot plot;
    plot.title = "What the text is good for and what an attacker gets";
    plot.description = fmt::format(
        "Accuracy of classifiers and what attackers get against ε, on {}", evaluation.file);
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y = {"share", false, std::array{0.0, 1.0}};
    const auto addLine = [&](const Column& column) {
        PlotLine line = lineOf(evaluation, family, column, plot.lines.size());
        if (!line.points.empty()) {
            plot.lines.push_back(std::move(line));
        }
    };
    for (const ClassifierKind classifier : kClassifiers) {
        addLine({accuracyOf(classifier),
                 fmt::format("accuracy, {}", experiment::classifierName(classifier))});
    }
    for (const Task task : kAttacks) {
        for (Column& column : task == Task::membership ? risksOf(task) : told(task)) {
            addLine({column.figure,
                     fmt::format("{}: {}", attackHeading(taskName(task)), column.title)});
        }
    }
    // A gain or an advantage may be below 0.
    for (const PlotLine& line : plot.lines) {
        for (const PlotPoint& point : line.points) {
            (*plot.y.range)[0] = std::min((*plot.y.range)[0], point.y);
        }
    }
    for (const ClassifierKind classifier : kClassifiers) {
        const std::string accuracy = accuracyOf(classifier);
        if (family.find(accuracy) != nullptr) {
            addRule(plot, "ceiling", evaluation.baseline("ceiling").find(accuracy), Dash::dashed);
            addRule(plot, "floor", evaluation.baseline("floor").find(accuracy), Dash::dotted);
            break;
        }
    }
    addRule(plot, "prior", family.find("reconstruct.prior"), Dash::dashed);
    if (chosen != nullptr) {
        plot.rules.push_back({"chosen ε", kBlack, false, chosen->epsilon, Dash::dotted});
    }
    return {plot.description + ".", svgPlot(plot), {}};
}

std::string circumstancesText(const StoredEvaluation& evaluation) {
    return fmt::format(
        "{}: {} documents, {} to learn from and {} to test; {} repeats, seed {}; test texts {}.{}",
        evaluation.file, formatCount(evaluation.documents), formatCount(evaluation.training),
        formatCount(evaluation.test), evaluation.repeats, evaluation.seed, evaluation.testText,
        evaluation.isPartial ? " The evaluation is partial: it was cancelled." : "");
}

void addEvaluation(std::vector<Block>& blocks, const StoredEvaluation& evaluation,
                   const Cell* chosen) {
    blocks.emplace_back(Paragraph{circumstancesText(evaluation), true});
    const StoredCondition* family =
        chosen == nullptr ? nullptr : document::nearestSetting(evaluation, *chosen);
    if (family == nullptr && !evaluation.cells.empty()) {
        family = &evaluation.cells.front();
    }
    if (family != nullptr) {
        blocks.emplace_back(tradeOffFigure(evaluation, *family, chosen));
    }
    if (hasTask(evaluation, Task::classify)) {
        blocks.emplace_back(Paragraph{fmt::format(
            "Is the text still good for its task? Always naming the commonest class gives an "
            "accuracy of {:.3f}. Retained: share of the way from floor to ceiling.",
            evaluation.majority)});
        blocks.emplace_back(figuresTable(evaluation, columnsOf(Task::classify)));
    }
    for (const Task task : kAttacks) {
        if (hasTask(evaluation, task)) {
            blocks.emplace_back(Paragraph{attackTitle(task)});
            blocks.emplace_back(figuresTable(evaluation, columnsOf(task)));
            if (auto frontier = frontierFigure(evaluation, attackHeading(taskName(task)),
                                               accuracies(), risksOf(task))) {
                blocks.emplace_back(*std::move(frontier));
            }
        }
    }
    for (const auto& [task, sentences] : evaluation.assumptions) {
        blocks.emplace_back(Paragraph{fmt::format(
            "{}: what was attacked, and what each attacker knows:", attackHeading(task))});
        blocks.emplace_back(BulletList{sentences});
    }
}

}  // namespace

bool isWithOtherDraws(const Report& report, const StoredEvaluation& evaluation) {
    return std::any_of(report.evaluations.begin(), report.evaluations.end(),
                       [&evaluation](const StoredEvaluation& before) {
                           return &before < &evaluation && before.file == evaluation.file &&
                                  before.seed != evaluation.seed;
                       });
}

std::vector<std::string> measuredUtility(const Report& report, const Cell& cell) {
    std::vector<std::string> sentences;
    for (const StoredEvaluation& evaluation : report.evaluations) {
        if (!hasTask(evaluation, Task::classify)) {
            continue;
        }
        const StoredCondition* setting = document::nearestSetting(evaluation, cell);
        if (setting == nullptr) {
            sentences.push_back(notEvaluated(evaluation));
            continue;
        }
        for (const ClassifierKind classifier : kClassifiers) {
            if (setting->find(accuracyOf(classifier)) != nullptr) {
                sentences.push_back(
                    utilitySentence(report, evaluation, *setting, cell, classifier));
            }
        }
    }
    return sentences;
}

std::vector<std::string> measuredAttacks(const Report& report, const Cell& cell) {
    std::vector<std::string> sentences;
    for (const StoredEvaluation& evaluation : report.evaluations) {
        const StoredCondition* setting = document::nearestSetting(evaluation, cell);
        for (const Task task : kAttacks) {
            if (setting == nullptr && hasTask(evaluation, task)) {
                sentences.push_back(notEvaluated(evaluation));
                break;
            }
            for (const Column& column : told(task)) {
                if (const StoredFigure* risk =
                        setting == nullptr ? nullptr : setting->find(column.figure)) {
                    sentences.push_back(fmt::format("{}, {}.",
                                                    placeText(report, evaluation, *setting, cell),
                                                    riskText(evaluation, *setting, task, *risk)));
                }
            }
        }
    }
    return sentences;
}

std::vector<Block> utilityBlocks(const Report& report, const Findings& findings) {
    const Cell* chosen = findings.cell ? &report.run.summary->cells[*findings.cell] : nullptr;
    std::vector<Block> blocks;
    for (const StoredEvaluation& evaluation : report.evaluations) {
        addEvaluation(blocks, evaluation, chosen);
    }
    blocks.emplace_back(Paragraph{noGuaranteeSentence(), true});
    blocks.emplace_back(BulletList{limitsOfEvaluation()});
    return blocks;
}

}  // namespace epsilens::report
