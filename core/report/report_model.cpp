#include "core/report/report_model.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/repeat_command.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using mechanism::Guarantee;

void tidy(Table& table) {
    std::vector<std::size_t> kept;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (std::ranges::any_of(table.rows, [column](const auto& row) {
                return !row[column].empty() && row[column] != kAbsent;
            })) {
            kept.push_back(column);
        }
    }
    const auto keep = [&kept](auto& all) {
        std::remove_reference_t<decltype(all)> chosen;
        for (const std::size_t column : kept) {
            chosen.push_back(std::move(all[column]));
        }
        all = std::move(chosen);
    };
    if (!kept.empty() && !table.isForm) {
        keep(table.columns);
        std::for_each(table.rows.begin(), table.rows.end(), keep);
    }
}

void tidy(std::vector<Section>& sections) {
    for (Section& section : sections) {
        for (Block& block : section.blocks) {
            if (auto* table = std::get_if<Table>(&block)) {
                tidy(*table);
            } else if (auto* facts = std::get_if<Facts>(&block)) {
                std::erase_if(facts->items, [](const auto& fact) { return fact.second.empty(); });
            }
        }
        std::erase_if(section.blocks, [](const Block& block) {
            const auto* paragraph = std::get_if<Paragraph>(&block);
            return paragraph != nullptr && paragraph->text.empty();
        });
    }
    std::erase_if(sections, [](const Section& section) { return section.blocks.empty(); });
}

std::string answerText(document::ReportSettings::Answer answer) {
    using Answer = document::ReportSettings::Answer;
    return answer == Answer::yes  ? "yes: the vectors themselves may reveal that text"
           : answer == Answer::no ? "no"
                                  : "not stated";
}

/// A noise mechanism never returns a word whose vector a lower row has, too.
std::string sharedVectorsText(const Judged& judged) {
    const auto& shared = judged.report.run.provenance.embedding.sharedVectors;
    return !shared ? "not recorded"
           : shared->words == 0 || judged.summary.isExact()
               ? formatCount(shared->words)
               : fmt::format(
                     "{} in {}; but for the first row of each they are kept in no draw, "
                     "whatever ε, which lowers the counts that limits are judged by",
                     formatCount(shared->words), counted(shared->groups, "group", "groups"));
}

std::string densityText(const std::optional<calibration::DensityFigures>& density) {
    if (!density) {
        return "not computed";
    }
    const calibration::Summary& distances = density->distances;
    return fmt::format(
        "from {} to {}; 5th percentile {}, median {}, 95th {}; of the 50 sparsest words {} on "
        "average, of the 50 densest {}",
        shownNumber(distances.min), shownNumber(distances.max), shownNumber(distances.p5),
        shownNumber(distances.p50), shownNumber(distances.p95),
        shownNumber(density->meanOfSparsest), shownNumber(density->meanOfDensest));
}

Section embeddingSection(const Judged& judged) {
    const calibration::EmbeddingDescription& embedding = judged.report.run.provenance.embedding;
    const document::ReportSettings& settings = judged.report.settings;
    return {"embedding",
            "Embedding",
            {Facts{{{"File", embedding.file},
                    {"SHA-256", embedding.sha256},
                    {"Format", embedding.format},
                    {"Words (V)", formatCount(embedding.words)},
                    {"Dimensions (m)", formatCount(embedding.dimensions)},
                    {"Bad rows skipped", formatCount(embedding.badLines)},
                    {"Duplicate words skipped", formatCount(embedding.duplicates)},
                    {"Limited to the first rows",
                     embedding.limitedTo ? formatCount(*embedding.limitedTo) : ""},
                    {"Only words of a list",
                     embedding.vocabulary ? fmt::format("{} kept, {} not in the file",
                                                        formatCount(embedding.vocabulary->kept),
                                                        formatCount(embedding.vocabulary->missing))
                                          : ""},
                    {"Words with the vector of another word", sharedVectorsText(judged)},
                    {"Trained on the text to protect", answerText(settings.trainedOnProtectedText)},
                    {"Distance to the nearest neighbour", densityText(settings.density)}}}}};
}

Section mechanismSection(const Judged& judged) {
    const mechanism::Mechanism& mechanism = judged.summary.grid.mechanism;
    const bool isChosen = judged.cell != nullptr;
    Section section{
        "mechanism",
        "Mechanism and guarantee",
        {Facts{{{"Mechanism", std::string(mechanism.title())},
                {"Formula", mechanism.formula()},
                {"Parameters", isChosen ? settingText(judged.summary, *judged.cell)
                                        : fmt::format("{} calibrated settings, none chosen",
                                                      formatCount(judged.summary.cells.size()))},
                {"Guarantee", isChosen ? mechanism::guaranteeSentence(*judged.guarantee) : ""},
                {"Published in", prose(fmt::format("published: {}", mechanism.name()))}}}}};
    addGuarantees(section, judged.summary, judged.told,
                  isChosen ? "the chosen setting" : "every calibrated setting");
    return section;
}

Section unitSection(const Judged& judged) {
    const auto& guarantees = judged.summary.guarantees;
    const bool hasCap =
        std::any_of(guarantees.begin(), guarantees.end(),
                    [](const Guarantee& guarantee) { return guarantee.cap.has_value(); });
    return {
        "privacyUnit",
        "Unit of privacy",
        {Facts{
            {{"Unit", "one occurrence of a word"},
             {"Adjacency", "two texts of equal length that differ in the words at some positions"},
             {"Composition",
              fmt::format("the losses of the positions add up: Σ over the positions of {}. A word "
                          "that is exchanged k times costs k times as much, and every further "
                          "release of the same text adds its own loss",
                          hasCap ? "min(bound · d(w, w'), cap)" : "bound · d(w, w')")},
             {"Unknown words", statedOr(unknownFate(judged.report.settings.unknownWords))}}}}};
}

Section repeatSection(const Judged& judged) {
    const calibration::Run& run = judged.report.run;
    const CalibrationSummary& summary = judged.summary;
    const calibration::Provenance& provenance = run.provenance;
    const calibration::RunRequest request{withoutFolders(run.request.load), run.request.options};
    const calibration::WordSelection& words = run.request.options.words;
    constexpr const char* kFormat = " --format json";
    Section section{"repeat",
                    "To repeat this",
                    {CodeLine{calibrateCommand(request, provenance.selection) + kFormat}}};
    for (const document::EvaluationRecord& evaluation : judged.report.evaluations) {
        if (evaluation.request) {
            document::EvaluationRequest evaluated = *evaluation.request;
            evaluated.load = withoutFolders(evaluated.load);
            section.blocks.emplace_back(CodeLine{evaluateCommand(evaluated) + kFormat});
        }
    }
    section.blocks.emplace_back(Facts{
        {{"Hash of the settings", settingsHash(run.request)},
         {"Calibrated with", "Epsilens " + provenance.version},
         {"Report written by", fmt::format("Epsilens {} ({})", calibration::programVersion(),
                                           calibration::buildDescription())},
         {"words.txt",
          words.kind == calibration::WordSelection::Kind::list && !provenance.selection
              ? fmt::format("the {} words that were chosen, one per line; the report as JSON holds "
                            "them, and epsilens-cli verify repeats the run without that file",
                            formatCount(words.rows.size()))
              : ""},
         {"Seed", fmt::format("{}", summary.seed)},
         {"Run time", fmt::format("{} s loading, {} s preparing, {} s calibrating",
                                  formatSignificant(provenance.loadSeconds, 2),
                                  formatSignificant(provenance.prepareSeconds, 2),
                                  formatSignificant(summary.seconds, 2))},
         {"Threads", fmt::format("{}", summary.threads)},
         {"Memory at most", fmt::format("{} MiB", formatCount(provenance.peakMemoryMiB))}}});
    section.say(prose("verify"));
    return section;
}

/// Under letters, so that two reports can be spoken about.
std::vector<Section> appendixOf(const Judged& judged) {
    std::vector<Section> sections{embeddingSection(judged),
                                  mechanismSection(judged),
                                  unitSection(judged),
                                  resultSection(judged),
                                  {"plots", "Plots", figureBlocks(judged.report, judged.findings)},
                                  worstWordSection(judged),
                                  repeatSection(judged),
                                  utilitySection(judged)};
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
    if (report.settings.texts) {
        files.push_back(report.settings.texts->file);
    }
    for (const document::EvaluationRecord& evaluation : report.evaluations) {
        const std::string& file = evaluation.summary.data.file;
        if (std::ranges::find(files, file) == files.end()) {
            files.push_back(file);
        }
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

ReportContent tidied(ReportContent content) {
    tidy(content.sections);
    tidy(content.appendix);
    return content;
}

Result<ReportContent> composeReport(const Report& report, bool hasAppendix) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    const Judged judged{report, findings};
    return tidied({report.settings.title.empty() ? usualTitle(report) : report.settings.title,
                   memoSections(judged),
                   hasAppendix ? appendixOf(judged) : std::vector<Section>{}});
}

ReportContent calibrationPage(const calibration::Run& run) {
    constexpr std::size_t kFew = 4;
    const CalibrationSummary& summary = *run.summary;
    const Report report{{}, run};
    const Findings findings;
    Judged judged{report, findings};
    if (judged.told.size() > kFew) {
        judged.told.clear();
    }
    Section results = resultSection(judged);
    results.say(judged.told.empty()
                    ? "Entropies, distances and all percentiles: --format json or csv."
                    : "");
    results.say(fmt::format("It took {:.1f} s.", summary.seconds));
    Section promised{"guarantee", "What is promised", {}};
    addGuarantees(promised, summary, judged.shown.cells, "every calibrated setting");
    Section again{"again", "Words counted again", {}};
    for (const std::size_t cell : judged.shown.cells) {
        if (summary.cells[cell].worst) {
            again.blocks.emplace_back(rerunTable(summary, summary.cells[cell]));
        }
    }
    return {fmt::format("{}{} on {}", summary.partial ? "PARTIAL: " : "",
                        summary.grid.mechanism.title(), runTitle(run.provenance)),
            {std::move(results), std::move(promised), std::move(again)},
            {}};
}

}  // namespace epsilens::report
