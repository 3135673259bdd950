#include "core/report/report_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/report_parts.h"
#include "core/report/run_description.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;

constexpr std::string_view kNotStated = "not stated";

std::string statedOr(const std::string& text, std::string_view otherwise = kNotStated) {
    return text.empty() ? std::string(otherwise) : text;
}

std::string limitLine(const calibration::LimitCheck& check, int draws) {
    return fmt::format(
        "{} {}", check.met() ? "✓ met:" : "✗ NOT met:", calibration::checkSentence(check, draws));
}

std::vector<Block> limitBlocks(const Report& report, const Findings& findings) {
    if (report.settings.limits.empty()) {
        return {Paragraph{"No limits were set."}};
    }
    BulletList list;
    if (!findings.cell) {
        for (const calibration::Limit& limit : report.settings.limits) {
            list.items.push_back(calibration::limitSentence(limit));
        }
        return {Paragraph{"No calibrated setting meets all limits:", true}, list};
    }
    for (const calibration::LimitCheck& check : findings.limits) {
        list.items.push_back(limitLine(check, report.record.summary->draws));
    }
    const bool met = std::all_of(findings.limits.begin(), findings.limits.end(),
                                 [](const auto& check) { return check.met(); });
    return {Paragraph{met ? "All limits are met:" : "Not all limits are met:", !met}, list};
}

BulletList oddsList(const Findings& findings) {
    BulletList list;
    for (const Findings::Odds& odds : findings.odds) {
        list.items.push_back(oddsSentence(odds));
    }
    return list;
}

/// What the draws of a word returned, on average over the words.
std::string outputsSentence(const CalibrationSummary& summary, const calibration::Cell& cell) {
    const std::string different = shownNumber(cell.sw.mean);
    return fmt::format(
        "A word is kept {} times of {} on average; {} {} different {}, the word itself counted "
        "where it is among them. {} of all outputs are the word itself, {} come from near it, {} "
        "from afar.",
        shownNumber(cell.nw.mean), formatCount(summary.draws),
        summary.draws == 1 ? "the draw returns" : "the draws return", different,
        different == "1" ? "word" : "words", shownShare(cell.kept), shownShare(cell.near),
        shownShare(cell.far));
}

std::vector<Block> summaryBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.record.summary;
    std::vector<Block> blocks;
    if (findings.cell) {
        const calibration::Cell& cell = summary.cells[*findings.cell];
        blocks.emplace_back(
            Paragraph{fmt::format("Setting: the {} mechanism with {} on the embedding {}.",
                                  mechanism::kindName(summary.mechanism),
                                  settingText(summary, cell), report.record.run.embedding.file),
                      true});
        blocks.emplace_back(Paragraph{outputsSentence(summary, cell)});
        blocks.emplace_back(Paragraph{
            "Guarantee " + mechanism::guaranteeSentence(summary.guarantees[*findings.cell]) + "."});
        if (!findings.odds.empty()) {
            blocks.emplace_back(Paragraph{"In odds, for one occurrence of a word:"});
            blocks.emplace_back(oddsList(findings));
        } else {
            blocks.emplace_back(Paragraph{
                "Odds for pairs of words were not computed: the vocabulary has none of the usual "
                "pairs, or the calibration was made without them."});
        }
    } else {
        blocks.emplace_back(
            Paragraph{fmt::format("No setting was chosen among the {} calibrated ones.",
                                  formatCount(static_cast<std::int64_t>(summary.cells.size()))),
                      true});
    }
    auto limits = limitBlocks(report, findings);
    std::move(limits.begin(), limits.end(), std::back_inserter(blocks));
    blocks.emplace_back(Paragraph{
        "ε has the unit 1/distance. No value is safe by itself, and values under different "
        "metrics or on different embeddings do not compare."});
    return blocks;
}

std::vector<Block> purposeBlocks(const Report& report) {
    const ReportSettings& settings = report.settings;
    return {Facts{{{"Purpose", statedOr(settings.purpose)},
                   {"Author", statedOr(settings.author)},
                   {"Date", statedOr(settings.date)},
                   {"Calibrated with", "Epsilens " + report.record.run.version},
                   {"Report written by",
                    fmt::format("Epsilens {} ({})", programVersion(), buildDescription())}}}};
}

std::string answerText(ReportSettings::Answer answer) {
    switch (answer) {
        case ReportSettings::Answer::yes:
            return "yes: the vectors themselves may reveal that text";
        case ReportSettings::Answer::no:
            return "no";
        case ReportSettings::Answer::notStated:
            break;
    }
    return std::string(kNotStated);
}

std::vector<Block> embeddingBlocks(const Report& report) {
    const EmbeddingDescription& embedding = report.record.run.embedding;
    Facts facts{{{"File", embedding.file},
                 {"SHA-256", embedding.sha256},
                 {"Format", embedding.format},
                 {"Words (V)", formatCount(embedding.words)},
                 {"Dimensions (m)", formatCount(embedding.dimensions)},
                 {"Bad rows skipped", formatCount(embedding.badLines)},
                 {"Duplicate words skipped", formatCount(embedding.duplicates)}}};
    if (embedding.limitedTo) {
        facts.items.emplace_back("Limited to the first rows", formatCount(*embedding.limitedTo));
    }
    if (embedding.vocabulary) {
        facts.items.emplace_back(
            "Only words of a list",
            fmt::format("{} kept, {} not in the file", formatCount(embedding.vocabulary->kept),
                        formatCount(embedding.vocabulary->missing)));
    }
    facts.items.emplace_back("Trained on the text to protect",
                             answerText(report.settings.trainedOnProtectedText));
    if (const auto& density = report.settings.density) {
        const statistics::Summary& distances = density->distances;
        facts.items.emplace_back("Distance to the nearest neighbour",
                                 fmt::format("from {} to {}; 5th percentile {}, median {}, 95th {}",
                                             shownNumber(distances.min), shownNumber(distances.max),
                                             shownNumber(distances.p5), shownNumber(distances.p50),
                                             shownNumber(distances.p95)));
        facts.items.emplace_back(
            "The same, 50 sparsest and 50 densest words",
            fmt::format("means {} and {}", shownNumber(density->meanOfSparsest),
                        shownNumber(density->meanOfDensest)));
    } else {
        facts.items.emplace_back("Density profile", "not computed");
    }
    return {facts};
}

std::string formulaText(const CalibrationSummary& summary) {
    switch (summary.mechanism) {
        case mechanism::Kind::laplace:
            return "M(w) = the word nearest to φ(w) + (Y/ε) X, with X uniform on the unit sphere "
                   "and Y from the gamma law of shape m and scale 1";
        case mechanism::Kind::mahalanobis:
            return "M(w) = the word nearest to φ(w) + (Y/ε) A^(1/2) X, with A = λΣ + (1 − λ)I, Σ "
                   "the covariance of the vectors scaled to trace m, X uniform on the unit sphere "
                   "and Y from the gamma law of shape m and scale 1";
        case mechanism::Kind::tem:
            return "Pr[M(w) = u] is proportional to exp(−ε min(d(w, u), γ) / 2) over all words u";
        case mechanism::Kind::hyperbolic:
            break;
    }
    return fmt::format(
        "M(w) = the word nearest, in Poincaré distance, to the point at hyperbolic "
        "radius r and a uniform direction from w; law of r: {}, placement: {}",
        mechanism::radialLawName(summary.hyperbolic.law),
        mechanism::placementName(summary.hyperbolic.placement));
}

Table guaranteeTable(const CalibrationSummary& summary) {
    Table table{
        "Real guarantee of every calibrated setting: seeing the output changes the odds of "
        "w against w' by at most e^(bound · d(w, w')), and by at most e^cap where there is "
        "a cap",
        settingTitles(summary),
        {}};
    for (const char* title : {"statement", "metric d", "bound", "cap", "Euclidean factors"}) {
        table.titles.emplace_back(title);
    }
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const mechanism::Guarantee& guarantee = summary.guarantees[i];
        std::vector<std::string> row = shownSettings(summary, summary.cells[i]);
        row.push_back(guarantee.statement);
        row.emplace_back(mechanism::metricName(guarantee.metric));
        row.push_back(guarantee.bound ? shownNumber(*guarantee.bound) : "none");
        row.push_back(guarantee.cap ? shownNumber(*guarantee.cap) : "none");
        row.push_back(guarantee.euclidean
                          ? fmt::format("{} to {}", shownNumber((*guarantee.euclidean)[0]),
                                        shownNumber((*guarantee.euclidean)[1]))
                          : "–");
        table.rows.push_back(std::move(row));
    }
    return table;
}

BulletList notCoveredList() {
    BulletList list;
    for (const std::string_view item : mechanism::notCovered()) {
        list.items.emplace_back(item);
    }
    return list;
}

/// Values of the chosen setting, else those that were calibrated.
std::string parametersText(const CalibrationSummary& summary, const Findings& findings) {
    if (findings.cell) {
        return settingText(summary, summary.cells[*findings.cell]);
    }
    return fmt::format("{} calibrated settings, none chosen",
                       formatCount(static_cast<std::int64_t>(summary.cells.size())));
}

std::vector<Block> mechanismBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.record.summary;
    return {Facts{{{"Mechanism", std::string(mechanism::kindName(summary.mechanism))},
                   {"Formula", formulaText(summary)},
                   {"Parameters", parametersText(summary, findings)},
                   {"Metric of the guarantee", std::string(metric::metricName(summary.metric))}}},
            guaranteeTable(summary), Paragraph{"The guarantee does not cover:"}, notCoveredList()};
}

std::string unknownWordText(const std::string& policy) {
    return policy == "keep"
               ? std::string("keep: unknown words are released as they are, UNPROTECTED")
               : statedOr(policy);
}

std::vector<Block> unitBlocks(const Report& report) {
    return {Facts{{{"Unit", "one occurrence of a word"},
                   {"Adjacency",
                    "two texts of equal length that differ in the words at some "
                    "positions"},
                   {"Composition",
                    "the losses of the positions add up: Σ over the positions of "
                    "bound · d(w, w'). A word that is exchanged k times costs k "
                    "times as much, and every further release of the same text "
                    "adds its own loss"},
                   {"Source of the texts", statedOr(report.settings.textSource)},
                   {"Unknown words", unknownWordText(report.settings.unknownWords)}}}};
}

Table rerunTable(const calibration::WorstWords& rerun) {
    Table table{fmt::format("Counted again with {} fresh draws each: the largest of many sampled "
                            "counts is too large on average, a second count is not",
                            formatCount(rerun.draws)),
                {"word", "row", "N_w", "kept of the fresh draws"},
                {}};
    for (const calibration::RerunWord& word : rerun.words) {
        table.rows.push_back({word.word, fmt::format("{}", word.row), shownNumber(word.nw),
                              fmt::format("{}", word.kept)});
    }
    return table;
}

std::vector<Block> worstWordBlocks(const Report& report, const Findings& findings) {
    const CalibrationRecord& record = report.record;
    if (!record.run.details) {
        return {Paragraph{"The calibration was made without values of single words."}};
    }
    std::vector<Block> blocks{Paragraph{
        fmt::format("The words that are kept most often out of {} draws; of those kept equally "
                    "often, the ones with the fewest outputs first.",
                    formatCount(record.summary->draws))}};
    for (std::size_t i = 0; i < record.summary->cells.size(); ++i) {
        if (findings.cell && *findings.cell != i) {
            continue;
        }
        Table table{settingText(*record.summary, record.summary->cells[i]),
                    {"word", "row", "N_w", "S_w"},
                    {}};
        for (const WordValue& value : record.run.details->worstWords[i]) {
            table.rows.push_back({value.word, fmt::format("{}", value.row), shownNumber(value.nw),
                                  shownNumber(value.sw)});
        }
        blocks.emplace_back(std::move(table));
        if (const auto& rerun = record.summary->cells[i].worst) {
            blocks.emplace_back(rerunTable(*rerun));
        }
    }
    return blocks;
}

/// Which limits every calibrated setting meets.
Table alternativesTable(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.record.summary;
    Table table{"Every calibrated setting against the limits", settingTitles(summary), {}};
    for (const calibration::Limit& limit : report.settings.limits) {
        table.titles.push_back(calibration::limitText(limit));
    }
    table.titles.emplace_back("");
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        std::vector<std::string> row = shownSettings(summary, summary.cells[i]);
        for (const calibration::Limit& limit : report.settings.limits) {
            const auto check = calibration::checkLimit(limit, summary.cells[i], summary.draws);
            row.emplace_back(!check ? "–" : check->met() ? "✓ met" : "✗ not met");
        }
        row.emplace_back(findings.cell == i ? "chosen" : "");
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<Block> alternativeBlocks(const Report& report, const Findings& findings) {
    return {
        Facts{{{"Calibrated side by side",
                fmt::format(
                    "{} settings of one mechanism, all in the section Results",
                    formatCount(static_cast<std::int64_t>(report.record.summary->cells.size())))},
               {"Other alternatives", statedOr(report.settings.alternatives)},
               {"Why this setting", statedOr(report.settings.reason)}}},
        alternativesTable(report, findings)};
}

std::vector<Block> unprotectedBlocks(const Report& report) {
    BulletList list = notCoveredList();
    list.items.emplace_back(
        "choices that were tuned on private data: ε, the limits, the words measured");
    if (report.record.run.selection && !report.record.run.selection->dataFile.empty()) {
        list.items.emplace_back(
            "the words measured here were chosen by a data set, so that this report and the "
            "calibration file tell which words occur in it");
    }
    if (report.settings.unknownWords == "keep") {
        list.items.emplace_back("unknown words, which are kept as they are");
    }
    return {list};
}

std::vector<Block> repeatBlocks(const Report& report) {
    const CalibrationRecord& record = report.record;
    std::vector<Block> blocks;
    Facts facts;
    if (record.run.details) {
        blocks.emplace_back(CodeLine{repeatCommand(record)});
        facts.items.emplace_back("Hash of the settings", settingsHash(record.run.details->request));
        const calibration::WordSelection& words = record.run.details->request.options.words;
        if (words.kind == calibration::WordSelection::Kind::list && !record.run.selection) {
            facts.items.emplace_back(
                "words.txt",
                fmt::format("the {} words that were chosen, a word a line; the report as JSON "
                            "holds them, and epsilens-cli verify repeats it without that file",
                            formatCount(static_cast<std::int64_t>(words.rows.size()))));
        }
    } else {
        blocks.emplace_back(Paragraph{"The calibration file does not hold what was asked for."});
    }
    facts.items.emplace_back("Seed", fmt::format("{}", record.summary->seed));
    facts.items.emplace_back("Words that share draws", formatCount(record.summary->blockSize));
    facts.items.emplace_back("Draws of its own for every word",
                             record.summary->independentDraws ? "yes" : "no");
    facts.items.emplace_back(
        "Run time",
        fmt::format("{} s loading, {} s preparing, {} s calibrating",
                    shownNumber(record.run.loadSeconds), shownNumber(record.run.prepareSeconds),
                    shownNumber(record.summary->seconds)));
    facts.items.emplace_back("Threads", fmt::format("{}", record.summary->threads));
    facts.items.emplace_back("Memory at most",
                             fmt::format("{} MiB", formatCount(record.run.peakMemoryMiB)));
    blocks.emplace_back(std::move(facts));
    blocks.emplace_back(
        Paragraph{"epsilens-cli verify --from FILE does this run again and lists every number that "
                  "differs. Results do not depend on the number of threads."});
    return blocks;
}

std::vector<Block> blocksOf(SectionId section, const Report& report, const Findings& findings) {
    switch (section) {
        case SectionId::summary:
            return summaryBlocks(report, findings);
        case SectionId::purpose:
            return purposeBlocks(report);
        case SectionId::embedding:
            return embeddingBlocks(report);
        case SectionId::mechanism:
            return mechanismBlocks(report, findings);
        case SectionId::privacyUnit:
            return unitBlocks(report);
        case SectionId::results:
            return resultBlocks(report);
        case SectionId::plots:
            return figureBlocks(report, findings);
        case SectionId::worstWords:
            return worstWordBlocks(report, findings);
        case SectionId::alternatives:
            return alternativeBlocks(report, findings);
        case SectionId::unprotected:
            return unprotectedBlocks(report);
        case SectionId::repeat:
            return repeatBlocks(report);
        case SectionId::signOff:
            break;
    }
    return {SignOffBox{{"Analyst", "Reviewer"}}};
}

}  // namespace

Result<ReportContent> composeReport(const Report& report) {
    const auto findings = findingsOf(report);
    if (!findings) {
        return tl::unexpected(findings.error());
    }
    ReportContent content;
    content.title = report.settings.title.empty()
                        ? fmt::format("Privacy calibration of {}", report.record.run.embedding.file)
                        : report.settings.title;
    for (const SectionId section : kAllSections) {
        const auto& wanted = report.settings.sections;
        if (std::find(wanted.begin(), wanted.end(), section) == wanted.end()) {
            continue;
        }
        // Numbers stay those of the whole list, so that two reports can be spoken about.
        content.sections.push_back(
            {std::string(sectionKey(section)),
             fmt::format("{} {}", static_cast<int>(section) + 1, sectionTitle(section)),
             blocksOf(section, report, *findings)});
    }
    if (!report.settings.sentences.empty()) {
        content.sections.push_back(
            {"sentences", "Sample sentences", {BulletList{report.settings.sentences}}});
    }
    return content;
}

}  // namespace epsilens::report
