#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/document/session.h"
#include "core/report/evaluation_report.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/repeat_command.h"
#include "core/report/report_parts.h"

// What the memo rests on, on at most three pages: the report as JSON has the rest.

namespace epsilens::report {
namespace {

using document::EvaluationRecord;
using evaluation::EvaluationSummary;

std::string answerText(document::ReportSettings::Answer answer) {
    using Answer = document::ReportSettings::Answer;
    return answer == Answer::yes  ? "yes: the vectors themselves may reveal that text"
           : answer == Answer::no ? "no"
                                  : "not stated";
}

std::string leftOutText(const calibration::EmbeddingDescription& embedding) {
    const auto& list = embedding.vocabulary;
    const std::string left =
        joined({embedding.badLines > 0 ? counted(embedding.badLines, "bad row", "bad rows") : "",
                embedding.duplicates > 0
                    ? counted(embedding.duplicates, "duplicate word", "duplicate words")
                    : "",
                embedding.limitedTo ? "all after row " + formatCount(*embedding.limitedTo) : "",
                list ? fmt::format("all but {} words of a list, of which the file lacks {}",
                                   formatCount(list->kept), formatCount(list->missing))
                     : ""},
               "; ");
    return left.empty() ? "nothing" : left;
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
    return density ? fmt::format("median {}, 5th to 95th percentile {} to {}",
                                 shownNumber(density->distances.p50),
                                 shownNumber(density->distances.p5),
                                 shownNumber(density->distances.p95))
                   : "not computed";
}

Section embeddingSection(const Judged& judged) {
    const calibration::EmbeddingDescription& embedding = judged.report.run.provenance.embedding;
    const document::ReportSettings& settings = judged.report.settings;
    return {"embedding",
            "Embedding",
            {Facts{{{"File", runTitle(judged.report.run.provenance)},
                    {"SHA-256", embedding.sha256},
                    {"Left out", leftOutText(embedding)},
                    {"Words that share a vector", sharedVectorsText(judged)},
                    {"Trained on the text to protect", answerText(settings.trainedOnProtectedText)},
                    {"Distance to the nearest word", densityText(settings.density)}}}}};
}

std::string euclideanText(const mechanism::Guarantee& guarantee) {
    const auto& factors = guarantee.euclidean;
    return factors && guarantee.metric != mechanism::Metric::euclidean
               ? fmt::format(
                     "the loss is also at most {} times the Euclidean distance; no factor "
                     "below {} holds in all directions",
                     shownAtMost((*factors)[1]), shownAtLeast((*factors)[0]))
               : "";
}

Section mechanismSection(const Judged& judged) {
    const mechanism::Mechanism& mechanism = judged.summary.grid.mechanism;
    const auto& guarantees = judged.summary.guarantees;
    const mechanism::Guarantee& guarantee =
        judged.guarantee != nullptr ? *judged.guarantee : guarantees.front();
    const bool isChosen = judged.cell != nullptr;
    return {
        "mechanism",
        "Mechanism, guarantee and unit of privacy",
        {Facts{
            {{"Mechanism", fmt::format("{}: {}", mechanism.title(), mechanism.formula())},
             {"Parameters", isChosen ? settingText(judged.summary, *judged.cell)
                                     : fmt::format("{} calibrated settings, none chosen",
                                                   formatCount(judged.summary.cells.size()))},
             {"Guarantee", isChosen ? mechanism::guaranteeSentence(guarantee) : ""},
             {"Euclidean reading", isChosen ? euclideanText(guarantee) : ""},
             {"Radius", mechanism.hasRadius() && !judged.summary.grid.betas.empty()
                            ? prose("radius of beta")
                            : ""},
             {"Derivation", fmt::format("loss at most {}; {}", guarantee.statement,
                                        prose(fmt::format("published: {}", mechanism.name())))},
             {"Unit and adjacency",
              "one occurrence of a word; texts of equal length that differ in the words at some "
              "positions"},
             {"Composition",
              fmt::format("the losses of the positions add up: Σ {}. A word that is exchanged k "
                          "times costs k times as much, and every further release of the same text "
                          "adds its own loss",
                          guarantee.cap ? "min(bound · d(w, w'), cap)" : "bound · d(w, w')")},
             {"Unknown words", statedOr(unknownFate(judged.report.settings.unknownWords))}}}}};
}

/// What was measured at an epsilon, on words and on texts.
struct EpsilonRow {
    double epsilon = 0.0;
    const Cell* cell = nullptr;                       ///< null: on texts only
    const evaluation::TriedEpsilon* tried = nullptr;  ///< by the search for epsilon
};

constexpr std::size_t kMostRows = 10;

/// Those of the chosen family: the chosen one, what the search tried beside it, the ends, and what
/// lies nearest to the chosen one.
std::vector<EpsilonRow> rowsAroundChosen(const Judged& judged) {
    const double chosen = judged.cell->epsilon;
    std::map<double, EpsilonRow> rows;
    const auto rowAt = [&rows](double epsilon) -> EpsilonRow& {
        return rows.try_emplace(epsilon, EpsilonRow{epsilon}).first->second;
    };
    for (const std::size_t i : judged.shown.cells) {
        const Cell& cell = judged.summary.cells[i];
        if (std::ranges::count(familyOf(judged.summary.cells, *judged.cell), &cell) > 0) {
            rowAt(cell.epsilon).cell = &cell;
        }
    }
    for (const EvaluationRecord& record : judged.report.evaluations) {
        for (const evaluation::EvaluationCell& setting : record.summary.cells) {
            if (document::isOfFamily(setting, *judged.cell)) {
                (void)rowAt(setting.epsilon);
            }
        }
    }
    if (const document::KeptSearch* search = searchOf(judged)) {
        const auto& tried = search->found.tried;
        const auto at = std::ranges::find(tried, chosen, &evaluation::TriedEpsilon::epsilon);
        if (at != tried.end()) {
            const auto last = at + 1 == tried.end() ? at : at + 1;
            for (auto one = at == tried.begin() ? at : at - 1; one <= last; ++one) {
                rowAt(one->epsilon).tried = &*one;
            }
        }
    }
    const auto isNearer = [chosen](const auto& one, const auto& other) {
        return std::abs(std::log(one.first / chosen)) < std::abs(std::log(other.first / chosen));
    };
    while (rows.size() > kMostRows) {
        rows.erase(std::max_element(std::next(rows.begin()), std::prev(rows.end()), isNearer));
    }
    std::vector<EpsilonRow> all;
    all.reserve(rows.size());
    for (const auto& [epsilon, row] : rows) {
        all.push_back(row);
    }
    return all;
}

/// The evaluations on the texts of a file.
std::vector<const EvaluationRecord*> evaluationsOn(const Judged& judged, const std::string& file) {
    std::vector<const EvaluationRecord*> all;
    for (const EvaluationRecord& record : judged.report.evaluations) {
        if (record.summary.data.file == file) {
            all.push_back(&record);
        }
    }
    return all;
}

/// "✓" where a setting meets all limits, "✗ 2, 3" where it misses some; else some are open.
std::string limitsText(const Judged& judged, const EpsilonRow& row, const Cell& setting,
                       const std::vector<const EvaluationRecord*>& evaluations) {
    std::vector<std::size_t> missed;
    std::size_t number = 0;
    bool isOpen = false;
    const auto add = [&](bool isMet, bool isMissed) {
        ++number;
        isOpen = isOpen || (!isMet && !isMissed);
        if (isMissed) {
            missed.push_back(number);
        }
    };
    for (const calibration::Limit& limit : judged.report.settings.limits) {
        const auto check =
            row.cell != nullptr
                ? calibration::checkLimit(limit, *row.cell, judged.summary.draws)
                      .map([](const auto& known) { return std::optional(known.met()); })
                      .value_or(std::nullopt)
                : std::nullopt;
        add(check == true, check == false);
    }
    for (auto finding :
         document::figureFindings(judged.report.settings.figureLimits, &setting, evaluations)) {
        if (!finding.check && row.tried != nullptr) {
            const auto& checks = row.tried->checks;
            const auto known =
                std::ranges::find(checks, finding.limit, &evaluation::FigureCheck::limit);
            if (known != checks.end()) {
                finding.check = *known;
            }
        }
        add(finding.met(), finding.missed());
    }
    return number == 0       ? ""
           : !missed.empty() ? fmt::format("✗ {}", fmt::join(missed, ", "))
           : isOpen          ? kAbsent
                             : "✓";
}

/// Out of 100; a dash for what does not exist.
CountWords hundredths(const std::optional<evaluation::FigureValue>& figure, std::string_view path) {
    const bool isDifference = path.ends_with("gain") || path.ends_with("advantage");
    return figure && !std::isnan(figure->value) ? shareWords(*figure, isDifference ? -1.0 : 0.0)
                                                : CountWords{kAbsent};
}

/// At most three: the figures of limits, and the headline of each task, of classifiers by the
/// first.
std::vector<MeasuredFigure> figuresOverEpsilon(
    const Judged& judged, const std::vector<const EvaluationRecord*>& evaluations) {
    const auto isLimited = [&judged](const std::string& path) {
        return std::ranges::any_of(judged.report.settings.figureLimits, [&](const auto& limit) {
            return evaluation::figurePath(limit.figure) == path;
        });
    };
    constexpr std::size_t kMostFigures = 3;
    std::vector<MeasuredFigure> limited;
    std::vector<MeasuredFigure> headlines;
    const auto add = [](std::vector<MeasuredFigure>& all, const MeasuredFigure& figure) {
        if (std::ranges::find(all, figure.path, &MeasuredFigure::path) == all.end()) {
            all.push_back(figure);
        }
    };
    for (const EvaluationRecord* record : evaluations) {
        const evaluation::ClassifierKind first = record->summary.options.classifiers.front();
        for (const attack::Headline& headline : attack::kHeadlines) {
            for (const MeasuredFigure& figure : measuredFigures(record->summary, headline.task)) {
                if (isLimited(figure.path)) {
                    add(limited, figure);
                } else if (figure.isHeadline && figure.classifier.value_or(first) == first) {
                    add(headlines, figure);
                }
            }
        }
    }
    // What a search measured without an evaluation.
    std::size_t number = judged.report.settings.limits.size();
    for (const evaluation::FigureLimit& limit : judged.report.settings.figureLimits) {
        add(limited, {evaluation::figurePath(limit.figure), fmt::format("Limit {}", ++number)});
    }
    for (const MeasuredFigure& figure : headlines) {
        if (limited.size() < kMostFigures) {
            add(limited, figure);
        }
    }
    return limited;
}

/// What was measured on texts at just a setting, out of 100; a dash for nothing.
std::string figureTextAt(const EpsilonRow& row, const Cell& setting, const std::string& path,
                         const std::vector<const EvaluationRecord*>& evaluations) {
    for (const EvaluationRecord* record : evaluations) {
        const auto nearest = document::nearestSetting(record->summary, setting);
        if (nearest && record->summary.cells[*nearest].epsilon == setting.epsilon) {
            const auto figure = figureAt(record->summary, evaluation::kBaselines + *nearest, path);
            if (figure) {
                return hundredths(figure, path).value;
            }
        }
    }
    if (row.tried != nullptr) {
        for (const evaluation::FigureCheck& check : row.tried->checks) {
            if (evaluation::figurePath(check.limit.figure) == path) {
                return hundredths(check.figure, path).value;
            }
        }
    }
    return kAbsent;
}

/// The one table over epsilon, of the family of the chosen setting.
Table epsilonTable(const Judged& judged) {
    const CalibrationSummary& summary = judged.summary;
    const auto& records = judged.report.evaluations;
    const std::string texts = records.empty() ? "" : records.front().summary.data.file;
    const auto evaluations = evaluationsOn(judged, texts);
    const auto figures = figuresOverEpsilon(judged, evaluations);
    const std::string family = familyText(summary, *judged.cell);
    Table table{
        joined({family.empty() ? "" : fmt::format("At {}.", family),
                fmt::format("▸: chosen. N_w: how many of {} draws keep a word; S_w: how many "
                            "different words come out for it, itself included; kept, near, "
                            "far: shares of the outputs; ✗: the limits of the memo that are "
                            "not met.",
                            formatCount(summary.draws)),
                figures.empty() || texts.empty() ? ""
                                                 : fmt::format("From “{}” on: out of 100, on {}.",
                                                               figures.front().title, texts)},
               " "),
        countColumns()};
    table.columns.insert(table.columns.begin(), "ε");
    for (const MeasuredFigure& figure : figures) {
        table.columns.emplace_back(figure.title);
    }
    table.columns.emplace_back("limits", Align::left);
    for (const EpsilonRow& row : rowsAroundChosen(judged)) {
        Cell setting = *judged.cell;
        setting.epsilon = row.epsilon;
        std::vector<std::string>& fields = table.rows.emplace_back();
        fields = row.cell != nullptr ? countFields(summary, *row.cell)
                                     : std::vector<std::string>(countColumns().size(), kAbsent);
        fields.insert(fields.begin(),
                      (row.epsilon == judged.cell->epsilon ? "▸ " : "") + shownNumber(row.epsilon));
        for (const MeasuredFigure& figure : figures) {
            fields.push_back(figureTextAt(row, setting, figure.path, evaluations));
        }
        fields.push_back(limitsText(judged, row, setting, evaluations));
    }
    return table;
}

/// At most ten of the settings that tables show, from the first to the last.
std::vector<std::size_t> someCells(std::vector<std::size_t> cells) {
    for (std::size_t i = 0; cells.size() > kMostRows && i < kMostRows; ++i) {
        cells[i] = cells[i * (cells.size() - 1) / (kMostRows - 1)];
    }
    cells.resize(std::min(kMostRows, cells.size()));
    return cells;
}

Section resultSection(const Judged& judged) {
    const CalibrationSummary& summary = judged.summary;
    Section section{"results", "Results"};
    section.say(partialText(summary), true);
    section.say(judged.shown.note);
    if (judged.cell != nullptr) {
        section.blocks.emplace_back(statisticsTable(summary, *judged.cell));
        std::vector<std::string> facts;
        for (const auto& [name, value] : cellFacts(*judged.cell).items) {
            facts.push_back(value.empty() ? "" : fmt::format("{}: {}.", name, value));
        }
        section.say(fmt::format("{} {}", joined(std::move(facts), " "), entropyText(summary)));
    }
    section.blocks.emplace_back(judged.cell != nullptr
                                    ? epsilonTable(judged)
                                    : overviewTable(summary, someCells(judged.shown.cells)));
    section.say(noneText(summary, std::ranges::any_of(judged.shown.cells, [&](std::size_t cell) {
                             return summary.cells[cell].nw.min == 0.0;
                         })));
    section.blocks.emplace_back(curvesFigure(judged.report, judged.findings));
    if (judged.cell == nullptr) {
        section.blocks.emplace_back(shareFigure(judged.report, judged.findings));
    }
    section.say(judged.report.evaluations.empty() ? lambdaText(summary) : "");
    return section;
}

/// How often a word was kept when it was counted again; a dash where it was not.
std::string freshText(const std::optional<calibration::WorstWords>& again,
                      const calibration::WordValue& word) {
    if (again) {
        const auto counted =
            std::ranges::find(again->words, word.row, &calibration::RerunWord::row);
        if (counted != again->words.end()) {
            return fmt::format("{}", counted->kept);
        }
    }
    return kAbsent;
}

/// Of the chosen setting; without blocks where there is none.
Section worstWordSection(const Judged& judged) {
    const calibration::Run& run = judged.report.run;
    const CalibrationSummary& summary = judged.summary;
    Section section{"worstWords", "Words protected least"};
    if (judged.cell == nullptr || run.worstWords[*judged.findings.cell].empty()) {
        return section;
    }
    const std::int64_t others = run.provenance.embedding.words - summary.words;
    const auto& again = judged.cell->worst;
    Table table{fmt::format(
        "{} that are kept most often out of {} draws; of those kept equally "
        "often, the ones with the fewest outputs first.{}",
        others <= 0 ? "The words of the vocabulary"
                    : fmt::format("Of the {} words measured, those", formatCount(summary.words)),
        formatCount(summary.draws),
        others <= 0 ? ""
                    : fmt::format(" This says nothing about the other {} words "
                                  "of the vocabulary.",
                                  formatCount(others)))};
    // In two halves, beside each other.
    const auto& words = run.worstWords[*judged.findings.cell];
    const std::size_t half = (words.size() + 1) / 2;
    table.rows.resize(half);
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::vector<std::string>& row = table.rows[i % half];
        const calibration::WordValue& word = words[i];
        row.insert(row.end(),
                   {word.word, shownNumber(word.nw), shownNumber(word.sw), freshText(again, word)});
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        table.rows[i].resize(table.rows.front().size(), kAbsent);
    }
    for (std::size_t column = 0; column < table.rows.front().size(); column += 4) {
        table.columns.insert(
            table.columns.end(),
            {{"word", Align::left},
             "N_w",
             "S_w",
             again ? fmt::format("of {} fresh draws", formatCount(again->draws)) : ""});
    }
    section.blocks.emplace_back(std::move(table));
    section.say(again || summary.isExact() ? "" : prose("not counted again"));
    return section;
}

/// What was measured on the same texts: a column for each condition.
Table figureTable(const Judged& judged, const std::vector<const EvaluationRecord*>& evaluations) {
    const EvaluationSummary& first = evaluations.front()->summary;
    Table table{"Out of 100, with 95% intervals",
                {"", {"", Align::left}, "original text", "no noise", "random words"}};
    std::vector<std::pair<const EvaluationSummary*, std::size_t>> columns;
    for (std::size_t baseline = 0; baseline < evaluation::kBaselines; ++baseline) {
        columns.emplace_back(&first, baseline);
    }
    for (const EvaluationRecord* record : evaluations) {
        const EvaluationSummary& summary = record->summary;
        const auto setting =
            judged.cell != nullptr ? document::nearestSetting(summary, *judged.cell) : std::nullopt;
        if (setting && !isOvertaken(judged, summary)) {
            columns.emplace_back(&summary, evaluation::kBaselines + *setting);
            table.columns.emplace_back(
                fmt::format("ε = {}{}", shownNumber(summary.cells[*setting].epsilon),
                            isWithOtherDraws(judged.report, summary) ? ", other draws" : ""));
        }
    }
    for (const attack::Headline& headline : attack::kHeadlines) {
        std::string title(taskWords(headline.task));
        for (const MeasuredFigure& figure : measuredFigures(first, headline.task)) {
            if (!figure.isBrief) {
                continue;
            }
            std::vector<std::string>& row = table.rows.emplace_back();
            row = {std::exchange(title, {}), figure.title};
            for (const auto& [summary, condition] : columns) {
                const CountWords words =
                    hundredths(figureAt(*summary, condition, figure.path), figure.path);
                row.push_back(words.value + words.interval());
            }
        }
    }
    return table;
}

/// What evaluations measured on texts, and what attackers knew; without blocks where there is none.
Section utilitySection(const Judged& judged) {
    Section section{"utility", "Utility and attacks"};
    for (const EvaluationRecord& record : judged.report.evaluations) {
        const EvaluationSummary& summary = record.summary;
        const auto evaluations = evaluationsOn(judged, summary.data.file);
        if (evaluations.front() != &record) {
            continue;
        }
        section.say(
            fmt::format("{} Seed {}.", joined(dataSentences(summary), " "), summary.options.seed));
        const bool isOther =
            judged.cell != nullptr && !document::nearestSetting(summary, *judged.cell);
        section.say(isOther ? "No setting with the chosen parameters was evaluated." : "");
        section.blocks.emplace_back(figureTable(judged, evaluations));
        for (Figure& figure : tradeOffFigures(summary, judged.cell)) {
            section.blocks.emplace_back(std::move(figure));
        }
        for (const attack::AttackResults& attack : summary.attacks) {
            section.say(fmt::format("{}: {} {}", taskWords(attack.task),
                                    joined(attack.sentences, " "), originalSentence(attack)));
        }
    }
    if (!section.blocks.empty()) {
        section.say(prose("limits of evaluations"));
    }
    return section;
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
    for (const EvaluationRecord& evaluation : judged.report.evaluations) {
        if (evaluation.request) {
            document::EvaluationRequest evaluated = *evaluation.request;
            evaluated.load = withoutFolders(evaluated.load);
            section.blocks.emplace_back(CodeLine{evaluateCommand(evaluated) + kFormat});
        }
    }
    section.say(joined(
        {runSentence(summary), selectionSentence(provenance.selection), prose("verify")}, " "));
    section.blocks.emplace_back(Facts{
        {{"Hash of the settings", settingsHash(run.request)},
         {"words.txt",
          words.kind == calibration::WordSelection::Kind::list && !provenance.selection
              ? fmt::format("the {} words that were chosen, one per line; the report as JSON holds "
                            "them, and epsilens-cli verify repeats the run without that file",
                            formatCount(words.rows.size()))
              : ""},
         {"Programs", fmt::format("calibrated with Epsilens {}, report written by Epsilens {} ({})",
                                  provenance.version, calibration::programVersion(),
                                  calibration::buildDescription())},
         {"Run time", fmt::format("{} s loading, {} s preparing, {} s calibrating; {} threads, at "
                                  "most {} MiB",
                                  formatSignificant(provenance.loadSeconds, 2),
                                  formatSignificant(provenance.prepareSeconds, 2),
                                  formatSignificant(summary.seconds, 2), summary.threads,
                                  formatCount(provenance.peakMemoryMiB))}}});
    return section;
}

}  // namespace

std::vector<Section> appendixSections(const Judged& judged) {
    std::vector<Section> sections{embeddingSection(judged), mechanismSection(judged),
                                  resultSection(judged),    worstWordSection(judged),
                                  utilitySection(judged),   repeatSection(judged)};
    // Under letters, which are the same in all reports, so that two can be spoken about.
    char letter = 'A';
    for (Section& section : sections) {
        section.title = fmt::format("{} {}", letter++, section.title);
    }
    return sections;
}

}  // namespace epsilens::report
