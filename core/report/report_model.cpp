#include "core/report/report_model.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/provenance.h"
#include "core/calibration/some_epsilons.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/repeat_command.h"
#include "core/report/report_parts.h"
#include "core/report/table_columns.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;

std::string answerText(document::ReportSettings::Answer answer) {
    switch (answer) {
        case document::ReportSettings::Answer::yes:
            return "yes: the vectors themselves may reveal that text";
        case document::ReportSettings::Answer::no:
            return "no";
        case document::ReportSettings::Answer::notStated:
            break;
    }
    return statedOr({});
}

/// A noise mechanism never returns a word whose vector a lower row has, too.
std::string sharedVectorsText(
    const CalibrationSummary& summary,
    const std::optional<calibration::EmbeddingDescription::SharedVectors>& shared) {
    if (!shared) {
        return "not recorded";
    }
    if (shared->words == 0 || summary.grid.mechanism.isExact()) {
        return formatCount(shared->words);
    }
    return fmt::format(
        "{} in {} {} of one vector each. Of a group only the first row is ever returned: the other "
        "{} words are kept in no draw, whatever ε, which lowers the counts that limits are judged "
        "by, if they "
        "are among the words measured",
        formatCount(shared->words), formatCount(shared->groups),
        shared->groups == 1 ? "group" : "groups", formatCount(shared->words - shared->groups));
}

std::vector<Block> embeddingBlocks(const Report& report) {
    const calibration::EmbeddingDescription& embedding = report.run.provenance.embedding;
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
    facts.items.emplace_back("Words with the vector of another word",
                             sharedVectorsText(*report.run.summary, embedding.sharedVectors));
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

/// What tables show: of many points of an axis a few, the chosen setting among them.
struct Shown {
    Report report{};
    Findings findings{};
    std::string note{};  ///< what is left out; empty if nothing is
};

Shown shownOf(const Report& report, const Findings& findings) {
    Shown shown{report, findings, {}};
    if (!calibration::isOfAxis(report.run)) {
        return shown;
    }
    const CalibrationSummary& whole = *report.run.summary;
    const double chosen = findings.cell ? whole.cells[*findings.cell].epsilon : 0.0;
    const auto epsilons = calibration::spreadEpsilons(whole, kShownOfAxis, chosen);
    shown.report.run = calibration::runAt(report.run, epsilons);
    if (findings.cell) {
        const auto place = std::find(epsilons.begin(), epsilons.end(), chosen) - epsilons.begin();
        shown.findings.cell = *findings.cell / whole.grid.epsilons.size() * epsilons.size() +
                              static_cast<std::size_t>(place);
    }
    shown.note = axisText(whole, epsilons.size());
    return shown;
}

/// Which limits every calibrated setting meets.
Table alternativesTable(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    Table table{
        summary.words < report.run.provenance.embedding.words
            ? fmt::format("Every calibrated setting against the limits, on the {} words measured",
                          formatCount(summary.words))
            : std::string("Every calibrated setting against the limits"),
        settingTitles(summary),
        {}};
    for (const calibration::Limit& limit : report.settings.limits) {
        table.titles.push_back(limitName(report.settings.limits, limit));
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

std::vector<Block> alternativeBlocks(const Report& report, const Shown& shown) {
    const calibration::CalibrationSummary& summary = *report.run.summary;
    const std::size_t settings = summary.cells.size();
    const std::size_t inTables = shown.report.run.summary->cells.size();
    std::vector<Block> blocks{Facts{
        {{"Calibrated side by side",
          fmt::format(
              "{} settings of one mechanism ({}), {} in the section Results",
              formatCount(static_cast<std::int64_t>(settings)), gridText(summary.grid),
              inTables == settings ? "all" : formatCount(static_cast<std::int64_t>(inTables)))},
         {"Other alternatives", statedOr(report.settings.alternatives)}}}};
    if (!report.settings.limits.empty()) {
        blocks.emplace_back(alternativesTable(shown.report, shown.findings));
    }
    if (std::string note = lambdaText(*report.run.summary); !note.empty()) {
        blocks.emplace_back(Paragraph{std::move(note)});
    }
    return blocks;
}

std::vector<Block> repeatBlocks(const Report& report) {
    const calibration::Run& run = report.run;
    std::vector<Block> blocks;
    const calibration::RunRequest request{withoutFolders(run.request.load), run.request.options};
    constexpr std::string_view kFormat = " --format json";
    blocks.emplace_back(CodeLine{
        fmt::format("{}{}", calibrateCommand(request, run.provenance.selection), kFormat)});
    for (const document::StoredEvaluation& evaluation : report.evaluations) {
        if (evaluation.request) {
            document::EvaluationRequest evaluated = *evaluation.request;
            evaluated.load = withoutFolders(evaluated.load);
            blocks.emplace_back(CodeLine{evaluateCommand(evaluated) + std::string(kFormat)});
        }
    }
    Facts facts{
        {{"Hash of the settings", settingsHash(run.request)},
         {"Calibrated with", "Epsilens " + run.provenance.version},
         {"Report written by", fmt::format("Epsilens {} ({})", calibration::programVersion(),
                                           calibration::buildDescription())}}};
    const calibration::WordSelection& words = run.request.options.words;
    if (words.kind == calibration::WordSelection::Kind::list && !run.provenance.selection) {
        facts.items.emplace_back(
            "words.txt",
            fmt::format("the {} words that were chosen, one per line; the report as JSON holds "
                        "them, and epsilens-cli verify repeats the run without that file",
                        formatCount(static_cast<std::int64_t>(words.rows.size()))));
    }
    facts.items.emplace_back("Seed", fmt::format("{}", run.summary->seed));
    if (!run.request.options.grid.mechanism.isExact()) {
        facts.items.emplace_back("Words that share draws", formatCount(run.summary->blockSize));
        facts.items.emplace_back("Separate draws for every word",
                                 run.summary->independentDraws ? "yes" : "no");
    }
    facts.items.emplace_back("Run time",
                             fmt::format("{} s loading, {} s preparing, {} s calibrating",
                                         formatSignificant(run.provenance.loadSeconds, 2),
                                         formatSignificant(run.provenance.prepareSeconds, 2),
                                         formatSignificant(run.summary->seconds, 2)));
    facts.items.emplace_back("Threads", fmt::format("{}", run.summary->threads));
    facts.items.emplace_back("Memory at most",
                             fmt::format("{} MiB", formatCount(run.provenance.peakMemoryMiB)));
    blocks.emplace_back(std::move(facts));
    blocks.emplace_back(
        Paragraph{"epsilens-cli verify --from FILE does this run again and lists every number that "
                  "differs. Results do not depend on the number of threads."});
    return blocks;
}

std::vector<Block> withNote(std::vector<Block> blocks, const std::string& note) {
    if (!note.empty()) {
        blocks.insert(blocks.begin(), Paragraph{note});
    }
    return blocks;
}

/// Under letters, so that two reports can be spoken about.
std::vector<Section> appendixOf(const Report& report, const Findings& findings) {
    const Shown shown = shownOf(report, findings);
    std::vector<Section> sections{
        {"embedding", "Embedding", embeddingBlocks(report)},
        {"mechanism", "Mechanism and guarantee",
         withNote(mechanismBlocks(shown.report, shown.findings), shown.note)},
        {"privacyUnit", "Unit of privacy", unitBlocks(report)},
        {"results", "Results", withNote(resultBlocks(shown.report, shown.findings), shown.note)},
        {"plots", "Plots", figureBlocks(report, findings)},
        {"worstWords", "Words protected least",
         withNote(worstWordBlocks(shown.report, shown.findings), shown.note)},
        {"alternatives", "Alternatives considered",
         withNote(alternativeBlocks(report, shown), shown.note)},
        {"repeat", "To repeat this", repeatBlocks(report)}};
    if (!report.evaluations.empty()) {
        sections.push_back({"utility", "Utility and attacks", utilityBlocks(report, findings)});
    }
    char letter = 'A';
    for (Section& section : sections) {
        section.title = fmt::format("{} {}", letter++, section.title);
    }
    return sections;
}

/// Of a file of vectors, without what its format and its compression are called by.
std::string shortName(std::string file) {
    for (const std::string_view ending :
         {".gz", ".xz", ".bz2", ".zst", ".zip", ".txt", ".vec", ".bin"}) {
        if (file.size() > ending.size() && file.ends_with(ending)) {
            file.erase(file.size() - ending.size());
        }
    }
    return file;
}

/// Which texts the report judges, without what they say, and the embedding.
std::string usualTitle(const Report& report) {
    std::vector<std::string> files;
    const auto add = [&files](const std::string& file) {
        if (std::find(files.begin(), files.end(), file) == files.end()) {
            files.push_back(file);
        }
    };
    if (report.settings.texts) {
        add(report.settings.texts->file);
    }
    for (const document::StoredEvaluation& evaluation : report.evaluations) {
        add(evaluation.file);
    }
    if (files.empty() && !report.examples.empty()) {
        files.emplace_back(report.examples.size() == 1 ? "a typed sentence" : "typed sentences");
    }
    const std::string embedding = shortName(report.run.provenance.embedding.file);
    return files.empty()
               ? fmt::format("Privacy calibration of {}", embedding)
               : fmt::format("Privacy of {} with {}", fmt::join(files, " and "), embedding);
}

}  // namespace

std::string statedOr(const std::string& text) {
    return text.empty() ? std::string("not stated") : text;
}

Result<ReportContent> composeReport(const Report& report, bool hasAppendix) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    ReportContent content;
    content.title = report.settings.title.empty() ? usualTitle(report) : report.settings.title;
    content.sections = memoSections(report, findings);
    if (hasAppendix) {
        content.appendix = appendixOf(report, findings);
    }
    dropBlankColumns(content);
    return content;
}

}  // namespace epsilens::report
