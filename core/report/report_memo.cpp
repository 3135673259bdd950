#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/recommend.h"
#include "core/document/session.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"
#include "core/text/tokeniser.h"

// The memo speaks in words: symbols, formulas and names of the program stand in the appendix.

namespace epsilens::report {
namespace {

using calibration::LimitCheck;
using calibration::LimitRelation;
using calibration::LimitStatistic;

/// How the words of a run that is not over all of them were chosen.
std::string choiceOfWords(const calibration::Run& run) {
    if (run.provenance.selection) {
        return selectionSentence(run.provenance.selection);
    }
    return run.request.options.words.kind == calibration::WordSelection::Kind::list
               ? std::string("They are words of a list.")
               : fmt::format("They were drawn at random, seed {}.", run.summary->seed);
}

/// Two, the analyst's own before those that are built in, with ten outputs in all.
std::vector<calibration::Example> shownExamples(const Judged& judged) {
    constexpr std::size_t kExamples = 2;
    constexpr std::size_t kOutputs = 5;
    std::vector<calibration::Example> examples = judged.report.examples;
    if (judged.findings.cell && *judged.findings.cell < judged.report.run.examples.size()) {
        for (const auto& builtIn : judged.report.run.examples[*judged.findings.cell]) {
            if (examples.size() < kExamples) {
                examples.push_back(builtIn);
            }
        }
    }
    for (calibration::Example& example : examples) {
        example.outputs.resize(std::min(kOutputs, example.outputs.size()));
    }
    return examples;
}

/// Over how many words of the vocabulary results are, and how these were chosen; sentences.
std::string measuredText(const calibration::Run& run) {
    const CalibrationSummary& summary = *run.summary;
    const std::int64_t vocabulary = run.provenance.embedding.words;
    const std::string_view verb = summary.isExact() ? "Computed for" : "Measured on";
    if (summary.words >= vocabulary) {
        return fmt::format("{} all {} words of the vocabulary.", verb, formatCount(summary.words));
    }
    return fmt::format("{} {} of the {} words of the vocabulary. {}", verb,
                       formatCount(summary.words), formatCount(vocabulary), choiceOfWords(run));
}

/// Whether a limit keeps something from who reads the output; others keep the text useful.
bool protects(const calibration::Limit& limit) {
    const LimitStatistic of = limit.statistic;
    const bool tellsOfWord =
        of == LimitStatistic::nw || of == LimitStatistic::kept || of == LimitStatistic::meanCosine;
    return limit.relation == LimitRelation::atMost
               ? tellsOfWord
               : !tellsOfWord && of != LimitStatistic::near && of != LimitStatistic::far;
}

/// Up to where the promise is of use, if it is for any of the pairs.
std::string promiseWords(const Judged& judged) {
    const double reach =
        mechanism::protectionRadius(*judged.guarantee, kLargestUsefulFactor).value();
    const auto& pairs = judged.findings.odds;
    const bool isForNone = !pairs.empty() && std::ranges::all_of(pairs, [reach](const auto& odds) {
        return odds.pair.distance > reach;
    });
    return isForNone ? fmt::format(
                           "no useful bound is promised for any pair of words below, only for "
                           "words at most {} apart, so the choice rests on measurements",
                           formatAtLeast(reach, 3))
                     : fmt::format("{}, whoever attacks{}",
                                   reachWords(*judged.guarantee, kLargestUsefulFactor),
                                   std::isinf(reach) ? "" : ", and beyond that no bound is of use");
}

/// What became of all limits, on words and on texts.
std::string limitsWords(const Judged& judged) {
    const document::ReportSettings& settings = judged.report.settings;
    const auto counts = document::countLimits(
        judged.findings.limits, document::figureFindings(judged.report, judged.findings));
    const bool isProtecting = std::ranges::any_of(settings.limits, protects) ||
                              std::ranges::any_of(settings.figureLimits, [](const auto& limit) {
                                  return limit.figure.isRisk();
                              });
    return counts.all == 0 ? "none"
                           : limitCountWords(counts) +
                                 (isProtecting ? "" : ", and none protects against an attacker");
}

/// What survives of the analyst's own texts; empty where that was not measured.
std::string textsSentence(const document::ReportSettings& settings) {
    const auto& texts = settings.texts;
    if (!texts) {
        return {};
    }
    const Hundredths words = hundredthsOf(*texts);
    return fmt::format(
        " Of the words of {}, common ones counted as often as they occur, {} survive, {} become a "
        "near word and {} a far one ({} known words, {} draws of each){}.",
        texts->file, outOf100(words.kept, texts->kept), words.near, words.far,
        formatCount(texts->tokens), formatCount(texts->draws),
        texts->unknown > 0.0
            ? fmt::format("; the embedding does not know {} words of these texts{}{}",
                          outOf100(percentUnknown(texts->unknown), texts->unknown),
                          settings.unknownWords.empty() ? "" : ", which are ",
                          unknownFate(settings.unknownWords))
            : "");
}

Section chosenSection(const Judged& judged) {
    const CalibrationSummary& summary = judged.summary;
    const document::ReportSettings& settings = judged.report.settings;
    const calibration::Provenance& provenance = judged.report.run.provenance;
    const mechanism::Mechanism& mechanism = summary.grid.mechanism;
    Section section{"summary", "What was chosen"};
    section.say(summary.partial ? partialText(summary) + "." : "", true);
    if (judged.cell != nullptr) {
        section.say(
            fmt::format("Verdict: {}; limits: {}.", promiseWords(judged), limitsWords(judged)),
            true);
        const std::string beyond = joined(judged.report.beyondLimits, " and ");
        section.say(beyond.empty() ? ""
                                   : fmt::format("⚠ The limits are on words of the vocabulary; of "
                                                 "the analyst's own, more are kept too often: {}.",
                                                 beyond),
                    true);
        const Hundredths words = hundredthsOf(*judged.cell);
        section.say(fmt::format(
            "With {} on {}, {} words survive, {} become a near word and {} a far one.{}",
            settingText(summary, *judged.cell), provenance.embedding.file,
            outOf100(words.kept, judged.cell->kept), words.near, words.far,
            textsSentence(settings)));
        const document::KeptSearch* search = searchOf(judged);
        section.say(
            joined({settings.epsilonOrigin,
                    search != nullptr && search->limits == settings.limits && !search->found.epsilon
                        ? "A search on texts found no ε within the limits."
                        : ""},
                   " "));
    } else {
        section.say(fmt::format("No setting was chosen among the {} calibrated ones.",
                                formatCount(summary.cells.size())),
                    true);
    }
    section.say(fmt::format(
        "Each word of a text is replaced at random by one of the {} words of the embedding, "
        "sometimes by itself (mechanism: {}). {}",
        formatCount(provenance.embedding.words), mechanism.title(),
        measuredText(judged.report.run)));
    section.say(
        joined({fmt::format(fmt::runtime(prose("terms")), formatCount(summary.nearNeighbours)),
                mechanism.hasLambda() ? prose("terms of lambda") : "",
                mechanism.hasRadius() ? prose("terms of gamma") : ""},
               " "));
    return section;
}

using WholeTexts = std::vector<std::pair<std::string, std::int64_t>>;

/// Texts whose words are replaced, and how many words of each: the analyst's own where they are
/// known, else the examples of the memo.
WholeTexts wholeTexts(const Judged& judged) {
    const auto of = [](const std::string& file, const corpus::TextLengths& lengths) {
        const auto text = [&file](std::string_view which, std::int64_t words) {
            return std::pair(fmt::format("the {} text of {}, {}", which, file,
                                         counted(words, "replaced word", "replaced words")),
                             words);
        };
        return WholeTexts{text("median", lengths.median), text("longest", lengths.longest)};
    };
    if (const auto& texts = judged.report.settings.texts; texts && texts->lengths.longest > 0) {
        return of(texts->file, texts->lengths);
    }
    for (const document::EvaluationRecord& evaluation : judged.report.evaluations) {
        if (evaluation.summary.data.lengths.longest > 0) {
            return of(evaluation.summary.data.file, evaluation.summary.data.lengths);
        }
    }
    WholeTexts all;
    for (const calibration::Example& example : shownExamples(judged)) {
        const auto words = std::ssize(text::Tokeniser().tokenise(example.text));
        all.emplace_back(fmt::format("the {} example, {}", all.empty() ? "first" : "second",
                                     counted(words, "word", "words")),
                         words);
    }
    return all;
}

/// What the guarantee promises for pairs of words, and for whole texts in which every word is as
/// far from another as those of the first pair: losses add up.
Table promiseTable(const Judged& judged, const PairOddsList& pairs, const WholeTexts& texts) {
    constexpr int kDigits = 3;
    Table table{"", {"", "distance", "the odds change by at most"}};
    for (const Findings::Odds& odds : pairs) {
        table.rows.push_back(
            {fmt::format("{} against {}", odds.pair.first, odds.pair.second),
             formatSignificant(odds.pair.distance, kDigits),
             oddsWords(mechanism::pairLoss(*judged.guarantee, odds.pair.distance))});
    }
    const calibration::PairDistance& first = judged.findings.odds.front().pair;
    const double loss = mechanism::pairLoss(*judged.guarantee, first.distance);
    for (const auto& [name, words] : texts) {
        table.rows.push_back(
            {name,
             fmt::format("{} × {}", formatCount(words), formatSignificant(first.distance, kDigits)),
             oddsWords(static_cast<double>(words) * loss)});
    }
    return table;
}

Section promisedSection(const Judged& judged) {
    const mechanism::Guarantee& guarantee = *judged.guarantee;
    Section section{"promised", "What is promised, and to whom"};
    section.say(fmt::format(
        "The promise is made to {}, for each single occurrence of a word: {}, seeing the "
        "replacement changes their odds of one original word against another by at most a factor "
        "that grows with the {} distance between the two{}.{}",
        kPromisedTo, kPromisedAgainst, mechanism::metricName(guarantee.metric),
        guarantee.metric == metric::Metric::mahalanobis
            ? fmt::format(" ({})", prose("meaning of mahalanobis"))
            : "",
        guarantee.cap ? fmt::format(" However far apart they are, it is at most {}.",
                                    oddsWords(*guarantee.cap))
                      : ""));
    std::string asFar;
    if (judged.findings.odds.empty()) {
        section.say(prose("no pairs"));
    } else {
        const calibration::PairDistance& first = judged.findings.odds.front().pair;
        const PairOddsList pairs = shownPairs(judged.findings);
        const WholeTexts texts = wholeTexts(judged);
        section.blocks.emplace_back(promiseFigure(judged.report, judged.findings, pairs));
        section.blocks.emplace_back(promiseTable(judged, pairs, texts));
        asFar = texts.empty()
                    ? ""
                    : fmt::format(
                          ": in the last rows every word is as far from another as {} from "
                          "{}",
                          first.first, first.second);
    }
    section.say(judged.report.hidesPair ? prose("hidden pair") : "");
    section.say(fmt::format(fmt::runtime(prose("words multiply")), asFar));
    return section;
}

Section survivesSection(const Judged& judged) {
    const calibration::Summary& kept = judged.cell->nw;
    const std::string draws = formatCount(judged.summary.draws);
    const auto interval = spreadInterval(kept);
    const CountWords mean = countWords({kept.mean, interval}, 0.0, judged.summary.draws);
    const auto& worst = judged.report.run.worstWords[*judged.findings.cell];
    Section section{"survives", "What survives"};
    section.say(fmt::format(
        "Out of {} draws a word is kept {} times on average{}; half of the words at most {} times, "
        "95 of 100 words at most {} times.{}{}",
        draws, interval ? mean.value : shownNumber(kept.mean), mean.interval("95% interval "),
        shownNumber(kept.p50), shownNumber(kept.p95),
        worst.empty() || worst.front().nw == 0.0
            ? ""
            : fmt::format(" The word kept most often of those measured: “{}”, {} times.",
                          worst.front().word, shownNumber(worst.front().nw)),
        judged.report.settings.texts ? "" : " " + prose("each word once")));
    section.say(noneText(judged.summary, kept.max == 0.0));
    section.blocks.emplace_back(shareFigure(judged.report, judged.findings));
    return section;
}

/// Taking the output at face value is an attack too; the share of kept words is its success.
Section attackerSection(const Judged& judged) {
    const auto& texts = judged.report.settings.texts;
    const std::string measured = measuredAttacks(judged);
    Section section{"attacker", "What an attacker gets, and what the text is still good for"};
    section.say(fmt::format(
        "An attacker who takes every released word at face value is right for {} {}.{}",
        texts ? outOf100(hundredthsOf(*texts).kept, texts->kept)
              : outOf100(hundredthsOf(*judged.cell).kept, judged.cell->kept),
        texts ? "known words of " + texts->file : "words of the vocabulary",
        measured.empty() ? " A better attacker gets more. " + prose("attacks unmeasured") : ""));
    const std::string bounds = attackBounds(judged);
    section.say(joined({measured, measured.empty() ? "" : prose("no guarantee"), bounds}, " "));
    const std::string use = measuredUtility(judged);
    section.say(fmt::format("{} draws of a word return {} different outputs on average. {}",
                            formatCount(judged.summary.draws),
                            countWords({judged.cell->sw.mean, spreadInterval(judged.cell->sw)}, 1.0,
                                       judged.summary.draws)
                                .value,
                            use.empty() ? prose("use unmeasured") : use));
    return section;
}

Table limitTable(const Judged& judged) {
    Table table{"", {"", {"limit", Align::left}, "measured", {"met", Align::left}}};
    const bool isChosen = judged.cell != nullptr;
    const auto add = [&](std::string limit, std::string measured, bool isMet, bool isMissed) {
        table.rows.push_back({fmt::format("Limit {}", table.rows.size() + 1), std::move(limit),
                              std::move(measured),
                              isMet      ? "✓ yes"
                              : isMissed ? "✗ NO"
                              : isChosen ? "– open"
                                         : ""});
    };
    const auto& limits = judged.report.settings.limits;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const LimitCheck* check = isChosen ? &judged.findings.limits[i] : nullptr;
        const bool isMet = isChosen && check->met();
        add(limitWords(limits[i], judged.summary.draws), isChosen ? valueWords(*check) : kAbsent,
            isMet, isChosen && !isMet);
    }
    for (const auto& finding : document::figureFindings(judged.report, judged.findings)) {
        add(limitWords(finding.limit),
            finding.check ? valueWords(*finding.check)
            : isChosen    ? "not measured at this setting"
                          : kAbsent,
            finding.met(), finding.missed());
    }
    return table;
}

/// What the words kept most often did under fresh draws, against the limits on them.
Paragraph freshDraws(const Judged& judged) {
    const auto& worst = judged.cell->worst;
    if (!worst) {
        return {prose("not counted again")};
    }
    const double share = worst->largestShare();
    const auto& checks = judged.findings.limits;
    const bool isBeyond = std::ranges::any_of(checks, [&](const LimitCheck& check) {
        const bool isCount = check.limit.statistic == LimitStatistic::nw;
        return calibration::holdMaximum({check.limit}) &&
               check.limit.relation == LimitRelation::atMost &&
               share * (isCount ? judged.summary.draws : 1) > check.bound;
    });
    return {fmt::format("The {} words kept most often were counted again with {} fresh draws each: "
                        "a word is kept {} times at most{}.",
                        formatCount(worst->words.size()), formatCount(worst->draws),
                        formatCount(std::llround(share * worst->draws)),
                        isBeyond ? ", which is MORE than the limit on the word kept most often "
                                   "allows"
                                 : ""),
            isBeyond};
}

Section limitSection(const Judged& judged) {
    const auto& limits = judged.report.settings.limits;
    const std::size_t within = judged.findings.withinLimits.size();
    Section section{"limits", "Limits"};
    const Table table = limitTable(judged);
    if (table.rows.empty()) {
        section.say("No limits were set.");
        return section;
    }
    if (judged.cell == nullptr && !limits.empty()) {
        section.say(fmt::format("{} of the {} calibrated settings are within all limits on words.",
                                within == 0 ? "None" : formatCount(within),
                                formatCount(judged.summary.cells.size())),
                    within == 0);
    }
    section.blocks.emplace_back(table);
    section.say(judged.report.settings.figureLimits.empty() ? "" : prose("limits on texts"));
    section.say(extremeText(judged.report.run.provenance, judged.summary, limits));
    if (judged.cell != nullptr && !judged.summary.isExact() && calibration::holdMaximum(limits)) {
        section.blocks.emplace_back(freshDraws(judged));
    }
    return section;
}

Section exampleSection(const Judged& judged) {
    Section section{"examples", "Examples"};
    bool hasUnknown = false;
    for (calibration::Example& example : shownExamples(judged)) {
        section.say(fmt::format("“{}” could become any of", example.text));
        hasUnknown = hasUnknown || (!example.outputs.empty() &&
                                    example.outputs.front().find(calibration::Example::kUnknown) !=
                                        std::string::npos);
        section.blocks.emplace_back(BulletList{std::move(example.outputs)});
    }
    section.say(hasUnknown ? fmt::format("{}: a word that the embedding does not know.",
                                         calibration::Example::kUnknown)
                           : "");
    return section;
}

Section othersSection(const Judged& judged) {
    Section section{"others", "Other mechanisms"};
    const auto& compared = judged.report.compared;
    if (!compared) {
        section.say(prose("others unmeasured"));
        return section;
    }
    Table table{fmt::format("Where they keep {} of 100 words, too; {} of the words measured, {} "
                            "draws of each",
                            decimals(100.0 * compared->kept, 0), formatCount(compared->words),
                            formatCount(compared->draws)),
                {"", "ε", "become a near word, of 100", "the odds change by at most"}};
    if (!judged.findings.odds.empty()) {
        const calibration::PairDistance& pair = judged.findings.odds.front().pair;
        table.columns.back().title = fmt::format("odds, {} against {}", pair.first, pair.second);
    }
    for (const document::ComparedChoice::Row& row : compared->rows) {
        table.rows.push_back({(table.rows.empty() ? "chosen: " : "") + row.mechanism,
                              formatSignificant(row.epsilon, 3), decimals(100.0 * row.near, 0),
                              row.pairLoss ? oddsWords(*row.pairLoss) : kAbsent});
    }
    section.blocks.emplace_back(std::move(table));
    section.say(
        compared->rows.size() == 1
            ? "No other mechanism runs on these vectors and keeps as many words at an ε that was "
              "measured."
            : "");
    return section;
}

Section unprotectedSection(const Judged& judged) {
    const auto& selection = judged.report.run.provenance.selection;
    BulletList list{{mechanism::notCovered().begin(), mechanism::notCovered().end()}};
    list.items.push_back(prose("tuned"));
    if (selection && !selection->dataFile.empty()) {
        list.items.push_back(prose("words of data"));
    }
    if (judged.report.settings.unknownWords == "keep") {
        list.items.push_back(prose("unknown kept"));
    }
    return {"unprotected", "What is not protected", {list}};
}

Section purposeSection(const document::ReportSettings& settings) {
    return {"purpose",
            "Who, why and for what",
            {Facts{{{"Purpose", statedOr(settings.purpose)},
                    {"Source of the texts", statedOr(settings.textSource)},
                    {"Why this setting", statedOr(settings.reason)},
                    {"Other settings considered", settings.alternatives},
                    {"Author and date",
                     fmt::format("{}, {}", statedOr(settings.author),
                                 settings.date.empty() ? "no date" : settings.date)}}}}};
}

}  // namespace

std::vector<Section> memoSections(const Judged& judged) {
    std::vector<Section> sections{chosenSection(judged)};
    if (judged.cell != nullptr) {
        for (const auto section : {promisedSection, survivesSection, attackerSection}) {
            sections.push_back(section(judged));
        }
    }
    sections.push_back(limitSection(judged));
    if (judged.cell != nullptr) {
        sections.push_back(othersSection(judged));
        sections.push_back(exampleSection(judged));
    }
    sections.push_back(unprotectedSection(judged));
    sections.push_back(purposeSection(judged.report.settings));
    sections.push_back({"signOff",
                        "Sign-off: seen and agreed",
                        {Table{"",
                               {"role", "name", "date", "signature"},
                               {{"Analyst", "", "", ""}, {"Reviewer", "", "", ""}},
                               true}}});
    return sections;
}

}  // namespace epsilens::report
