#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/document/stored_evaluation.h"
#include "core/evaluation/classifier.h"
#include "core/report/evaluation_parts.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"
#include "core/report/trade_off_text.h"

namespace epsilens::report {
namespace {

using attack::Task;
using document::StoredCondition;
using document::StoredEvaluation;
using document::StoredFigure;
using evaluation::ClassifierKind;

constexpr std::array kClassifiers{ClassifierKind::linear, ClassifierKind::vectors,
                                  ClassifierKind::fasttext};

/// A figure that tables show; * stands for a classifier.
struct Shown {
    Task task = Task::classify;
    std::string_view figure{};
    std::string_view title{};
};
// The first of a task is what settings are compared by: of attacks AttackResults::risk.
constexpr std::array kShown{
    Shown{Task::classify, "classify.*.accuracy", "accuracy, *"},
    Shown{Task::classify, "classify.*.macroF1", "macro F1, *"},
    Shown{Task::classify, "classify.*.precision", "precision, *"},
    Shown{Task::classify, "classify.*.recall", "recall, *"},
    Shown{Task::classify, "classify.*.auc", "AUC, *"},
    Shown{Task::classify, "classify.*.retained", "retained, *"},
    Shown{Task::reconstruct, "reconstruct.gain", "gain over prior"},
    Shown{Task::reconstruct, "reconstruct.best", "best attacker"},
    Shown{Task::reconstruct, "reconstruct.prior", "prior"},
    Shown{Task::reconstruct, "reconstruct.echo", "guesses what it sees"},
    Shown{Task::reconstruct, "reconstruct.map", "knows the noise"},
    Shown{Task::reconstruct, "reconstruct.context", "knows noise, context"},
    Shown{Task::reconstruct, "reconstruct.upper", "upper end"},
    Shown{Task::membership, "membership.*.threshold.advantage", "advantage, *"},
    Shown{Task::membership, "membership.*.threshold.auc", "AUC, *"},
    Shown{Task::membership, "membership.*.threshold.accuracy", "accuracy, *"},
    Shown{Task::membership, "membership.*.threshold.tprAt1", "TPR at 1% FPR, *"},
    Shown{Task::membership, "membership.*.perceptron.auc", "AUC by perceptron, *"},
    Shown{Task::authorship, "authorship.adaptive.correct", "found, adaptive"},
    Shown{Task::authorship, "authorship.correct", "found by original texts"},
    Shown{Task::audit, "audit.adaptive.auc", "AUC, adaptive"},
    Shown{Task::audit, "audit.auc", "AUC, naive"}};

/// A figure that an evaluation has.
struct StoredColumn {
    std::string figure{};
    std::string title{};
};

std::string ofClassifier(std::string_view text, ClassifierKind classifier) {
    std::string named(text);
    if (const std::size_t star = named.find('*'); star != std::string::npos) {
        named.replace(star, 1, evaluation::classifierName(classifier));
    }
    return named;
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

/// What was measured of a task: with each classifier, or just by one.
std::vector<StoredColumn> columnsOf(const StoredEvaluation& evaluation, Task task,
                                    std::optional<ClassifierKind> only = {}) {
    const std::vector<const StoredCondition*> conditions = conditionsOf(evaluation);
    std::vector<StoredColumn> columns;
    for (const ClassifierKind classifier : kClassifiers) {
        for (const Shown& shown : kShown) {
            const std::string figure = ofClassifier(shown.figure, classifier);
            const auto isSame = [&](const StoredColumn& column) { return column.figure == figure; };
            const auto hasFigure = [&](const StoredCondition* condition) {
                return condition->find(figure) != nullptr;
            };
            if (shown.task == task && classifier == only.value_or(classifier) &&
                std::none_of(columns.begin(), columns.end(), isSame) &&
                std::any_of(conditions.begin(), conditions.end(), hasFigure)) {
                columns.push_back({figure, ofClassifier(shown.title, classifier)});
            }
        }
    }
    return columns;
}

/// What settings are compared by.
std::vector<StoredColumn> headlinesOf(const StoredEvaluation& evaluation, Task task) {
    const auto first = std::find_if(kShown.begin(), kShown.end(),
                                    [task](const Shown& shown) { return shown.task == task; });
    std::vector<StoredColumn> columns = columnsOf(evaluation, task);
    std::erase_if(columns, [&](const StoredColumn& column) {
        return std::none_of(kClassifiers.begin(), kClassifiers.end(), [&](auto classifier) {
            return column.figure == ofClassifier(first->figure, classifier);
        });
    });
    return columns;
}

/// What an attack is called in headings.
std::string_view attackHeading(Task task) {
    return task == Task::reconstruct  ? "Guessing the words"
           : task == Task::membership ? "Telling what a classifier learned from"
           : task == Task::authorship ? "Naming the author"
                                      : "Telling whose texts a model learned";
}

std::string conditionText(const StoredCondition& condition) {
    return condition.name == "original"  ? "original text"
           : condition.name == "ceiling" ? "ceiling: no noise"
           : condition.name == "floor"   ? "floor: random words"
                                         : condition.name;
}

/// A row for each condition.
Table figuresTable(const StoredEvaluation& evaluation, const std::vector<StoredColumn>& columns) {
    Table table{"With 95% intervals; – where a figure does not exist.", {"setting"}, {}};
    for (const StoredColumn& column : columns) {
        table.columns.emplace_back(column.title);
    }
    for (const StoredCondition* condition : conditionsOf(evaluation)) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(conditionText(*condition));
        for (const StoredColumn& column : columns) {
            const StoredFigure* figure = condition->find(column.figure);
            row.push_back(figure == nullptr ? kAbsent : intervalText(figure->estimate));
        }
    }
    return table;
}

StoredEvaluation storedOf(const evaluation::EvaluationSummary& summary) {
    return document::stored({{}, summary, {}, {}}).value();
}

/// Whether two settings differ in epsilon alone. A radius that follows from beta moves with it.
bool isSameFamily(const StoredCondition& first, const StoredCondition& second) {
    return first.setting[1] == second.setting[1] && first.setting[3] == second.setting[3] &&
           (first.setting[3] || first.setting[2] == second.setting[2]);
}

/// "λ 0.5"; "settings" for a mechanism that only epsilon moves.
std::string familyText(const StoredCondition& setting) {
    const auto& [epsilon, lambda, gamma, beta] = setting.setting;
    std::string text = lambda ? "λ " + formatNumber(*lambda) : std::string();
    if (beta || gamma) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", beta ? "β" : "γ",
                            formatNumber(beta ? *beta : *gamma));
    }
    return text.empty() ? "settings" : text;
}

/// The settings of each family, epsilon rising.
std::vector<std::vector<const StoredCondition*>> familiesOf(const StoredEvaluation& evaluation) {
    std::vector<std::vector<const StoredCondition*>> families;
    for (const StoredCondition& cell : evaluation.cells) {
        auto family = std::find_if(families.begin(), families.end(), [&](const auto& others) {
            return isSameFamily(*others.front(), cell);
        });
        if (family == families.end()) {
            family = families.insert(families.end(), std::vector<const StoredCondition*>{});
        }
        family->push_back(&cell);
    }
    for (auto& family : families) {
        std::stable_sort(family.begin(), family.end(),
                         [](const auto* a, const auto* b) { return a->epsilon() < b->epsilon(); });
    }
    return families;
}

/// Accuracy and what the best attackers get against epsilon.
Figure tradeOffFigure(const StoredEvaluation& evaluation,
                      const std::vector<const StoredCondition*>& family,
                      const calibration::Cell* chosen) {
    Plot plot;
    plot.title = "What the text is good for and what an attacker gets";
    plot.description =
        fmt::format("Accuracy of classifiers and what attackers get against ε, on {}, {}",
                    evaluation.file, familyText(*family.front()));
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y = {"share", false, std::array{0.0, 1.0}};
    for (const Task task :
         {Task::classify, Task::reconstruct, Task::membership, Task::authorship, Task::audit}) {
        for (const StoredColumn& column : headlinesOf(evaluation, task)) {
            PlotLine line = plotLine(task == Task::classify
                                         ? column.title
                                         : fmt::format("{}: {}", attackHeading(task), column.title),
                                     plot.lines.size());
            for (const StoredCondition* cell : family) {
                if (const StoredFigure* figure = cell->find(column.figure)) {
                    line.points.push_back({cell->epsilon(), figure->estimate.mean});
                    // A gain or an advantage may be below 0.
                    double& low = (*plot.y.range)[0];
                    low = std::min(low, figure->estimate.mean);
                }
            }
            plot.lines.push_back(std::move(line));
        }
    }
    const auto addRule = [&plot](const char* label, const StoredFigure* figure, Dash dash) {
        if (figure != nullptr) {
            plot.rules.push_back({label, kGrey, true, figure->estimate.mean, dash});
        }
    };
    if (const auto accuracies = headlinesOf(evaluation, Task::classify); !accuracies.empty()) {
        const std::string& accuracy = accuracies.front().figure;
        addRule("ceiling", evaluation.baseline("ceiling").find(accuracy), Dash::dashed);
        addRule("floor", evaluation.baseline("floor").find(accuracy), Dash::dotted);
    }
    addRule("prior", family.front()->find("reconstruct.prior"), Dash::dashed);
    if (chosen != nullptr) {
        plot.rules.push_back({"chosen ε", kBlack, false, chosen->epsilon, Dash::dotted});
    }
    return {plot.description + ".", svgPlot(plot), {}};
}

/// "7.67", "8"
std::string threeDigits(double value) {
    return formatNumber(parseNumber(formatSignificant(value, 3), "epsilon").value_or(value));
}

/// Usefulness against risk, with its table: the settings of a family are joined, with their epsilon
/// at the points, and those that another one beats in both are drawn faint.
Figure frontierFigure(const StoredEvaluation& evaluation, std::string_view attack,
                      const StoredColumn& utility, const StoredColumn& risk) {
    Plot plot;
    plot.title = fmt::format("Usefulness against risk: {}", attack);
    plot.description =
        "Every setting by what its texts are still good for and by what an attacker learns from "
        "them: best at the top left.";
    plot.x.title = risk.title;
    plot.y.title = utility.title;
    Table table{
        "Beaten, by the means alone: another setting has no more risk and no less accuracy.",
        {"setting", risk.title, utility.title, {"beaten", Align::left}},
        {}};
    std::vector<evaluation::TradeOff> settings;
    PlotPoints faint{"beaten by another", "#BBBBBB", {}, Marker::circle, 5.0};
    for (const auto& family : familiesOf(evaluation)) {
        PlotLine line = plotLine(familyText(*family.front()), plot.lines.size());
        for (const StoredCondition* cell : family) {
            const StoredFigure* worth = cell->find(utility.figure);
            const StoredFigure* cost = cell->find(risk.figure);
            if (worth != nullptr && cost != nullptr) {
                settings.push_back({worth->estimate.mean, cost->estimate.mean});
                line.points.push_back({cost->estimate.mean, worth->estimate.mean});
                line.names.push_back("ε " + threeDigits(cell->epsilon()));
                table.rows.push_back({cell->name, decimals(cost->estimate.mean, 3),
                                      decimals(worth->estimate.mean, 3), "no"});
            }
        }
        plot.lines.push_back(std::move(line));
    }
    const std::vector<bool> isBeaten = evaluation::beaten(settings);
    std::size_t i = 0;
    for (PlotLine& line : plot.lines) {
        for (const PlotPoint& point : line.points) {
            (isBeaten[i] ? faint.points : line.marked).push_back(point);
            table.rows[i].back() = isBeaten[i] ? "yes" : "no";
            ++i;
        }
        // Without markers of its own, a line would show them at all its points.
        line.marker = line.marked.empty() ? Marker::none : line.marker;
    }
    if (!faint.points.empty()) {
        plot.points.push_back(std::move(faint));
    }
    return {fmt::format("{}. The settings of a line differ in ε.", plot.title), svgPlot(plot),
            std::move(table)};
}

Section attackSection(const StoredEvaluation& evaluation, Task task) {
    const std::string name(attack::taskName(task));
    Section section{name, attackTitle(task), {}};
    const std::vector<StoredColumn> columns = columnsOf(evaluation, task);
    if (columns.empty()) {
        return section;
    }
    section.blocks.emplace_back(figuresTable(evaluation, columns));
    const auto utilities = headlinesOf(evaluation, Task::classify);
    const auto risks = headlinesOf(evaluation, task);
    if (!utilities.empty() && !risks.empty()) {
        section.blocks.emplace_back(
            frontierFigure(evaluation, attackHeading(task), utilities.front(), risks.front()));
    }
    for (const auto& [attacked, sentences] : evaluation.assumptions) {
        if (attacked == name) {
            section.say(fmt::format("{}: what was attacked, and what each attacker knows",
                                    attackHeading(task)),
                        true);
            section.blocks.emplace_back(BulletList{sentences});
        }
    }
    return section;
}

}  // namespace

std::string attackTitle(Task task) {
    return task == Task::membership
               ? "Can an attacker tell which texts a classifier was trained on?"
           : task == Task::authorship ? "How often does an attacker find the author?"
           : task == Task::audit
               ? "Can an attacker tell whose texts a language model was trained on?"
               : "How often would an attacker guess the word?";
}

Table classificationTable(const evaluation::EvaluationSummary& summary, std::size_t classifier) {
    const StoredEvaluation evaluation = storedOf(summary);
    return figuresTable(
        evaluation, columnsOf(evaluation, Task::classify, summary.options.classifiers[classifier]));
}

Table attackTable(const evaluation::EvaluationSummary& summary,
                  const attack::AttackResults& attack) {
    const StoredEvaluation evaluation = storedOf(summary);
    return figuresTable(evaluation, columnsOf(evaluation, attack.task));
}

std::vector<Section> evaluationSections(const StoredEvaluation& evaluation,
                                        const calibration::Cell* chosen) {
    Section drawings{"tradeOff", "Usefulness and attacks at every ε", {}};
    const StoredCondition* nearest =
        chosen == nullptr ? nullptr : document::nearestSetting(evaluation, *chosen);
    for (const auto& family : familiesOf(evaluation)) {
        if (nearest == nullptr || isSameFamily(*family.front(), *nearest)) {
            drawings.blocks.emplace_back(tradeOffFigure(evaluation, family, chosen));
        }
    }
    std::vector<Section> sections{std::move(drawings)};
    for (const ClassifierKind classifier : kClassifiers) {
        if (const auto columns = columnsOf(evaluation, Task::classify, classifier);
            !columns.empty()) {
            const std::string name(evaluation::classifierName(classifier));
            Section section{name, fmt::format("Classifier {}", name), {}};
            section.say(
                fmt::format("Always naming the commonest class gives an accuracy of {:.3f}. "
                            "Retained: share of the way from floor to ceiling.",
                            evaluation.majority));
            section.blocks.emplace_back(figuresTable(evaluation, columns));
            sections.push_back(std::move(section));
        }
    }
    for (const Task task : {Task::reconstruct, Task::membership, Task::authorship, Task::audit}) {
        sections.push_back(attackSection(evaluation, task));
    }
    return sections;
}

}  // namespace epsilens::report
