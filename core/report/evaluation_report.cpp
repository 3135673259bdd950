#include "core/report/evaluation_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/io/csv.h"
#include "core/report/attack_report.h"
#include "core/report/evaluation_answer.h"
#include "core/report/evaluation_parts.h"
#include "core/report/match_report.h"
#include "core/report/report_html.h"
#include "core/report/svg_plot.h"
#include "core/report/text_table.h"

namespace epsilens::report {
namespace {

using document::EvaluationRecord;
using experiment::ClassifierResults;
using experiment::EvaluationCell;
using experiment::EvaluationSummary;
using experiment::Measure;
using Fields = std::vector<std::string>;

/// The conditions without noise.
std::array<std::pair<const char*, const std::vector<ClassifierResults>*>, 3> baselines(
    const EvaluationSummary& summary) {
    return {{{"original text", &summary.original},
             {"ceiling: no noise", &summary.ceiling},
             {"floor: random words", &summary.floor}}};
}

/// Classifiers with results: all or none.
std::size_t classifiersOf(const EvaluationSummary& summary) {
    return summary.original.size();
}

bool hasPositive(const EvaluationSummary& summary) {
    return !summary.data.positive.empty();
}

Fields columnTitles(const EvaluationSummary& summary) {
    Fields titles{"setting", "accuracy", "95% interval", "macro F1"};
    if (hasPositive(summary)) {
        titles.insert(titles.end(), {"precision", "recall", "AUC"});
    }
    titles.emplace_back("retained");
    return titles;
}

Fields rowOf(const EvaluationSummary& summary, std::string name, const ClassifierResults& results) {
    const experiment::Estimate& accuracy = results.of(Measure::accuracy);
    Fields fields{std::move(name), shareText(accuracy),
                  accuracy.ci95
                      ? fmt::format("{:.3f} to {:.3f}", (*accuracy.ci95)[0], (*accuracy.ci95)[1])
                      : "–",
                  shareText(results.of(Measure::macroF1))};
    if (hasPositive(summary)) {
        for (const Measure measure : {Measure::precision, Measure::recall, Measure::auc}) {
            fields.push_back(shareText(results.of(measure)));
        }
    }
    fields.push_back(results.retained ? intervalText(*results.retained) : "–");
    return fields;
}

std::vector<Fields> rowsOf(const EvaluationSummary& summary, std::size_t classifier) {
    std::vector<Fields> rows;
    for (const auto& [name, results] : baselines(summary)) {
        rows.push_back(rowOf(summary, name, (*results)[classifier]));
    }
    for (const EvaluationCell& cell : summary.cells) {
        rows.push_back(rowOf(summary, settingText(summary, cell), cell.classify[classifier]));
    }
    return rows;
}

std::string majoritySentence(const EvaluationSummary& summary) {
    return fmt::format("Always naming the commonest class would give an accuracy of {:.3f}.",
                       summary.majority);
}

/// The page of one classifier.
Figure accuracyFigure(const EvaluationSummary& summary, std::size_t classifier) {
    Plot plot;
    plot.title = fmt::format("Accuracy of {} against ε",
                             experiment::classifierName(summary.options.classifiers[classifier]));
    plot.description =
        "The accuracy of a classifier trained on perturbed texts, for every setting, with the "
        "reference lines.";
    plot.x = {"ε", true, std::nullopt};
    plot.y = {"accuracy", false, std::nullopt};
    const std::size_t epsilons = summary.options.grid.epsilons.size();
    for (std::size_t first = 0; first < summary.cells.size(); first += epsilons) {
        PlotLine line = familyLine(summary, first, first / epsilons, "accuracy");
        for (std::size_t i = first; i < first + epsilons; ++i) {
            line.points.push_back(
                {summary.cells[i].epsilon,
                 summary.cells[i].classify[classifier].of(Measure::accuracy).mean});
        }
        std::sort(line.points.begin(), line.points.end(),
                  [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
        plot.lines.push_back(std::move(line));
    }
    for (const auto& [name, results] : baselines(summary)) {
        plot.rules.push_back(
            {name, kGrey, true, (*results)[classifier].of(Measure::accuracy).mean, Dash::dashed});
    }
    plot.rules.push_back({"commonest class", kBlack, true, summary.majority, Dash::dotted});
    return {fmt::format("{} {}", plot.title, majoritySentence(summary)), svgPlot(plot),
            classificationTable(summary, classifier)};
}

Section answerSection(const EvaluationSummary& summary) {
    Section section{
        "answer", "At which ε does the task still work, and what does an attacker get there?", {}};
    for (std::vector<std::string>& sentences : answers(summary)) {
        section.blocks.emplace_back(BulletList{std::move(sentences)});
    }
    return section;
}

Section classifierSection(const EvaluationSummary& summary, std::size_t classifier) {
    const std::string name(experiment::classifierName(summary.options.classifiers[classifier]));
    Section section{
        name, fmt::format("Classifier {}", name), {accuracyFigure(summary, classifier)}};
    if (std::string compared = differencesSentence(summary, classifier); !compared.empty()) {
        section.blocks.emplace_back(Paragraph{std::move(compared)});
        section.blocks.emplace_back(differencesTable(summary, classifier));
    }
    return section;
}

Section circumstances(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    return {"circumstances",
            "How it was measured",
            {BulletList{dataSentences(summary)},
             Facts{{{"Mechanism", std::string(summary.options.grid.mechanism.title())},
                    {"Law", summary.options.grid.mechanism.formula()},
                    {"Embedding",
                     fmt::format("{}, {} words, {} dimensions", record.provenance.embedding.file,
                                 formatCount(record.provenance.embedding.words),
                                 record.provenance.embedding.dimensions)},
                    {"SHA-256", record.provenance.embedding.sha256},
                    {"Seed", fmt::format("{}", summary.options.seed)},
                    {"Version", record.provenance.version}}}}};
}

/// The fields of a setting: its name, epsilon, lambda, gamma and beta.
Fields settingFields(const EvaluationSummary& summary, const EvaluationCell& cell) {
    const mechanism::Mechanism& mechanism = summary.options.grid.mechanism;
    return {std::string(mechanism.name()), io::csvNumber(cell.epsilon),
            mechanism.hasLambda() ? io::csvNumber(cell.lambda) : "", io::csvNumber(cell.gamma),
            io::csvNumber(cell.beta)};
}

/// Value, lower and upper end.
void appendEstimate(Fields& fields, const experiment::Estimate& estimate) {
    fields.push_back(io::csvNumber(estimate.mean));
    fields.push_back(estimate.ci95 ? io::csvNumber((*estimate.ci95)[0]) : "");
    fields.push_back(estimate.ci95 ? io::csvNumber((*estimate.ci95)[1]) : "");
}

/// A line for each setting and classifier.
std::string classificationCsv(const EvaluationSummary& summary) {
    Fields header{"condition", "epsilon", "lambda", "gamma", "beta", "classifier"};
    for (const Measure measure : experiment::kMeasures) {
        for (const char* part : {"mean", "ci95Low", "ci95High"}) {
            header.push_back(fmt::format("{}.{}", experiment::measureName(measure), part));
        }
    }
    header.insert(header.end(), {"retained.mean", "retained.ci95Low", "retained.ci95High",
                                 "repeats", "seed", "partial"});
    std::string text;
    io::appendCsvLine(text, header);
    const auto append = [&](const Fields& fields, const std::vector<ClassifierResults>& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            Fields line = fields;
            line.emplace_back(experiment::classifierName(summary.options.classifiers[i]));
            for (const experiment::Estimate& estimate : all[i].measures) {
                appendEstimate(line, estimate);
            }
            if (all[i].retained) {
                appendEstimate(line, *all[i].retained);
            } else {
                line.insert(line.end(), 3, std::string());
            }
            line.push_back(fmt::format("{}", summary.repeats));
            line.push_back(fmt::format("{}", summary.options.seed));
            line.emplace_back(summary.partial ? "true" : "false");
            io::appendCsvLine(text, line);
        }
    };
    append({"original", "", "", "", ""}, summary.original);
    append({"ceiling", "", "", "", ""}, summary.ceiling);
    append({"floor", "", "", "", ""}, summary.floor);
    for (const EvaluationCell& cell : summary.cells) {
        append(settingFields(summary, cell), cell.classify);
    }
    return text;
}

/// A line for each figure of each task and condition.
std::string figuresCsv(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    std::string text;
    io::appendCsvLine(text, {"condition", "epsilon", "lambda", "gamma", "beta", "task", "figure",
                             "mean", "ci95Low", "ci95High", "seed", "partial"});
    const auto append = [&](Fields line, std::string_view task, const std::string& figure,
                            const experiment::Estimate& estimate) {
        line.emplace_back(task);
        line.push_back(io::csvField(figure));
        appendEstimate(line, estimate);
        line.push_back(fmt::format("{}", summary.options.seed));
        line.emplace_back(summary.partial ? "true" : "false");
        io::appendCsvLine(text, line);
    };
    const auto appendAll = [&](const Fields& condition,
                               const std::vector<ClassifierResults>& classified,
                               const auto& findingsOf) {
        for (std::size_t i = 0; i < classified.size(); ++i) {
            for (const Measure measure : experiment::kMeasures) {
                append(
                    condition, experiment::taskName(experiment::Task::classify),
                    fmt::format("{}.{}", experiment::classifierName(summary.options.classifiers[i]),
                                experiment::measureName(measure)),
                    classified[i].of(measure));
            }
            if (classified[i].retained) {
                append(condition, experiment::taskName(experiment::Task::classify),
                       fmt::format("{}.retained",
                                   experiment::classifierName(summary.options.classifiers[i])),
                       *classified[i].retained);
            }
        }
        for (const experiment::AttackResults& attack : summary.attacks) {
            if (const auto& findings = findingsOf(attack)) {
                for (const experiment::Figure& figure : findings->figures) {
                    append(condition, experiment::taskName(attack.task), figure.path,
                           {figure.value, figure.ci95, 0.0});
                }
            }
        }
    };
    using experiment::AttackResults;
    const std::optional<experiment::Findings> nothing;
    appendAll(
        {"original", "", "", "", ""}, summary.original,
        [](const AttackResults& attack) -> const auto& { return attack.original; });
    appendAll(
        {"ceiling", "", "", "", ""},
        summary.ceiling, [&](const AttackResults&) -> const auto& { return nothing; });
    appendAll(
        {"floor", "", "", "", ""}, summary.floor,
        [](const AttackResults& attack) -> const auto& { return attack.floor; });
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        appendAll(
            settingFields(summary, summary.cells[cell]),
            summary.cells[cell].classify, [cell](const AttackResults& attack) -> const auto& {
                return attack.cells[cell];
            });
        if (record.survival) {
            const calibration::Cell& survival = record.survival->cells[cell];
            for (const auto& [figure, values] :
                 {std::pair("nw", &survival.nw), std::pair("sw", &survival.sw)}) {
                append(settingFields(summary, summary.cells[cell]), "survival", figure,
                       {values->mean, values->ci95, 0.0});
            }
        }
    }
    if (isClassified(summary)) {
        append({"majority", "", "", "", ""}, experiment::taskName(experiment::Task::classify),
               "accuracy", {summary.majority, std::nullopt, 0.0});
    }
    return text;
}

}  // namespace

Table classificationTable(const EvaluationSummary& summary, std::size_t classifier) {
    return {
        "Mean over the repeats; of precision over those that name the positive class. Retained: "
        "share of the way from floor to ceiling; – where these are too close.",
        columnTitles(summary), rowsOf(summary, classifier)};
}

std::string evaluationText(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    std::string text;
    for (const std::string& sentence : dataSentences(summary)) {
        text += printable(sentence) + "\n";
    }
    if (record.match) {
        text += fmt::format("\n{}\n", fmt::join(matchSentences(*record.match), "\n"));
    }
    if (isClassified(summary)) {
        text += majoritySentence(summary) + "\n";
    }
    for (std::size_t i = 0; i < classifiersOf(summary); ++i) {
        text += fmt::format("\nClassifier {}\n{}",
                            experiment::classifierName(summary.options.classifiers[i]),
                            tableText(classificationTable(summary, i)));
        if (const std::string compared = differencesSentence(summary, i); !compared.empty()) {
            text += compared + "\n";
        }
    }
    for (const experiment::AttackResults& attack : summary.attacks) {
        text += attackText(summary, attack);
    }
    if (const auto survival = survivalTable(record)) {
        text += fmt::format("\n{}\n{}", survival->caption, tableText(*survival));
    }
    for (const std::vector<std::string>& sentences : answers(summary)) {
        text += "\n";
        for (const std::string& sentence : sentences) {
            text += printable(sentence) + "\n";
        }
    }
    if (!summary.attacks.empty()) {
        text += "\n" + noGuaranteeSentence() + "\n";
    }
    return text;
}

std::string evaluationCsv(const EvaluationRecord& record) {
    return record.summary.attacks.empty() ? classificationCsv(record.summary) : figuresCsv(record);
}

std::string evaluationHtml(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    ReportContent content{
        fmt::format("Utility and attacks: {} after the release", summary.data.file), {}};
    if (record.match) {
        content.sections.push_back({"match",
                                    "Where are the settings equal?",
                                    {BulletList{matchSentences(*record.match)}}});
    }
    content.sections.push_back(answerSection(summary));
    if (auto frontiers = frontierFigures(summary); !frontiers.empty()) {
        Section section{"frontier", "Usefulness against risk", {}};
        std::move(frontiers.begin(), frontiers.end(), std::back_inserter(section.blocks));
        content.sections.push_back(std::move(section));
    }
    for (std::size_t i = 0; i < classifiersOf(summary); ++i) {
        content.sections.push_back(classifierSection(summary, i));
    }
    for (const experiment::AttackResults& attack : summary.attacks) {
        content.sections.push_back(attackSection(summary, attack));
    }
    if (auto survival = survivalTable(record)) {
        content.sections.push_back({"survival", "How many words survive?", {*std::move(survival)}});
    }
    content.sections.push_back(
        {"limits", "What this does not show", {BulletList{limitsOfEvaluation()}}});
    content.sections.push_back(circumstances(record));
    return reportHtml(content);
}

}  // namespace epsilens::report
