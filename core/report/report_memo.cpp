#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/metric_words.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

// The memo speaks in words: symbols, formulas and names of the program stand in the appendix.

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using mechanism::Guarantee;

constexpr int kShownDigits = 3;

/// What every section of the memo is about.
struct Chosen {
    const Report& report;
    const Findings& findings;
    const CalibrationSummary& summary;
    const Cell& cell;
    const Guarantee& guarantee;
};

/// What becomes of the words that the embedding does not know.
std::string unknownFate(const std::string& policy) {
    return policy == "mask"     ? ", which are masked"
           : policy == "random" ? ", each replaced by any word"
           : policy == "drop"   ? ", which are left out"
           : policy == "keep"   ? ", which stay as they are"
                                : "";
}

/// What survives of the analyst's own texts; empty where that was not measured.
///
/// unknownWords  see ReportSettings
std::string textsSentence(const std::optional<document::TextShares>& texts,
                          const std::string& unknownWords) {
    if (!texts) {
        return {};
    }
    const Hundredths words = hundredthsOf(texts->kept, texts->near, texts->far);
    std::string text = fmt::format(
        " Of the words of {}, common ones counted as often as they occur, {} survive, {} become a "
        "near word and {} a far one ({} known words, {} draws of each)",
        texts->file, outOf100(words.kept, texts->kept), words.near, words.far,
        formatCount(texts->tokens), formatCount(texts->draws));
    if (texts->unknown > 0.0) {
        text += fmt::format("; the embedding does not know {} words of these texts{}",
                            outOf100(percentUnknown(texts->unknown), texts->unknown),
                            unknownFate(unknownWords));
    }
    return text + ".";
}

std::string decision(const Chosen& chosen) {
    const Hundredths words = hundredthsOf(chosen.cell.kept, chosen.cell.near, chosen.cell.far);
    return fmt::format(
        "With {} on {}, {} words survive, {} become a near word and {} a far one.{}",
        settingText(chosen.summary, chosen.cell), chosen.report.run.provenance.embedding.file,
        outOf100(words.kept, chosen.cell.kept), words.near, words.far,
        textsSentence(chosen.report.settings.texts, chosen.report.settings.unknownWords));
}

/// What was done, for a reader who has never seen the program.
std::string explanation(const Report& report) {
    const CalibrationSummary& summary = *report.run.summary;
    const calibration::EmbeddingDescription& embedding = report.run.provenance.embedding;
    return fmt::format(
        "Each word of a text is replaced at random by one of the {} words of the embedding, "
        "sometimes by itself, through the {} mechanism. {}",
        formatCount(embedding.words), mechanismTitle(summary.grid.mechanism.name()),
        measuredText(report.run));
}

/// The words that the memo cannot do without.
std::string terms(const CalibrationSummary& summary) {
    const mechanism::Mechanism& mechanism = summary.grid.mechanism;
    std::string text = fmt::format(
        "An embedding gives every word a place: words that are used alike lie close together, and "
        "distances are measured between these places. A word survives if it comes out unchanged; a "
        "near word is one of the {} nearest to it, a far word any other. ε is the privacy "
        "parameter: the smaller it is, the more words change.",
        formatCount(summary.nearNeighbours));
    if (mechanism.hasLambda()) {
        text +=
            " λ = 0 means equal noise in all directions, λ = 1 noise that follows the shape of the "
            "vocabulary.";
    }
    if (mechanism.hasRadius()) {
        text += " Words farther away than γ are all equally likely.";
    }
    return text +
           " Odds say how much likelier one original word is than another, for somebody who "
           "sees what came out.";
}

Section chosenSection(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    Section section{"summary", "What was chosen", {}};
    if (summary.partial) {
        section.blocks.emplace_back(Paragraph{partialText(summary) + ".", true});
    }
    if (findings.cell) {
        const Chosen chosen{report, findings, summary, summary.cells[*findings.cell],
                            summary.guarantees[*findings.cell]};
        for (Block& block : verdictBlocks(report, findings)) {
            section.blocks.push_back(std::move(block));
        }
        section.blocks.emplace_back(Paragraph{decision(chosen)});
        if (!report.settings.epsilonOrigin.empty()) {
            section.blocks.emplace_back(Paragraph{report.settings.epsilonOrigin});
        }
    } else {
        section.blocks.emplace_back(
            Paragraph{fmt::format("No setting was chosen among the {} calibrated ones.",
                                  formatCount(static_cast<std::int64_t>(summary.cells.size()))),
                      true});
    }
    section.blocks.emplace_back(Paragraph{explanation(report)});
    section.blocks.emplace_back(Paragraph{terms(summary)});
    return section;
}

/// What an uncommon distance is, in parentheses.
std::string meaningOf(mechanism::Metric metric) {
    const std::string_view meaning = metricMeaning(metric);
    return meaning.empty() ? std::string() : fmt::format(" ({})", meaning);
}

Section promisedSection(const Chosen& chosen) {
    Section section{"promised", "What is promised, and to whom", {}};
    section.blocks.emplace_back(Paragraph{fmt::format(
        "The promise is made to {}, for each single occurrence of a word: {}, seeing the "
        "replacement changes their odds of one original word against another by at most a factor "
        "that grows with the {} distance between the two{}.{}",
        kPromisedTo, kPromisedAgainst, mechanism::metricName(chosen.guarantee.metric),
        meaningOf(chosen.guarantee.metric),
        chosen.guarantee.cap ? fmt::format(" However far apart they are, it is at most {}.",
                                           oddsWords(*chosen.guarantee.cap))
                             : std::string())});
    if (chosen.findings.odds.empty()) {
        section.blocks.emplace_back(
            Paragraph{"Odds for pairs of words were not computed: the vocabulary lacks the usual "
                      "pairs, or the calibration was made without them."});
    } else {
        const auto pairs = shownPairs(chosen.findings);
        section.blocks.emplace_back(promiseFigure(chosen.report, chosen.findings, pairs));
    }
    if (chosen.report.hidesPair) {
        section.blocks.emplace_back(
            Paragraph{"The analyst looked at a further pair of words, which may be confidential "
                      "and is not shown."});
    }
    section.blocks.emplace_back(
        Paragraph{"The factors of several words multiply, so a sentence is protected less than a "
                  "word. ε has the unit 1/distance, so that values under other metrics or on "
                  "other embeddings cannot be compared."});
    return section;
}

/// "half of the words at most 12 times, 95 of 100 words at most 40 times".
std::string percentilesText(const statistics::Summary& kept) {
    const auto atMost = [](const char* words, double count) {
        return count == 0.0 ? fmt::format("{} are never kept", words)
                            : fmt::format("{} at most {}", words, timesWords(count));
    };
    return kept.p95 == 0.0 ? atMost("95 of 100 words", kept.p95)
                           : fmt::format("{}, {}", atMost("half of the words", kept.p50),
                                         atMost("95 of 100 words", kept.p95));
}

std::string keptSentence(const Chosen& chosen) {
    const statistics::Summary& kept = chosen.cell.nw;
    const std::string draws = formatCount(chosen.summary.draws);
    if (kept.max == 0.0) {
        return fmt::format("No word that was measured is kept in any of its {} draws.", draws);
    }
    const auto interval = spreadInterval(kept);
    const CountWords mean = countWords(kept.mean, interval, 0.0, chosen.summary.draws);
    return fmt::format(
        "Out of {} draws a word is kept {} on average{}; {}.", draws,
        interval ? mean.value + " times" : timesWords(kept.mean),
        interval ? fmt::format(" (95% interval {} to {})", mean.low, mean.high) : std::string(),
        percentilesText(kept));
}

Section survivesSection(const Chosen& chosen) {
    Section section{"survives", "What survives", {}};
    std::string text = keptSentence(chosen);
    const auto& worst = chosen.report.run.worstWords[*chosen.findings.cell];
    if (!worst.empty() && worst.front().nw > 0.0) {
        text += fmt::format(" The word kept most often among those measured: “{}”, {}.",
                            worst.front().word, timesWords(worst.front().nw));
    }
    text += " Each word of the vocabulary counts once; ";
    const auto& texts = chosen.report.settings.texts;
    text += texts ? fmt::format("of {} {} survive.", texts->file,
                                outOf100(hundredthsOf(texts->kept, texts->near, texts->far).kept,
                                         texts->kept))
                  : "running text repeats common words, so a different share of it survives.";
    section.blocks.emplace_back(Paragraph{std::move(text)});
    if (!chosen.summary.isExact() && chosen.cell.nw.max == 0.0) {
        section.blocks.emplace_back(Paragraph{noneText(chosen.summary.draws) + "."});
    }
    section.blocks.emplace_back(shareFigure(chosen.report, chosen.findings));
    return section;
}

/// What was measured, else that it was not.
std::vector<Block> measuredBlocks(std::vector<std::string> sentences, const char* unmeasured) {
    if (sentences.empty()) {
        sentences.emplace_back(unmeasured);
    }
    std::vector<Block> blocks;
    blocks.reserve(sentences.size());
    for (std::string& sentence : sentences) {
        blocks.emplace_back(Paragraph{std::move(sentence)});
    }
    return blocks;
}

/// Taking the output at face value is an attack too; the share of kept words is its success.
Section attackerSection(const Chosen& chosen) {
    const auto& texts = chosen.report.settings.texts;
    const double kept = texts ? texts->kept : chosen.cell.kept;
    const std::string right =
        outOf100(texts ? hundredthsOf(kept, texts->near, texts->far).kept
                       : hundredthsOf(kept, chosen.cell.near, chosen.cell.far).kept,
                 kept);
    std::vector<std::string> measured = measuredAttacks(chosen.report, chosen.cell);
    Section section{"attacker",
                    "What an attacker gets",
                    {Paragraph{fmt::format(
                        "An attacker who takes every released word at face "
                        "value is right for {} {}.{}",
                        right, texts ? "known words of " + texts->file : "words of the vocabulary",
                        measured.empty() ? " A better attacker gets more." : "")}}};
    if (measured.empty()) {
        measured.emplace_back(
            "What attackers learn if they know the mechanism, the language or similar texts was "
            "not measured for this report.");
    }
    for (const std::string& bound :
         attackBounds(chosen.report, chosen.findings, *chosen.findings.cell)) {
        measured.back() += " " + bound;
    }
    for (std::string& sentence : measured) {
        section.blocks.emplace_back(Paragraph{std::move(sentence)});
    }
    return section;
}

Section lostSection(const Chosen& chosen) {
    const Hundredths words = hundredthsOf(chosen.cell.kept, chosen.cell.near, chosen.cell.far);
    const double outputs = chosen.cell.sw.mean;
    const std::string different = outputs == std::floor(outputs)
                                      ? formatNumber(outputs)
                                      : formatSignificant(outputs, kShownDigits);
    Section section{
        "lost",
        "What is lost",
        {Paragraph{fmt::format(
            "Of 100 vocabulary words {} are replaced, {} by a near word and {} by a far "
            "one. On average {} "
            "draws of a word return {} different {}, the word itself included if it is among them.",
            words.near + words.far, words.near, words.far, formatCount(chosen.summary.draws),
            different, different == "1" ? "word" : "words")}}};
    for (Block& block :
         measuredBlocks(measuredUtility(chosen.report, chosen.cell),
                        "Whether the text is still good for its purpose was not measured for this "
                        "report.")) {
        section.blocks.push_back(std::move(block));
    }
    return section;
}

/// Two, the analyst's own before those that are built in, with ten outputs in all.
void addExamples(std::vector<Section>& sections, const Report& report, std::size_t cell) {
    constexpr std::size_t kExamples = 2;
    constexpr std::size_t kOutputs = 5;
    std::vector<calibration::Example> examples = report.examples;
    if (cell < report.run.examples.size()) {
        for (const calibration::Example& builtIn : report.run.examples[cell]) {
            if (examples.size() < kExamples) {
                examples.push_back(builtIn);
            }
        }
    }
    Section section{"examples", "Examples", {}};
    bool hasUnknown = false;
    for (const calibration::Example& example : examples) {
        section.blocks.emplace_back(
            Paragraph{fmt::format("“{}” could become any of", example.text)});
        const std::size_t shown = std::min(kOutputs, example.outputs.size());
        section.blocks.emplace_back(
            BulletList{{example.outputs.begin(),
                        example.outputs.begin() + static_cast<std::ptrdiff_t>(shown)}});
        hasUnknown = hasUnknown ||
                     (shown > 0 && example.outputs.front().find(calibration::Example::kUnknown) !=
                                       std::string::npos);
    }
    if (hasUnknown) {
        section.blocks.emplace_back(Paragraph{fmt::format(
            "{}: a word that the embedding does not know.", calibration::Example::kUnknown)});
    }
    if (!examples.empty()) {
        sections.push_back(std::move(section));
    }
}

Section unprotectedSection(const Report& report) {
    BulletList list;
    for (const std::string_view item : mechanism::notCovered()) {
        list.items.emplace_back(item);
    }
    list.items.emplace_back(
        "choices that were tuned on private data: ε, the limits, the words measured");
    if (report.run.provenance.selection && !report.run.provenance.selection->dataFile.empty()) {
        list.items.emplace_back(
            "the words measured here were chosen from a data set, so this report and the "
            "calibration file reveal which words occur in it");
    }
    if (report.settings.unknownWords == "keep") {
        list.items.emplace_back("unknown words, which are kept as they are");
    }
    return {"unprotected", "What is not protected", {list}};
}

Section purposeSection(const Report& report) {
    const document::ReportSettings& settings = report.settings;
    return {"purpose",
            "Who, why and for what",
            {Facts{{{"Purpose", statedOr(settings.purpose)},
                    {"Source of the texts", statedOr(settings.textSource)},
                    {"Why this setting", statedOr(settings.reason)},
                    {"Author and date",
                     fmt::format("{}, {}", statedOr(settings.author),
                                 settings.date.empty() ? "no date" : settings.date)}}}}};
}

void addFindings(std::vector<Section>& sections, const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    sections.push_back(chosenSection(report, findings));
    if (findings.cell) {
        const Chosen chosen{report, findings, summary, summary.cells[*findings.cell],
                            summary.guarantees[*findings.cell]};
        sections.push_back(promisedSection(chosen));
        sections.push_back(survivesSection(chosen));
        sections.push_back(attackerSection(chosen));
        sections.push_back(lostSection(chosen));
    }
    sections.push_back({"limits", "Limits", limitBlocks(report, findings)});
    if (findings.cell) {
        addExamples(sections, report, *findings.cell);
    }
}

}  // namespace

std::vector<Section> memoSections(const Report& report, const Findings& findings) {
    std::vector<Section> sections;
    addFindings(sections, report, findings);
    sections.push_back(unprotectedSection(report));
    sections.push_back(purposeSection(report));
    sections.push_back({"signOff", "Sign-off", {SignOffBox{{"Analyst", "Reviewer"}}}});
    return sections;
}

}  // namespace epsilens::report
