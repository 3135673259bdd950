#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/evaluation/evaluation.h"
#include "core/report/evaluation_report.h"
#include "core/report/plot.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using attack::ofClassifier;
using attack::Task;
using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;
using evaluation::figureAt;
using evaluation::kBaselines;
using evaluation::SettingFamily;

constexpr std::array kClassifiers{ClassifierKind::linear, ClassifierKind::vectors,
                                  ClassifierKind::fasttext};

/// A figure that tables show beside those of attack::kHeadlines; * stands for a classifier.
struct Shown {
    Task task = Task::classify;
    std::string_view path{};
    std::string_view title{};
};
constexpr std::array kShownFigures{
    Shown{Task::classify, "*.macroF1", "macro F1, *"},
    Shown{Task::classify, "*.precision", "precision, *"},
    Shown{Task::classify, "*.recall", "recall, *"},
    Shown{Task::classify, "*.auc", "AUC, *"},
    Shown{Task::classify, "*.retained", "retained, *"},
    Shown{Task::reconstruct, "best", "best attacker"},
    Shown{Task::reconstruct, "prior", "prior"},
    Shown{Task::reconstruct, "echo", "guesses what it sees"},
    Shown{Task::reconstruct, "map", "knows the noise"},
    Shown{Task::reconstruct, "context", "knows noise, context"},
    Shown{Task::reconstruct, "upper", "upper end"},
    Shown{Task::membership, "*.threshold.auc", "AUC, *"},
    Shown{Task::membership, "*.threshold.accuracy", "accuracy, *"},
    Shown{Task::membership, "*.threshold.tprAt1", "TPR at 1% FPR, *"},
    Shown{Task::membership, "*.perceptron.auc", "AUC by perceptron, *"},
    Shown{Task::authorship, "correct", "found by original texts"},
    Shown{Task::audit, "auc", "AUC, naive"}};

/// A figure that an evaluation has.
struct MeasuredColumn {
    std::string figure{};
    std::string title{};
    bool isHeadline = false;
};

/// What was measured of a task: with each classifier, or just by one.
std::vector<MeasuredColumn> columnsOf(const EvaluationSummary& summary, Task task,
                                      std::optional<ClassifierKind> only = {}) {
    std::vector<MeasuredColumn> columns;
    const auto isWanted = [&](const std::string& figure) {
        for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
            if (figureAt(summary, i, figure)) {
                // Without a classifier in its name it comes several times.
                return std::ranges::none_of(
                    columns, [&](const MeasuredColumn& column) { return column.figure == figure; });
            }
        }
        return false;
    };
    for (const ClassifierKind kind : kClassifiers) {
        const std::string_view classifier = evaluation::classifierName(kind);
        const auto add = [&](std::string_view path, std::string_view title, bool isHeadline) {
            std::string figure =
                fmt::format("{}.{}", attack::taskName(task), ofClassifier(path, classifier));
            if (kind == only.value_or(kind) && isWanted(figure)) {
                columns.push_back({std::move(figure), ofClassifier(title, classifier), isHeadline});
            }
        };
        add(attack::headlineOf(task).path, attack::headlineOf(task).title, true);
        for (const Shown& shown : kShownFigures) {
            if (shown.task == task) {
                add(shown.path, shown.title, false);
            }
        }
    }
    return columns;
}

std::string conditionText(const EvaluationSummary& summary, std::size_t condition) {
    constexpr std::array kNames{"original text", "ceiling: no noise", "floor: random words"};
    return condition < kBaselines ? kNames.at(condition)
                                  : settingText(summary, summary.cells[condition - kBaselines]);
}

/// Accuracy and what the best attackers get against epsilon.
Figure tradeOffFigure(const EvaluationSummary& summary, const SettingFamily& family,
                      const calibration::Cell* chosen) {
    Plot plot;
    plot.title = "What the text is good for and what an attacker gets";
    const std::string of = familyText(summary, summary.cells[family.cells.front()]);
    plot.description =
        fmt::format("Accuracy of classifiers and what attackers get against ε, on {}{}{}",
                    summary.data.file, of.empty() ? "" : ", ", of);
    plot.x = {"ε, per unit of distance (logarithmic)", true, {}};
    plot.y = {"share", false, std::array{0.0, 1.0}};
    for (const Task task :
         {Task::classify, Task::reconstruct, Task::membership, Task::authorship, Task::audit}) {
        for (const MeasuredColumn& column : columnsOf(summary, task)) {
            if (!column.isHeadline) {
                continue;
            }
            PlotLine line =
                plotLine(task == Task::classify
                             ? column.title
                             : fmt::format("{}: {}", attack::taskName(task), column.title),
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

Section attackSection(const EvaluationSummary& summary, const attack::AttackResults& attack) {
    Section section{std::string(attack::taskName(attack.task)), attackTitle(attack.task), {}};
    Table figures = figuresTable(summary, attack.task);
    if (figures.columns.size() == 1) {
        return section;
    }
    section.blocks.emplace_back(std::move(figures));
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

Table figuresTable(const EvaluationSummary& summary, Task task,
                   std::optional<ClassifierKind> only) {
    const std::vector<MeasuredColumn> columns = columnsOf(summary, task, only);
    Table table{"With 95% intervals; – where a figure does not exist.", {"setting"}, {}};
    for (const MeasuredColumn& column : columns) {
        table.columns.emplace_back(column.title);
    }
    for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(conditionText(summary, i));
        for (const MeasuredColumn& column : columns) {
            const auto figure = figureAt(summary, i, column.figure);
            row.push_back(figure ? intervalText("{:.3f}", figure->value, figure->ci95) : kAbsent);
        }
    }
    return table;
}

std::vector<Section> evaluationSections(const EvaluationSummary& summary,
                                        const calibration::Cell* chosen) {
    Section drawings{"tradeOff", "Usefulness and attacks at every ε", {}};
    const std::size_t none = summary.cells.size();
    const std::size_t nearest =
        chosen == nullptr ? none : document::nearestSetting(summary, *chosen).value_or(none);
    for (const SettingFamily& family : evaluation::familiesOf(summary)) {
        if (nearest == none || std::ranges::find(family.cells, nearest) != family.cells.end()) {
            drawings.blocks.emplace_back(tradeOffFigure(summary, family, chosen));
        }
    }
    std::vector<Section> sections{std::move(drawings)};
    for (const ClassifierKind classifier : summary.classified()) {
        const std::string name(evaluation::classifierName(classifier));
        Section section{name, fmt::format("Classifier {}", name), {}};
        section.say(
            fmt::format("Always naming the commonest class gives an accuracy of {:.3f}. "
                        "Retained: share of the way from floor to ceiling.",
                        summary.majority));
        section.blocks.emplace_back(figuresTable(summary, Task::classify, classifier));
        sections.push_back(std::move(section));
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        sections.push_back(attackSection(summary, attack));
    }
    return sections;
}

}  // namespace epsilens::report
