#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/markup_text.h"
#include "core/report/odds_text.h"
#include "core/report/recommendation_report.h"
#include "core/report/report_parts.h"
#include "core/report/report_text.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::LimitCheck;
using calibration::Recommendation;
using calibration::SettingRecommendation;

std::string heading(const calibration::Provenance& provenance,
                    const Recommendation& recommendation) {
    const CalibrationSummary& run = recommendation.run;
    std::string text =
        recommendation.partial
            ? fmt::format("PARTIAL: interrupted after {} of {} settings\n",
                          recommendation.settings.size(), recommendation.settingsAsked)
            : std::string();
    text += fmt::format("{} on {}\n{} words, {} draws (R){}, seed {}, {:.1f} s\n",
                        run.grid.mechanism.title(), printable(runTitle(provenance)),
                        formatCount(run.words), formatCount(run.draws),
                        run.isExact() ? ", exact" : "", run.seed, run.seconds);
    return provenance.selection ? text + printable(selectionSentence(*provenance.selection)) + "\n"
                                : text;
}

bool isMatch(const experiment::FigureLimits* figures) {
    return figures != nullptr && figures->limits.front().isMatch;
}

/// "N_w, maximum: 29.7%" of a value to match, which is the only limit.
std::string matchedValue(const Recommendation& recommendation) {
    const calibration::Limit& limit = recommendation.limits.front();
    const std::string text = calibration::matchText(limit);
    const std::string sentence = limitSentence(limit);
    return fmt::format("{}: {}", sentence.substr(0, sentence.find(':')),
                       text.substr(text.find('=') + 1));
}

std::string limitList(const Recommendation& recommendation,
                      const experiment::FigureLimits* figures) {
    if (recommendation.matches) {
        return fmt::format("\nMatched\n  1  {}\n", matchedValue(recommendation));
    }
    std::string text = isMatch(figures) ? "\nMatched\n" : "\nLimits\n";
    for (std::size_t i = 0; i < recommendation.limits.size(); ++i) {
        text += fmt::format("  {}  {}\n", i + 1, limitSentence(recommendation.limits[i]));
    }
    if (figures != nullptr) {
        for (std::size_t i = 0; i < figures->limits.size(); ++i) {
            text += fmt::format("  {}  {}{}\n", recommendation.limits.size() + i + 1,
                                limitSentence(figures->limits[i]),
                                isMatch(figures) ? "" : ", with its whole interval");
        }
    }
    return text;
}

/// "λ = 0.5" or "γ = 12.1", empty for a mechanism with neither.
std::string settingName(const Recommendation& recommendation,
                        const SettingRecommendation& setting) {
    std::string name;
    if (hasLambda(recommendation.run)) {
        name = fmt::format("λ = {}", formatNumber(setting.cell.lambda));
    }
    if (setting.cell.beta) {
        name += fmt::format("{}β = {}", name.empty() ? "" : ", ", formatNumber(*setting.cell.beta));
    } else if (setting.cell.gamma) {
        name +=
            fmt::format("{}γ = {}", name.empty() ? "" : ", ", formatNumber(*setting.cell.gamma));
    }
    return name;
}

std::string atSetting(const Recommendation& recommendation, const SettingRecommendation& setting) {
    const std::string name = settingName(recommendation, setting);
    return name.empty() ? "" : name + ": ";
}

/// A value as its limit counts it.
std::string valueText(const LimitCheck& check, int draws) {
    const auto statistic = check.limit.statistic;
    const bool isCount = statistic == calibration::LimitStatistic::nw ||
                         statistic == calibration::LimitStatistic::sw;
    return check.limit.percent ? percent(isCount ? check.value / draws : check.value)
                               : formatSignificant(check.value, 3);
}

std::vector<std::string> rowOf(const Recommendation& recommendation, std::size_t index) {
    const CalibrationSummary& run = recommendation.run;
    const SettingRecommendation& setting = recommendation.settings[index];
    std::vector<std::string> fields = shownSettings(run, setting.cell);
    if (!setting.epsilon) {
        fields.front() = "none";
    }
    fields.push_back(setting.epsilon ? boundText(setting.guarantee) : "none");
    for (std::size_t i = 0; i < setting.checks.size(); ++i) {
        fields.push_back(valueText(setting.checks[i], run.draws) +
                         (setting.checks[i].met() ? "" : " ✗"));
        if (!run.isExact()) {
            fields.push_back(
                setting.freshChecks.empty()
                    ? "–"
                    : valueText(setting.freshChecks[i], run.draws) +
                          (setting.freshChecks[i].met() || recommendation.matches ? "" : " ✗"));
        }
    }
    for (const double share : {setting.cell.kept, setting.cell.near, setting.cell.far}) {
        fields.push_back(percent(share));
    }
    fields.push_back(formatSignificant(setting.cell.meanDistance, 3));
    fields.push_back(setting.cell.meanCosine ? fmt::format("{:.3f}", *setting.cell.meanCosine)
                                             : "–");
    fields.emplace_back(recommendation.best == index ? "best" : "");
    return fields;
}

Table settingRows(const Recommendation& recommendation) {
    const CalibrationSummary& run = recommendation.run;
    Table table{{}, settingTitles(run), {}};
    table.titles.emplace_back("bound");
    for (std::size_t i = 0; i < recommendation.limits.size(); ++i) {
        table.titles.push_back(fmt::format("limit {}", i + 1));
        if (!run.isExact()) {
            table.titles.emplace_back("fresh");
        }
    }
    for (const char* title : {"kept", "near", "far", "distance", "cosine", ""}) {
        table.titles.emplace_back(title);
    }
    for (std::size_t i = 0; i < recommendation.settings.size(); ++i) {
        table.rows.push_back(rowOf(recommendation, i));
    }
    return table;
}

std::string settingTable(const Recommendation& recommendation) {
    std::string note =
        recommendation.matches
            ? "\nThe ε at which each setting has the value, as nearly as possible without passing "
              "it, and the other\nvalues there. Where there is none, the values nearest to it"
            : "\nLargest ε that meets all limits, and the limited values there. Where there is "
              "none, "
              "the values nearest\nto the limits";
    note += recommendation.run.isExact()
                ? ".\n"
                : fmt::format(
                      ". fresh: the same words under draws that the search did not see (seed {})\n",
                      recommendation.freshSeed);
    return note + "\n" + tableText(settingRows(recommendation));
}

std::string_view noneText(bool isKnown) {
    return isKnown ? "no ε meets all limits" : "no ε found that meets all limits";
}

/// "every ε from 0.1 to 20 was searched"
std::string searchedText(const SettingRecommendation& setting) {
    const std::string range =
        fmt::format("from {} to {}", formatSignificant(setting.searched.low, 3),
                    formatSignificant(setting.searched.high, 3));
    return setting.everywhere
               ? fmt::format("every ε {} was searched", range)
               : fmt::format("{} values of ε {} were tried", formatCount(setting.looked), range);
}

/// Whether the limit fails at every epsilon because words are kept at every epsilon.
bool isBelowFloor(const Recommendation& recommendation, const SettingRecommendation& setting) {
    using calibration::LimitRelation;
    using calibration::LimitStatistic;
    return !setting.epsilon && setting.everywhere &&
           std::all_of(recommendation.limits.begin(), recommendation.limits.end(),
                       [](const calibration::Limit& limit) {
                           return limit.relation == LimitRelation::atMost &&
                                  (limit.statistic == LimitStatistic::nw ||
                                   limit.statistic == LimitStatistic::kept);
                       });
}

/// Where a setting has the value to match, or that it has not.
std::string matchedSentence(const SettingRecommendation& setting, int draws) {
    if (!setting.epsilon) {
        return fmt::format("no ε found with this value; nearest at ε = {}: {} ({})\n",
                           formatSignificant(setting.cell.epsilon, 4),
                           valueText(setting.checks.front(), draws), searchedText(setting));
    }
    return fmt::format("{} at ε = {}, {} just above\n", valueText(setting.checks.front(), draws),
                       formatNumber(*setting.epsilon), valueText(*setting.binding, draws));
}

/// "48 values of ε from 1 to 40 were tried, up to 15.1"
std::string searchedText(const experiment::LimitsFound& found) {
    return fmt::format("{} values of ε from {} to {} were tried{}", formatCount(found.looked),
                       formatNumber(found.searched.low), formatNumber(found.searched.high),
                       found.lookedTo < found.searched.high
                           ? fmt::format(", up to {}", formatNumber(found.lookedTo))
                           : std::string());
}

/// How one setting meets the limits on figures, what holds it down, and how far was looked; empty
/// where nothing was read.
std::vector<std::string> figureSentences(const experiment::LimitsFound& found) {
    std::vector<std::string> sentences;
    if (found.checks.empty()) {
        return sentences;
    }
    const bool isMatch = found.checks.front().limit.isMatch;
    sentences.push_back(found.epsilon
                            ? fmt::format("at ε = {} {}", formatNumber(*found.epsilon),
                                          isMatch ? "the value was not exceeded so far"
                                                  : "the figures meet their limits")
                            : fmt::format("no ε found {}; nearest at ε = {}",
                                          isMatch ? "with this value" : "that meets all limits",
                                          formatNumber(found.closest)));
    for (const experiment::FigureCheck& check : found.checks) {
        sentences.push_back("  " + checkSentence(check));
    }
    for (const experiment::FigureCheck& check : found.fresh) {
        sentences.push_back(
            fmt::format("  with fresh splits and draws {}: {}{}", figureText(check.limit.figure),
                        figureValueText(check.figure),
                        check.met() || isMatch ? ""
                                               : ", beyond the limit; the interval of "
                                                 "the search is that of its best look"));
    }
    if (found.epsilon && found.binding) {
        sentences.push_back(fmt::format("{} {} at ε = {}",
                                        isMatch ? "just above," : "ε is held down by",
                                        checkSentence(*found.binding), formatNumber(*found.above)));
    }
    const bool isEnd = found.epsilon && !(*found.epsilon < found.searched.high);
    sentences.push_back(searchedText(found) +
                        (isEnd || isMatch ? ""
                         : found.epsilon  ? "; between them a larger one may meet the limits"
                                          : "; between them one may meet the limits"));
    return sentences;
}

/// What the limits on figures found for a setting; empty without.
std::vector<std::string> sentencesOf(const experiment::FigureLimits* figures, std::size_t setting) {
    return figures == nullptr ? std::vector<std::string>()
                              : figureSentences(figures->settings[setting]);
}

/// The setting without an epsilon that misses a limit on a figure by least; empty without.
std::string figureShortfall(const Recommendation& recommendation,
                            const experiment::FigureLimits* figures) {
    const experiment::FigureCheck* nearest = nullptr;
    std::string where;
    for (std::size_t i = 0; figures != nullptr && i < figures->settings.size(); ++i) {
        const experiment::LimitsFound& found = figures->settings[i];
        // A value to match may be missed without being exceeded.
        const experiment::FigureCheck* const missed = found.binding ? &*found.binding
                                                      : isMatch(figures) && !found.checks.empty()
                                                          ? &found.checks.front()
                                                          : nullptr;
        if (!found.epsilon && missed != nullptr &&
            (nearest == nullptr || missed->margin > nearest->margin)) {
            nearest = missed;
            const std::string name = settingName(recommendation, recommendation.settings[i]);
            where = fmt::format("{}ε = {}", name.empty() ? "" : name + ", ",
                                formatNumber(found.closest));
        }
    }
    return nearest == nullptr
               ? std::string()
               : fmt::format("no ε found {}; nearest at {}: {}",
                             isMatch(figures) ? "at which a setting has the value " +
                                                    limitText(figures->limits.front())
                                              : "that meets all limits",
                             where, checkSentence(*nearest));
}

/// What keeps each setting from a larger epsilon, or from any.
std::string bindingList(const Recommendation& recommendation,
                        const experiment::FigureLimits* figures) {
    std::string text = "\n";
    const int draws = recommendation.run.draws;
    for (std::size_t i = 0; i < recommendation.settings.size(); ++i) {
        const SettingRecommendation& setting = recommendation.settings[i];
        const std::string name = atSetting(recommendation, setting);
        if (const auto sentences = sentencesOf(figures, i); !sentences.empty()) {
            for (const std::string& sentence : sentences) {
                text += name + sentence + "\n";
            }
            if (figures->settings[i].searched.high < setting.searched.high) {
                text += fmt::format("{}above ε = {} a limit on words fails\n", name,
                                    formatNumber(figures->settings[i].searched.high));
            }
            if (setting.epsilon && setting.binding) {
                text += fmt::format("{}ε is held down by {} just above\n", name,
                                    checkSentence(*setting.binding, draws));
            }
            continue;
        }
        if (recommendation.matches) {
            text += name + matchedSentence(setting, draws);
        } else if (!setting.epsilon) {
            text += fmt::format("{}{}; nearest at ε = {}: {} ({})\n", name,
                                noneText(setting.everywhere),
                                formatSignificant(setting.cell.epsilon, 4),
                                setting.binding ? checkSentence(*setting.binding, draws) : "",
                                searchedText(setting));
            if (isBelowFloor(recommendation, setting)) {
                text += fmt::format("{}N_w has a floor: it is no lower at any ε, however small\n",
                                    name);
            }
        } else if (setting.binding) {
            text += fmt::format("{}ε is held down by {} just above\n", name,
                                checkSentence(*setting.binding, draws));
        } else {
            text += fmt::format("{}all limits are met up to ε = {}, where the search ends\n", name,
                                formatNumber(*setting.epsilon));
        }
        if (setting.epsilon && !setting.everywhere) {
            text += fmt::format("{}{}; between them a larger one may meet the limits\n", name,
                                searchedText(setting));
        }
    }
    return text;
}

std::string freshNotes(const Recommendation& recommendation) {
    std::string text;
    for (const SettingRecommendation& setting : recommendation.settings) {
        for (const LimitCheck& check : setting.freshChecks) {
            if (!check.met() && !recommendation.matches) {
                text += fmt::format(
                    "{}with fresh draws {}: sampling noise, take a smaller ε or "
                    "more draws\n",
                    atSetting(recommendation, setting),
                    checkSentence(check, recommendation.run.draws));
            }
        }
    }
    return text;
}

/// What limits on largest and smallest values say, and do not.
std::string worstNotes(const calibration::Provenance& provenance,
                       const Recommendation& recommendation) {
    std::string text;
    const bool hasExtreme =
        std::any_of(recommendation.limits.begin(), recommendation.limits.end(),
                    [](const calibration::Limit& limit) {
                        return limit.aggregate == calibration::LimitAggregate::max ||
                               limit.aggregate == calibration::LimitAggregate::min;
                    });
    const std::string note = extremeText(provenance, recommendation.run);
    if (hasExtreme && !note.empty()) {
        text += note + " (--words all).\n";
    }
    for (const SettingRecommendation& setting : recommendation.settings) {
        if (setting.cell.worst) {
            text += fmt::format(
                "{}the {} words kept most often, counted again with {} fresh draws each: at most "
                "{}\n",
                atSetting(recommendation, setting), setting.cell.worst->words.size(),
                formatCount(setting.cell.worst->draws),
                percent(setting.cell.worst->largestShare()));
        }
    }
    return text;
}

std::string_view objectiveLabel(calibration::Objective objective) {
    switch (objective) {
        case calibration::Objective::distance:
            return "the least mean distance of word and output";
        case calibration::Objective::cosine:
            return "the largest mean cosine of word and output";
        case calibration::Objective::changed:
            break;
    }
    return "the least share of words changed";
}

std::string conclusion(const Recommendation& recommendation,
                       const experiment::FigureLimits* figures) {
    if (!recommendation.best) {
        // Of a single setting it has been said.
        return recommendation.settings.size() > 1
                   ? "\n" + shortfallSentence(recommendation, figures) + "\n"
                   : std::string();
    }
    const SettingRecommendation& best = recommendation.settings[*recommendation.best];
    const std::string name = settingName(recommendation, best);
    std::string text = fmt::format(
        "\n{}: ε = {}{}",
        recommendation.matches || isMatch(figures) ? "Best at this value" : "Recommended",
        formatNumber(*best.epsilon), name.empty() ? "" : " at " + name);
    if (recommendation.settings.size() > 1) {
        text += fmt::format(", by {}", objectiveLabel(recommendation.objective));
        if (hasLambda(recommendation.run)) {
            text += ".\nEqual ε across λ does not mean an equal guarantee: its metric changes";
        }
    }
    return text + "\n" + guaranteeSentence(best.guarantee) + "\n";
}

}  // namespace

std::string shortfallSentence(const Recommendation& recommendation,
                              const experiment::FigureLimits* figures) {
    if (std::string text = figureShortfall(recommendation, figures); !text.empty()) {
        return text;
    }
    const int draws = recommendation.run.draws;
    const SettingRecommendation* nearest = nullptr;
    double least = 0.0;
    for (const SettingRecommendation& setting : recommendation.settings) {
        if (!setting.binding) {
            continue;
        }
        const double missed =
            calibration::shareMissed(*setting.binding, draws, recommendation.run.words);
        if (nearest == nullptr || missed < least) {
            nearest = &setting;
            least = missed;
        }
    }
    if (recommendation.matches) {
        return fmt::format("no ε found at which a setting has the value {}",
                           calibration::matchText(recommendation.limits.front()));
    }
    if (nearest == nullptr) {
        return "no ε meets all limits";
    }
    const bool isKnown =
        std::all_of(recommendation.settings.begin(), recommendation.settings.end(),
                    [](const SettingRecommendation& setting) { return setting.everywhere; });
    return fmt::format("{}; nearest at {}ε = {}: {}", noneText(isKnown),
                       settingName(recommendation, *nearest).empty()
                           ? ""
                           : settingName(recommendation, *nearest) + ", ",
                       formatSignificant(nearest->cell.epsilon, 4),
                       checkSentence(*nearest->binding, draws));
}

std::string recommendationText(const calibration::Provenance& provenance,
                               const Recommendation& recommendation,
                               const experiment::FigureLimits* figures) {
    return heading(provenance, recommendation) + limitList(recommendation, figures) +
           settingTable(recommendation) + bindingList(recommendation, figures) +
           freshNotes(recommendation) + worstNotes(provenance, recommendation) +
           conclusion(recommendation, figures);
}

}  // namespace epsilens::report
