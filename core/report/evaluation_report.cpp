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
#include "core/report/attack_report.h"
#include "core/report/evaluation_answer.h"
#include "core/report/evaluation_parts.h"
#include "core/report/svg_plot.h"

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
    return {fmt::format("{}. {}", plot.title, majoritySentence(summary)), svgPlot(plot),
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

}  // namespace

Table classificationTable(const EvaluationSummary& summary, std::size_t classifier) {
    return {
        "Mean over the repeats; of precision over those that name the positive class. Retained: "
        "share of the way from floor to ceiling; – where these are too close.",
        columnTitles(summary), rowsOf(summary, classifier)};
}

ReportContent evaluationPage(const EvaluationRecord& record) {
    const EvaluationSummary& summary = record.summary;
    ReportContent content{
        fmt::format("Utility and attacks: {} after the release", summary.data.file), {}};
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
    return content;
}

}  // namespace epsilens::report
