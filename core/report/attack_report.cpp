#include "core/report/attack_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/experiment/findings.h"
#include "core/report/evaluation_parts.h"
#include "core/report/markup_text.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using experiment::AttackResults;
using experiment::EvaluationSummary;
using experiment::figureAt;
using experiment::Task;
using AttackFindings = experiment::Findings;
using AttackFigure = experiment::Figure;
using Fields = std::vector<std::string>;

std::string valueText(const AttackFigure& figure) {
    if (std::isnan(figure.value)) {
        return "–";
    }
    if (figure.kind == AttackFigure::Kind::number) {
        constexpr int kDigits = 4;
        return figure.value == std::floor(figure.value) ? formatNumber(figure.value)
                                                        : formatSignificant(figure.value, kDigits);
    }
    return figure.ci95 ? fmt::format("{:.3f} ({:.3f} to {:.3f})", figure.value, (*figure.ci95)[0],
                                     (*figure.ci95)[1])
                       : fmt::format("{:.3f}", figure.value);
}

/// A condition and what was found there.
struct Condition {
    std::string name{};
    const AttackFindings* findings = nullptr;  ///< null: not reached
};

std::vector<Condition> conditionsOf(const EvaluationSummary& summary, const AttackResults& attack) {
    std::vector<Condition> conditions;
    const auto add = [&](std::string name, const std::optional<AttackFindings>& findings) {
        conditions.push_back({std::move(name), findings ? &*findings : nullptr});
    };
    add("original text", attack.original);
    add("random words", attack.floor);
    for (std::size_t i = 0; i < attack.cells.size(); ++i) {
        add(settingText(summary, summary.cells[i]), attack.cells[i]);
    }
    return conditions;
}

/// Paths and titles of the columns: those of all conditions, in the order of the last one.
std::vector<std::pair<std::string, std::string>> columnsOf(
    const std::vector<Condition>& conditions) {
    std::vector<std::pair<std::string, std::string>> columns;
    const std::vector<Condition> settingsFirst(conditions.rbegin(), conditions.rend());
    for (const Condition& condition : settingsFirst) {
        if (condition.findings == nullptr) {
            continue;
        }
        for (const AttackFigure& figure : condition.findings->figures) {
            const std::pair column(figure.path, figure.title);
            if (!figure.title.empty() &&
                std::find(columns.begin(), columns.end(), column) == columns.end()) {
                columns.push_back(column);
            }
        }
    }
    return columns;
}

/// The value of a condition for a path; NaN where there is none.
const AttackFigure* riskOf(const AttackResults& attack,
                           const std::optional<AttackFindings>& findings) {
    return findings ? figureAt(*findings, attack.risk) : nullptr;
}

Plot riskPlot(const EvaluationSummary& summary, const AttackResults& attack) {
    Plot plot;
    plot.title = fmt::format("{}: {} against ε", attackHeading(experiment::taskName(attack.task)),
                             riskTitle(attack));
    plot.description = "How well the attackers of this task do at every setting.";
    plot.x = {"ε", true, std::nullopt};
    plot.y = {riskTitle(attack), false, std::nullopt};
    const std::size_t epsilons = summary.options.grid.epsilons.size();
    for (std::size_t first = 0; first < attack.cells.size(); first += epsilons) {
        PlotLine line = familyLine(summary, first, first / epsilons, riskTitle(attack));
        for (std::size_t i = first; i < first + epsilons; ++i) {
            if (const AttackFigure* figure = riskOf(attack, attack.cells[i])) {
                line.points.push_back({summary.cells[i].epsilon, figure->value});
            }
        }
        std::sort(line.points.begin(), line.points.end(),
                  [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
        plot.lines.push_back(std::move(line));
    }
    for (const auto& [name, findings] :
         {std::pair("original text", &attack.original), std::pair("random words", &attack.floor)}) {
        if (const AttackFigure* figure = riskOf(attack, *findings)) {
            plot.rules.push_back({name, kGrey, true, figure->value, Dash::dashed});
        }
    }
    return plot;
}

/// The words guessed most often at the smallest epsilon that was reached; empty without any.
std::string wordsSentence(const EvaluationSummary& summary, const AttackResults& attack) {
    constexpr std::size_t kShown = 10;
    std::optional<std::size_t> smallest;
    for (std::size_t i = 0; i < attack.cells.size(); ++i) {
        if (attack.cells[i] && !attack.cells[i]->words.empty() &&
            (!smallest || summary.cells[i].epsilon < summary.cells[*smallest].epsilon)) {
            smallest = i;
        }
    }
    if (!smallest) {
        return {};
    }
    Fields words;
    for (const experiment::FoundWord& word : attack.cells[*smallest]->words) {
        if (words.size() < kShown && word.success > 0.0) {
            words.push_back(fmt::format("{} ({:.2f} of {})", printable(word.word), word.success,
                                        formatCount(word.tokens)));
        }
    }
    if (words.empty()) {
        return {};
    }
    return fmt::format("Guessed most often even at ε = {}, with the share of how many: {}.",
                       formatNumber(summary.cells[*smallest].epsilon), fmt::join(words, ", "));
}

}  // namespace

std::string attackTitle(Task task) {
    switch (task) {
        case Task::membership:
            return "Can an attacker tell which texts a classifier was trained on?";
        case Task::authorship:
            return "How often does an attacker find the author?";
        case Task::audit:
            return "Can an attacker tell whose texts a language model was trained on?";
        case Task::reconstruct:
        case Task::classify:
            break;
    }
    return "How often would an attacker guess the word?";
}

std::string_view attackHeading(std::string_view task) {
    return task == "reconstruct"  ? "Guessing the words"
           : task == "membership" ? "Telling what a classifier learned from"
           : task == "authorship" ? "Naming the author"
           : task == "audit"      ? "Telling whose texts a model learned"
                                  : task;
}

std::string riskTitle(const AttackResults& attack) {
    for (const std::optional<AttackFindings>& cell : attack.cells) {
        if (const AttackFigure* figure = riskOf(attack, cell)) {
            return figure->title;
        }
    }
    return "risk";
}

std::string riskText(const EvaluationSummary& summary, const AttackResults& attack,
                     std::size_t cell) {
    const AttackFigure* figure = riskOf(attack, attack.cells[cell]);
    if (figure != nullptr && attack.task == Task::membership) {
        return fmt::format(
            "Of 100 texts that trained the classifier an attacker recognises {:.1f} more than of "
            "100 others{} at {}",
            100.0 * figure->value,
            figure->ci95 ? fmt::format(" (95% interval {:.1f} to {:.1f}; 0 is chance)",
                                       100.0 * (*figure->ci95)[0], 100.0 * (*figure->ci95)[1])
                         : " (0 is chance)",
            settingText(summary, summary.cells[cell]));
    }
    return figure == nullptr
               ? fmt::format("{} was not reached", settingText(summary, summary.cells[cell]))
               : fmt::format("{} {} at {}", figure->title, valueText(*figure),
                             settingText(summary, summary.cells[cell]));
}

std::vector<std::string> attackFindings(const EvaluationSummary& summary,
                                        const AttackResults& attack) {
    std::vector<std::string> sentences;
    const std::size_t epsilons = summary.options.grid.epsilons.size();
    for (std::size_t first = 0; first < attack.cells.size(); first += epsilons) {
        std::optional<std::size_t> smallest;
        std::optional<std::size_t> largest;
        for (std::size_t i = first; i < first + epsilons; ++i) {
            if (riskOf(attack, attack.cells[i]) == nullptr) {
                continue;
            }
            const double epsilon = summary.cells[i].epsilon;
            smallest = !smallest || epsilon < summary.cells[*smallest].epsilon ? i : *smallest;
            largest = !largest || epsilon > summary.cells[*largest].epsilon ? i : *largest;
        }
        const std::string family = familyText(summary, summary.cells[first]);
        const std::string where = family.empty() ? "" : fmt::format("With {}: ", family);
        const auto at = [&](std::size_t cell) {
            return fmt::format("{} at ε = {}", valueText(*riskOf(attack, attack.cells[cell])),
                               formatNumber(summary.cells[cell].epsilon));
        };
        if (!smallest) {
            sentences.push_back(fmt::format("{}no setting was reached.", where));
        } else if (*smallest == *largest) {
            sentences.push_back(fmt::format("{}{}: {}.", where, riskTitle(attack), at(*smallest)));
        } else {
            sentences.push_back(fmt::format("{}{}: {}, {}.", where, riskTitle(attack),
                                            at(*smallest), at(*largest)));
        }
    }
    if (std::string failed = experiment::originalSentence(attack); !failed.empty()) {
        sentences.push_back(std::move(failed));
    }
    if (std::string null = experiment::nullSentence(attack); !null.empty()) {
        sentences.push_back(std::move(null));
    }
    return sentences;
}

Table attackTable(const EvaluationSummary& summary, const AttackResults& attack) {
    const std::vector<Condition> conditions = conditionsOf(summary, attack);
    const auto columns = columnsOf(conditions);
    Table table;
    table.titles.emplace_back("setting");
    for (const auto& [path, title] : columns) {
        table.titles.push_back(title);
    }
    for (const Condition& condition : conditions) {
        Fields row{condition.name};
        for (const auto& [path, title] : columns) {
            const AttackFigure* figure =
                condition.findings == nullptr ? nullptr : figureAt(*condition.findings, path);
            row.push_back(figure == nullptr ? "–" : valueText(*figure));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Section attackSection(const EvaluationSummary& summary, const AttackResults& attack) {
    const Plot plot = riskPlot(summary, attack);
    Table table = attackTable(summary, attack);
    table.caption = "Shares with 95% intervals; – where a figure does not exist.";
    Section section{std::string(experiment::taskName(attack.task)), attackTitle(attack.task), {}};
    section.blocks.emplace_back(BulletList{attackFindings(summary, attack)});
    if (!table.rows.empty()) {
        section.blocks.emplace_back(Figure{plot.title, svgPlot(plot), std::move(table)});
    }
    if (std::string words = wordsSentence(summary, attack); !words.empty()) {
        section.blocks.emplace_back(Paragraph{std::move(words)});
    }
    section.blocks.emplace_back(Paragraph{"What was attacked, and what each attacker knows", true});
    section.blocks.emplace_back(BulletList{attack.sentences});
    section.blocks.emplace_back(Paragraph{noGuaranteeSentence()});
    return section;
}

std::string noGuaranteeSentence() {
    return "That no better attacker was found is no guarantee: there may be one. What is promised "
           "is the guarantee of the setting.";
}

}  // namespace epsilens::report
