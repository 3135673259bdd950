#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/enum_names.h"
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
    bool isBrief = true;
};
constexpr std::array kShownFigures{
    Shown{Task::classify, "*.macroF1", "macro F1, *"},
    Shown{Task::classify, "*.precision", "precision, *", false},
    Shown{Task::classify, "*.recall", "recall, *", false},
    Shown{Task::classify, "*.auc", "AUC, *", false},
    Shown{Task::classify, "*.retained", "retained, *"},
    Shown{Task::reconstruct, "best", "best attacker"},
    Shown{Task::reconstruct, "prior", "prior"},
    Shown{Task::reconstruct, "echo", "guesses what it sees"},
    Shown{Task::reconstruct, "map", "knows the noise"},
    Shown{Task::reconstruct, "context", "knows noise, context"},
    Shown{Task::reconstruct, "upper", "upper end"},
    Shown{Task::membership, "*.threshold.auc", "AUC, *"},
    Shown{Task::membership, "*.threshold.accuracy", "accuracy, *", false},
    Shown{Task::membership, "*.threshold.tprAt1", "TPR at 1% FPR, *", false},
    Shown{Task::membership, "*.perceptron.auc", "AUC by perceptron, *", false},
    Shown{Task::authorship, "correct", "found by original texts"},
    Shown{Task::audit, "auc", "AUC, naive"}};

std::string conditionText(const EvaluationSummary& summary, std::size_t condition) {
    constexpr std::array kNames{"original text", "ceiling: no noise", "floor: random words"};
    return condition < kBaselines ? kNames.at(condition)
                                  : settingText(summary, summary.cells[condition - kBaselines]);
}

/// The headlines of some tasks over the settings of a family.
Plot headlinePlot(const EvaluationSummary& summary, const SettingFamily& family,
                  const calibration::Cell* chosen, std::string title, bool isUse) {
    Plot plot;
    plot.title = std::move(title);
    plot.xTitle = "ε, per unit of distance (logarithmic)";
    plot.x.isLogarithmic = true;
    plot.y = {false, std::array{0.0, 1.0}};
    for (const Task task : summary.options.tasks) {
        for (const MeasuredFigure& figure : measuredFigures(summary, task)) {
            if (!figure.isHeadline || (task == Task::classify) != isUse) {
                continue;
            }
            PlotLine line = plotLine(
                isUse ? figure.title : fmt::format("{}: {}", taskWords(task), figure.title),
                plot.lines.size());
            for (const std::size_t cell : family.cells) {
                if (const auto value = figureAt(summary, kBaselines + cell, figure.path)) {
                    line.points.push_back({summary.cells[cell].epsilon, value->value});
                    // A gain or an advantage may be below 0.
                    double& low = (*plot.y.range)[0];
                    low = std::min(low, value->value);
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
    if (!isUse) {
        addRule("prior", kBaselines + family.cells.front(), "reconstruct.prior", Dash::dashed);
    } else if (!plot.lines.empty()) {
        const std::string path = measuredFigures(summary, Task::classify).front().path;
        addRule("ceiling", evaluation::kCeiling, path, Dash::dashed);
        addRule("floor", evaluation::kFloor, path, Dash::dotted);
    }
    if (chosen != nullptr) {
        plot.rules.push_back({"chosen ε", kBlack, false, chosen->epsilon, Dash::dotted});
    }
    return plot;
}

Figure tradeOffFigure(const EvaluationSummary& summary, const SettingFamily& family,
                      const calibration::Cell* chosen) {
    std::vector<Plot> plots{
        headlinePlot(summary, family, chosen, "What the text is good for", true),
        headlinePlot(summary, family, chosen, "What an attacker gets", false)};
    std::erase_if(plots, [](const Plot& plot) { return plot.lines.empty(); });
    const std::string description = fmt::format(
        "What the text is good for and what an attacker gets against ε, on {}, as shares.",
        joined({summary.data.file, familyText(summary, summary.cells[family.cells.front()])},
               ", "));
    return {description, svgPlots(plots, "Usefulness and attacks against ε", description)};
}

Section attackSection(const EvaluationSummary& summary, const attack::AttackResults& attack) {
    Section section{std::string(attack::taskName(attack.task)), attackTitle(attack.task)};
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

std::vector<MeasuredFigure> measuredFigures(const EvaluationSummary& summary, Task task,
                                            std::optional<ClassifierKind> only) {
    std::vector<MeasuredFigure> figures;
    const auto isWanted = [&](const std::string& path) {
        for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
            if (figureAt(summary, i, path)) {
                // Without a classifier in its name it comes several times.
                return std::ranges::find(figures, path, &MeasuredFigure::path) == figures.end();
            }
        }
        return false;
    };
    for (const ClassifierKind kind : kClassifiers) {
        const std::string_view classifier = evaluation::classifierName(kind);
        const auto add = [&](std::string_view pattern, std::string_view title, bool isHeadline,
                             bool isBrief) {
            std::string path =
                fmt::format("{}.{}", attack::taskName(task), ofClassifier(pattern, classifier));
            if (kind == only.value_or(kind) && isWanted(path)) {
                figures.push_back({std::move(path), ofClassifier(title, classifier), isHeadline,
                                   isBrief,
                                   pattern.starts_with('*') ? std::optional(kind) : std::nullopt});
            }
        };
        const attack::Headline& headline = attack::headlineOf(task);
        add(headline.path, headline.title, true, true);
        for (const Shown& shown : kShownFigures) {
            if (shown.task == task) {
                add(shown.path, shown.title, false, shown.isBrief);
            }
        }
    }
    return figures;
}

std::string_view taskWords(Task task) {
    constexpr EnumNames<Task, 5> kWords{{{"usefulness", Task::classify},
                                         {"words guessed", Task::reconstruct},
                                         {"members told", Task::membership},
                                         {"authors found", Task::authorship},
                                         {"users told", Task::audit}}};
    return nameIn(kWords, task);
}

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
    const std::vector<MeasuredFigure> columns = measuredFigures(summary, task, only);
    Table table{"With 95% intervals; – where a figure does not exist.", {"setting"}};
    for (const MeasuredFigure& column : columns) {
        table.columns.emplace_back(column.title);
    }
    for (std::size_t i = 0; i < kBaselines + summary.cells.size(); ++i) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(conditionText(summary, i));
        for (const MeasuredFigure& column : columns) {
            const auto figure = figureAt(summary, i, column.path);
            row.push_back(figure ? intervalText("{:.3f}", *figure) : kAbsent);
        }
    }
    return table;
}

std::vector<Figure> tradeOffFigures(const EvaluationSummary& summary,
                                    const calibration::Cell* chosen) {
    const auto nearest =
        chosen != nullptr ? document::nearestSetting(summary, *chosen) : std::nullopt;
    std::vector<Figure> figures;
    for (const SettingFamily& family : evaluation::familiesOf(summary)) {
        if (chosen == nullptr ||
            (nearest && family.cells.size() > 1 &&
             std::ranges::find(family.cells, *nearest) != family.cells.end())) {
            figures.push_back(tradeOffFigure(summary, family, chosen));
        }
    }
    return figures;
}

std::vector<Section> evaluationSections(const EvaluationSummary& summary) {
    Section drawings{"tradeOff", "Usefulness and attacks at every ε"};
    for (Figure& figure : tradeOffFigures(summary)) {
        drawings.blocks.emplace_back(std::move(figure));
    }
    std::vector<Section> sections{std::move(drawings)};
    for (const ClassifierKind classifier : summary.classified()) {
        const std::string name(evaluation::classifierName(classifier));
        Section section{name, fmt::format("Classifier {}", name)};
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
