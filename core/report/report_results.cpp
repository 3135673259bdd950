#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

// What a calibration measured, as tables.

namespace epsilens::report {
namespace {

using calibration::Summary;
using mechanism::Guarantee;

/// How the numbers of a statistic are written.
struct Digits {
    std::optional<int> decimals{};  ///< of mean and spread; nothing: exact, or without an interval
    bool isCounted = false;         ///< values of single words are whole numbers

    /// As many decimals as the width of the interval leaves certain, none where that is 1 or more.
    static Digits of(const Summary& summary, bool isCounted) {
        constexpr int kMost = 4;
        const auto interval = spreadInterval(summary);
        if (!interval) {
            return {{}, isCounted};
        }
        const double width = (*interval)[1] - (*interval)[0];
        return {std::clamp(static_cast<int>(std::ceil(-std::log10(width))), 0, kMost), isCounted};
    }
    [[nodiscard]] std::string mean(double value) const {
        return decimals && std::isfinite(value) ? report::decimals(value, *decimals)
                                                : shownNumber(value);
    }
    [[nodiscard]] std::string word(double value) const {
        return decimals && isCounted && std::isfinite(value) ? report::decimals(value, 0)
                                                             : mean(value);
    }
    [[nodiscard]] std::string interval(const Summary& summary) const {
        const auto interval = spreadInterval(summary);
        return interval ? fmt::format("{} to {}", mean((*interval)[0]), mean((*interval)[1]))
                        : kAbsent;
    }
};

/// A share of the outputs, as certain as the number of kept draws.
std::string shareOf(const Summary& kept, int draws, double share) {
    const auto interval = spreadInterval(kept);
    const double width = interval ? 100.0 * ((*interval)[1] - (*interval)[0]) / draws : 0.0;
    return width >= 1.0 ? decimals(100.0 * share, 0) + "%" : shownShare(share);
}

/// A statistic over the words of a cell.
struct NamedSummary {
    std::string name{};
    const Summary& values;
    bool isCounted = false;  ///< a whole number for each word
};

/// Every statistic of a cell: a column each, because most numbers of a row would not fit a page.
Table statisticsTable(const CalibrationSummary& summary, const Cell& cell) {
    const std::string note = entropyNote(summary, cell);
    const std::string bits = note.empty() ? "bits" : "bits, " + note;
    std::vector<NamedSummary> all{{"N_w", cell.nw, true},
                                  {"S_w", cell.sw, true},
                                  {fmt::format("min-entropy ({})", bits), cell.minEntropy},
                                  {fmt::format("Shannon entropy ({})", bits), cell.shannonEntropy},
                                  {fmt::format("Hartley entropy ({})", bits), cell.hartleyEntropy}};
    if (cell.kw) {
        all.push_back({"K_w", *cell.kw, true});
    }
    if (cell.deniability) {
        all.push_back({"deniability", cell.deniability->sizes});
    }
    Table table{fmt::format("Over the words, at {}", settingText(summary, cell)), {""}, {}};
    for (const NamedSummary& statistic : all) {
        table.columns.emplace_back(statistic.name);
    }
    const auto add = [&](const char* name, auto shown) {
        std::vector<std::string> row{name};
        for (const NamedSummary& statistic : all) {
            row.push_back(
                shown(Digits::of(statistic.values, statistic.isCounted), statistic.values));
        }
        table.rows.push_back(std::move(row));
    };
    add("mean", [](const Digits& digits, const Summary& of) { return digits.mean(of.mean); });
    add("95% interval",
        [](const Digits& digits, const Summary& of) { return digits.interval(of); });
    add("sd", [](const Digits& digits, const Summary& of) { return digits.mean(of.sd); });
    add("sd without sampling noise", [](const Digits& digits, const Summary& of) {
        return of.sdTrue ? digits.mean(*of.sdTrue) : kAbsent;
    });
    constexpr std::array kPlaces{std::pair{"min", &Summary::min}, std::pair{"p1", &Summary::p1},
                                 std::pair{"p5", &Summary::p5},   std::pair{"p25", &Summary::p25},
                                 std::pair{"p50", &Summary::p50}, std::pair{"p75", &Summary::p75},
                                 std::pair{"p95", &Summary::p95}, std::pair{"p99", &Summary::p99},
                                 std::pair{"max", &Summary::max}};
    for (const auto& [name, member] : kPlaces) {
        add(name, [value = member](const Digits& digits, const Summary& of) {
            return digits.word(of.*value);
        });
    }
    return table;
}

/// What is one number for a whole cell.
Facts cellFacts(const Cell& cell) {
    // Sampled they have no intervals; words differ so much that a third digit means nothing.
    const auto shown = [digits = cell.relativeError ? 4 : 2](const std::optional<double>& value) {
        return value ? formatSignificant(*value, digits) : std::string();
    };
    return {{{"Mean distance of an output from its word", shown(cell.meanDistance)},
             {"Mean cosine", shown(cell.meanCosine)},
             {"Coverage of the outputs by the draws", shown(cell.coverage)},
             {"Rounding error at most", cell.relativeError ? shownAtMost(*cell.relativeError) : ""},
             {"Deniability",
              cell.deniability
                  ? fmt::format("number of words whose odds of having given an output differ by at "
                                "most g = {}",
                                formatNumber(cell.deniability->odds))
                  : ""}}};
}

std::string runSentence(const CalibrationSummary& summary) {
    const std::string words = summary.partial ? partialText(summary)
                                              : fmt::format("{} words", formatCount(summary.words));
    return summary.isExact()
               ? fmt::format(
                     "{}, expectations out of R = {} draws computed exactly, not sampled; "
                     "seed {} (for the choice of words).",
                     words, formatCount(summary.draws), summary.seed)
               : fmt::format("{}, R = {} sampled draws each, {} substitutions, seed {}.", words,
                             formatCount(summary.draws), formatCount(summary.substitutions),
                             summary.seed);
}

bool hasEuclideanFactors(const Guarantee& guarantee) {
    return guarantee.euclidean && guarantee.metric != mechanism::Metric::euclidean;
}

}  // namespace

std::string entropyNote(const CalibrationSummary& summary, const Cell& cell) {
    // Below this Good-Turing coverage a plug-in entropy is only a lower bound.
    constexpr double kTrustedCoverage = 0.9;
    return !summary.isExact() && cell.coverage.value_or(0.0) < kTrustedCoverage ? "lower bound"
                                                                                : "";
}

void addOverview(Section& section, const calibration::Run& run,
                 const std::vector<calibration::Limit>& limits, std::optional<std::size_t> chosen) {
    const CalibrationSummary& summary = *run.summary;
    section.say(runSentence(summary), summary.partial);
    section.say(selectionSentence(run.provenance.selection));
    Table table{
        fmt::format("Overview. N_w: how often a word is kept, S_w: how many different words "
                    "are returned for it, itself included if it occurs, out of {} draws. "
                    "Near: among the {} nearest words.",
                    formatCount(summary.draws), formatCount(summary.nearNeighbours)),
        joined(settingColumns(summary), {"N_w, mean", "N_w, p5", "N_w, p95", "S_w, mean", "S_w, p5",
                                         "S_w, p95", "kept", "near", "far"}),
        {}};
    for (const calibration::Limit& limit : limits) {
        table.columns.emplace_back(limitName(limits, limit), Align::left);
    }
    table.columns.emplace_back("", Align::left);
    bool hasNone = false;
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const Cell& cell = summary.cells[i];
        std::vector<std::string> row = shownSettings(summary, cell);
        for (const Summary* values : {&cell.nw, &cell.sw}) {
            const Digits digits = Digits::of(*values, true);
            row.insert(row.end(), {digits.mean(values->mean), digits.word(values->p5),
                                   digits.word(values->p95)});
        }
        for (const double share : {cell.kept, cell.near, cell.far}) {
            row.push_back(shareOf(cell.nw, summary.draws, share));
        }
        for (const calibration::Limit& limit : limits) {
            const auto check = calibration::checkLimit(limit, cell, summary.draws);
            row.emplace_back(!check ? kAbsent : check->met() ? "✓ met" : "✗ not met");
        }
        row.emplace_back(chosen == i ? "chosen" : "");
        table.rows.push_back(std::move(row));
        hasNone = hasNone || cell.nw.min == 0.0;
    }
    section.blocks.emplace_back(std::move(table));
    section.say(noneText(summary, hasNone));
    section.say(lambdaText(summary));
}

Section resultSection(const Judged& judged) {
    const CalibrationSummary& summary = judged.summary;
    Section section{"results", "Results", {}};
    addOverview(section, judged.report.run, judged.report.settings.limits, judged.findings.cell);
    for (const Cell& cell : summary.cells) {
        if (judged.cell == nullptr || judged.cell == &cell) {
            section.blocks.emplace_back(statisticsTable(summary, cell));
            section.blocks.emplace_back(cellFacts(cell));
        }
    }
    section.say(
        fmt::format("Entropies are those of a word's outputs{}; Hartley entropy is log2 S_w.{}",
                    summary.isExact() ? "" : ", from the sampled shares",
                    summary.independentDraws
                        ? " K_w is the least number of words that share an output of a word."
                        : ""));
    return section;
}

Table rerunTable(const CalibrationSummary& summary, const Cell& cell) {
    Table table{fmt::format("{}: counted again with {} fresh draws each; the largest of many "
                            "sampled counts is too large on average, a second count is not",
                            settingText(summary, cell), formatCount(cell.worst->draws)),
                {"word", "row", "N_w", "kept of the fresh draws"},
                {}};
    for (const calibration::RerunWord& word : cell.worst->words) {
        table.rows.push_back({word.word, fmt::format("{}", word.row), shownNumber(word.nw),
                              fmt::format("{}", word.kept)});
    }
    return table;
}

Section worstWordSection(const Judged& judged) {
    const calibration::Run& run = judged.report.run;
    const CalibrationSummary& summary = judged.summary;
    const bool isWhole = summary.words >= run.provenance.embedding.words;
    Section section{"worstWords", "Words protected least", {}};
    section.say(fmt::format(
        "{} that are kept most often out of {} draws; of those kept equally often, the ones with "
        "the fewest outputs first.{}",
        isWhole ? "The words of the vocabulary"
                : fmt::format("Of the {} words measured, those", formatCount(summary.words)),
        formatCount(summary.draws),
        isWhole ? ""
                : fmt::format(" This says nothing about the other {} words of the vocabulary.",
                              formatCount(run.provenance.embedding.words - summary.words))));
    bool hasNone = false;
    bool isRerun = summary.isExact();
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        const Cell& cell = summary.cells[i];
        if (judged.findings.cell.value_or(i) != i) {
            continue;
        }
        Table table{settingText(summary, cell), {"word", "row", "N_w", "S_w"}, {}};
        for (const calibration::WordValue& word : run.worstWords[i]) {
            table.rows.push_back({word.word, fmt::format("{}", word.row), shownNumber(word.nw),
                                  shownNumber(word.sw)});
            hasNone = hasNone || word.nw == 0.0;
        }
        section.blocks.emplace_back(std::move(table));
        if (cell.worst) {
            isRerun = true;
            section.blocks.emplace_back(rerunTable(summary, cell));
        }
    }
    section.say(isRerun ? "" : prose("not counted again"));
    section.say(noneText(summary, hasNone));
    return section;
}

void addGuarantees(Section& section, const CalibrationSummary& summary,
                   std::optional<std::size_t> chosen) {
    const bool hasCap = std::ranges::any_of(
        summary.guarantees, [](const Guarantee& guarantee) { return guarantee.cap.has_value(); });
    Table table{
        fmt::format("Real guarantee of {}: seeing the output changes the odds of w against w' by "
                    "at most e^(bound · d(w, w')){}. Bounds are rounded up",
                    chosen ? "the chosen setting" : "every calibrated setting",
                    hasCap ? ", and by at most e^cap where there is a cap" : ""),
        joined(settingColumns(summary), {{"statement", Align::left},
                                         {"metric d", Align::left},
                                         "bound",
                                         "cap",
                                         "Euclidean factor",
                                         "lower Euclidean factor (no guarantee)"}),
        {}};
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        if (chosen.value_or(i) != i) {
            continue;
        }
        const Guarantee& guarantee = summary.guarantees[i];
        const auto& euclidean = guarantee.euclidean;
        std::vector<std::string> row = shownSettings(summary, summary.cells[i]);
        row.insert(row.end(),
                   {guarantee.statement, std::string(mechanism::metricName(guarantee.metric)),
                    boundText(guarantee), guarantee.cap ? shownAtMost(*guarantee.cap) : kAbsent,
                    euclidean ? shownAtMost((*euclidean)[1]) : kAbsent,
                    euclidean ? shownAtLeast((*euclidean)[0]) : kAbsent});
        table.rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(table));
    section.say(summary.grid.mechanism.hasRadius() && !summary.grid.betas.empty()
                    ? prose("radius of beta")
                    : "");
    section.say(std::ranges::any_of(summary.guarantees, hasEuclideanFactors)
                    ? prose("Euclidean factors")
                    : "");
    section.say(lambdaText(summary));
}

}  // namespace epsilens::report
