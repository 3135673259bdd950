#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/evaluation/figure_reader.h"
#include "core/evaluation/trade_off.h"
#include "core/report/evaluation_report.h"
#include "core/report/plot.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using attack::Task;
using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;
using evaluation::figureAt;
using evaluation::kBaselines;
using evaluation::SettingFamily;

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
struct MeasuredColumn {
    std::string figure{};
    std::string title{};
    bool isHeadline = false;
};

std::string ofClassifier(std::string_view text, ClassifierKind classifier) {
    std::string named(text);
    if (const std::size_t star = named.find('*'); star != std::string::npos) {
        named.replace(star, 1, evaluation::classifierName(classifier));
    }
    return named;
}

/// What settings are compared by.
const Shown& headlineOf(Task task) {
    return *std::find_if(kShown.begin(), kShown.end(),
                         [task](const Shown& shown) { return shown.task == task; });
}

/// What was measured of a task: with each classifier, or just by one.
std::vector<MeasuredColumn> columnsOf(const EvaluationSummary& summary, Task task,
                                      std::optional<ClassifierKind> only = {}) {
    std::vector<MeasuredColumn> columns;
    const auto isWanted = [&](const std::string& figure) {
        for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
            if (figureAt(summary, i, figure)) {
                // Without a classifier in its name it comes several times.
                return std::none_of(
                    columns.begin(), columns.end(),
                    [&](const MeasuredColumn& column) { return column.figure == figure; });
            }
        }
        return false;
    };
    for (const ClassifierKind classifier : kClassifiers) {
        for (const Shown& shown : kShown) {
            if (shown.task == task && classifier == only.value_or(classifier) &&
                isWanted(ofClassifier(shown.figure, classifier))) {
                columns.push_back({ofClassifier(shown.figure, classifier),
                                   ofClassifier(shown.title, classifier),
                                   &shown == &headlineOf(task)});
            }
        }
    }
    return columns;
}

/// What an attack is called in headings.
std::string_view attackHeading(Task task) {
    return task == Task::reconstruct  ? "Guessing the words"
           : task == Task::membership ? "Telling what a classifier learned from"
           : task == Task::authorship ? "Naming the author"
                                      : "Telling whose texts a model learned";
}

std::string conditionText(const EvaluationSummary& summary, std::size_t condition) {
    constexpr std::array kNames{"original text", "ceiling: no noise", "floor: random words"};
    return condition < kBaselines ? kNames.at(condition)
                                  : settingText(summary, summary.cells[condition - kBaselines]);
}

/// A row for each condition.
Table figuresTable(const EvaluationSummary& summary, const std::vector<MeasuredColumn>& columns) {
    Table table{"With 95% intervals; – where a figure does not exist.", {"setting"}, {}};
    for (const MeasuredColumn& column : columns) {
        table.columns.emplace_back(column.title);
    }
    for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(conditionText(summary, i));
        for (const MeasuredColumn& column : columns) {
            const auto figure = figureAt(summary, i, column.figure);
            row.push_back(figure ? intervalText(*figure) : kAbsent);
        }
    }
    return table;
}

/// "λ 0.5"; "settings" for a mechanism that only epsilon moves.
std::string familyName(const EvaluationSummary& summary, const SettingFamily& family) {
    const std::string text = familyText(summary, summary.cells[family.cells.front()]);
    return text.empty() ? "settings" : text;
}

/// Accuracy and what the best attackers get against epsilon.
Figure tradeOffFigure(const EvaluationSummary& summary, const SettingFamily& family,
                      const calibration::Cell* chosen) {
    Plot plot;
    plot.title = "What the text is good for and what an attacker gets";
    plot.description =
        fmt::format("Accuracy of classifiers and what attackers get against ε, on {}, {}",
                    summary.data.file, familyName(summary, family));
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y = {"share", false, std::array{0.0, 1.0}};
    for (const Task task :
         {Task::classify, Task::reconstruct, Task::membership, Task::authorship, Task::audit}) {
        for (const MeasuredColumn& column : columnsOf(summary, task)) {
            if (!column.isHeadline) {
                continue;
            }
            PlotLine line = plotLine(task == Task::classify
                                         ? column.title
                                         : fmt::format("{}: {}", attackHeading(task), column.title),
                                     plot.lines.size());
            for (const std::size_t cell : family.cells) {
                if (const auto figure = figureAt(summary, kBaselines + cell, column.figure)) {
                    line.points.push_back({summary.cells[cell].epsilon, figure->value});
                    // A gain or an advantage may be below 0.
                    double& low = (*plot.y.range)[0];
                    low = std::min(low, figure->value);
                }
            }
            plot.lines.push_back(std::move(line));
        }
    }
    const auto addRule = [&](const char* label, std::size_t condition, const std::string& path,
                             Dash dash) {
        if (const auto figure = figureAt(summary, condition, path)) {
            plot.rules.push_back({label, kGrey, true, figure->value, dash});
        }
    };
    if (const auto accuracies = columnsOf(summary, Task::classify); !accuracies.empty()) {
        addRule("ceiling", evaluation::kCeiling, accuracies.front().figure, Dash::dashed);
        addRule("floor", evaluation::kFloor, accuracies.front().figure, Dash::dotted);
    }
    addRule("prior", kBaselines + family.cells.front(), "reconstruct.prior", Dash::dashed);
    if (chosen != nullptr) {
        plot.rules.push_back({"chosen ε", kBlack, false, chosen->epsilon, Dash::dotted});
    }
    return {plot.description + ".", svgPlot(plot)};
}

/// Usefulness by the first classifier against what a task is judged by, and the settings that
/// another one beats in both. Without rows where one of the two was not measured.
Table frontierTable(const EvaluationSummary& summary, Task task) {
    const auto titleOf = [&](Task of) {
        return ofClassifier(headlineOf(of).title, summary.options.classifiers.front());
    };
    Table table{
        "Usefulness against risk. Beaten, by the means alone: another setting has no more risk and "
        "no less accuracy.",
        {"setting", titleOf(task), titleOf(Task::classify), {"beaten", Align::left}},
        {}};
    for (const evaluation::TradeOffPoint& point : evaluation::tradeOffOf(summary, 0, task)) {
        table.rows.push_back({settingText(summary, summary.cells[point.cell]),
                              decimals(point.risk, 3), decimals(point.utility, 3),
                              point.isDominated ? "yes" : "no"});
    }
    return table;
}

Section attackSection(const EvaluationSummary& summary, const attack::AttackResults& attack) {
    Section section{std::string(attack::taskName(attack.task)), attackTitle(attack.task), {}};
    const std::vector<MeasuredColumn> columns = columnsOf(summary, attack.task);
    if (columns.empty()) {
        return section;
    }
    section.blocks.emplace_back(figuresTable(summary, columns));
    if (Table frontier = frontierTable(summary, attack.task); !frontier.rows.empty()) {
        section.blocks.emplace_back(std::move(frontier));
    }
    section.say("What was attacked, and what each attacker knows", true);
    section.blocks.emplace_back(BulletList{attack.sentences});
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

Table classificationTable(const EvaluationSummary& summary, std::size_t classifier) {
    return figuresTable(
        summary, columnsOf(summary, Task::classify, summary.options.classifiers[classifier]));
}

Table attackTable(const EvaluationSummary& summary, const attack::AttackResults& attack) {
    return figuresTable(summary, columnsOf(summary, attack.task));
}

std::vector<Section> evaluationSections(const EvaluationSummary& summary,
                                        const calibration::Cell* chosen) {
    Section drawings{"tradeOff", "Usefulness and attacks at every ε", {}};
    const std::size_t none = summary.cells.size();
    const std::size_t nearest =
        chosen == nullptr ? none : document::nearestSetting(summary, *chosen).value_or(none);
    for (const SettingFamily& family : evaluation::familiesOf(summary)) {
        if (nearest == none ||
            std::find(family.cells.begin(), family.cells.end(), nearest) != family.cells.end()) {
            drawings.blocks.emplace_back(tradeOffFigure(summary, family, chosen));
        }
    }
    std::vector<Section> sections{std::move(drawings)};
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        const std::string name(evaluation::classifierName(summary.options.classifiers[i]));
        Section section{name, fmt::format("Classifier {}", name), {}};
        section.say(
            fmt::format("Always naming the commonest class gives an accuracy of {:.3f}. "
                        "Retained: share of the way from floor to ceiling.",
                        summary.majority));
        section.blocks.emplace_back(classificationTable(summary, i));
        sections.push_back(std::move(section));
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        sections.push_back(attackSection(summary, attack));
    }
    return sections;
}

}  // namespace epsilens::report
