#include "core/report/recommendation_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::LimitCheck;
using calibration::SettingRecommendation;
using evaluation::FigureCheck;
using evaluation::LimitedRecommendation;
using evaluation::LimitsFound;

/// "λ = 0.5, ε = 5.885"
std::string placeText(const LimitedRecommendation& found, std::size_t setting, double epsilon) {
    return joined({familyText(found.run, found.settings[setting].cell),
                   "ε = " + formatSignificant(epsilon, 4)},
                  ", ");
}

std::string withVerdict(const std::string& value, bool met) {
    return value + (met ? "" : " ✗");
}

/// The settings, each with the largest epsilon that was found for it.
Table settingTable(const LimitedRecommendation& found) {
    const CalibrationSummary& run = found.run;
    Table table{"", settingColumns(run, {"bound",
                                         "kept",
                                         "near",
                                         "far",
                                         "distance",
                                         "cosine",
                                         {"searched", Align::left},
                                         {"", Align::left}})};
    for (std::size_t i = 0; i < found.settings.size(); ++i) {
        const SettingRecommendation& setting = found.settings[i];
        std::vector<std::string> row = shownSettings(run, setting.cell);
        row.front() = setting.epsilon ? row.front() : "none";
        row.insert(
            row.end(),
            {setting.epsilon ? boundText(setting.guarantee) : "none", shownShare(setting.cell.kept),
             shownShare(setting.cell.near), shownShare(setting.cell.far),
             formatSignificant(setting.cell.meanDistance, 3), decimals(setting.cell.meanCosine, 3),
             fmt::format("{} from {} to {}",
                         setting.everywhere ? "every ε"
                                            : fmt::format("{} values", formatCount(setting.looked)),
                         formatSignificant(setting.searched.low, 3),
                         formatSignificant(setting.searched.high, 3)),
             found.best == i ? "best" : ""});
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string limitName(const LimitCheck& check, int draws) {
    return limitWords(check.limit, draws);
}

std::string limitName(const FigureCheck& check, int /*draws*/) {
    return check.limit.isMatch ? limitText(check.limit) : limitWords(check.limit);
}

/// A row for each limit of a setting.
///
/// fresh      the same limits under fresh draws, or none
/// binding    the one that keeps epsilon from being larger, just above it; or nothing
/// isMatched  whether a value below the limit under fresh draws is no worse than one above
template <typename Check>
void addLimits(Table& table, const std::string& where, int draws, const std::vector<Check>& checks,
               const std::vector<Check>& fresh, const std::optional<Check>& binding, bool isMatched,
               const std::string& again) {
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const Check& check = checks[i];
        table.rows.push_back(
            {where, limitName(check, draws), withVerdict(valueWords(check), check.met()),
             fresh.empty() ? kAbsent
                           : withVerdict(valueWords(fresh[i]), fresh[i].met() || isMatched),
             binding && binding->limit == check.limit ? valueWords(*binding) : kAbsent, again});
    }
}

/// The limits of each setting: what was allowed, measured, measured again, and just above epsilon.
Table limitTable(const LimitedRecommendation& found) {
    const int draws = found.run.draws;
    Table table{"",
                {"setting",
                 {"limit", Align::left},
                 "measured",
                 "fresh",
                 "just above",
                 {"counted again", Align::left}}};
    for (std::size_t i = 0; i < found.settings.size(); ++i) {
        const SettingRecommendation& setting = found.settings[i];
        const auto& worst = setting.cell.worst;
        addLimits(table, placeText(found, i, setting.cell.epsilon), draws, setting.checks,
                  setting.freshChecks, setting.epsilon ? setting.binding : std::nullopt,
                  found.matches,
                  worst ? fmt::format("at most {} of {} fresh draws",
                                      shownShare(worst->largestShare()), formatCount(worst->draws))
                        : "");
        if (!found.figures.empty()) {
            const LimitsFound& figures = found.figures[i];
            addLimits(table, placeText(found, i, figures.epsilon.value_or(figures.closest)), draws,
                      figures.checks, figures.fresh,
                      figures.epsilon ? figures.binding : std::nullopt, !matchOf(found).empty(),
                      "");
        }
    }
    return table;
}

Section foundSection(const calibration::Provenance& provenance,
                     const LimitedRecommendation& found) {
    const auto& settings = found.settings;
    const std::string match = matchOf(found);
    const bool isMeasuredAgain = std::ranges::any_of(
        settings, [](const auto& setting) { return setting.freshCell.has_value(); });
    Section section{"", match.empty() ? "Largest ε that meets all limits" : "Matched: " + match};
    section.blocks.emplace_back(settingTable(found));
    section.blocks.emplace_back(limitTable(found));
    section.say(fmt::format(
        "{}{} just above: the limit that keeps ε from being larger.",
        match.empty()
            ? "Where no ε meets all limits, the values nearest to them."
            : "The ε at which each setting has the value, as nearly as possible without passing "
              "it; where there is none, the nearest.",
        found.run.isExact() || !isMeasuredAgain
            ? ""
            : fmt::format(" fresh: the same words under draws that the search did not see (seed "
                          "{}); where they miss a limit, take a smaller ε or more draws.",
                          found.freshSeed)));
    section.say(found.figures.empty() &&
                        std::ranges::all_of(settings,
                                            [](const auto& setting) { return setting.everywhere; })
                    ? ""
                    : "Between values of ε that were tried one by one a larger one may meet the "
                      "limits.");
    section.say(!found.figures.empty() && match.empty() ? prose("limits on texts") : "");
    section.say(extremeText(provenance, found.run, found.limits));
    return section;
}

std::string_view objectiveLabel(calibration::Objective objective) {
    return objective == calibration::Objective::distance ? "least mean distance of word and output"
           : objective == calibration::Objective::cosine ? "largest mean cosine of word and output"
                                                         : "least share of words changed";
}

Section conclusion(const LimitedRecommendation& found) {
    Section section{"", "What to take"};
    if (!found.best) {
        section.say(shortfallSentence(found) + ".");
        return section;
    }
    const SettingRecommendation& best = found.settings[*found.best];
    const std::string family = familyText(found.run, best.cell);
    section.say(fmt::format(
        "{}: ε = {}{}{}{}.", matchOf(found).empty() ? "Recommended" : "Best at this value",
        formatNumber(*best.epsilon), family.empty() ? "" : " at ", family,
        found.settings.size() > 1 ? fmt::format(", by the {}", objectiveLabel(found.objective))
                                  : ""));
    section.say(lambdaText(found.run));
    section.say(guaranteeSentence(best.guarantee) + ".");
    return section;
}

}  // namespace

std::string matchOf(const LimitedRecommendation& found) {
    return found.matches ? calibration::matchText(found.limits.front())
           : !found.figureLimits.empty() && found.figureLimits.front().isMatch
               ? limitText(found.figureLimits.front())
               : std::string();
}

std::string shortfallSentence(const LimitedRecommendation& found) {
    const auto& settings = found.settings;
    const std::string match = matchOf(found);
    std::string nearest;
    std::optional<double> least;
    const auto consider = [&](double missed, std::size_t setting, double epsilon,
                              const std::string& what) {
        if (!least || missed < *least) {
            least = missed;
            nearest = fmt::format("; nearest at {}: {}", placeText(found, setting, epsilon), what);
        }
    };
    for (std::size_t i = 0; i < found.figures.size(); ++i) {
        const LimitsFound& figures = found.figures[i];
        // A value to match may be missed without being exceeded.
        const FigureCheck* const missed = figures.binding ? &*figures.binding
                                          : !match.empty() && !figures.checks.empty()
                                              ? &figures.checks.front()
                                              : nullptr;
        if (!figures.epsilon && missed != nullptr) {
            consider(
                -missed->margin, i, figures.closest,
                match.empty() ? checkWords(*missed) : evaluation::figureValueText(missed->figure));
        }
    }
    const bool isKnown = !least && std::all_of(settings.begin(), settings.end(),
                                               [](const auto& one) { return one.everywhere; });
    if (nearest.empty() && match.empty()) {
        for (std::size_t i = 0; i < settings.size(); ++i) {
            if (const auto& binding = settings[i].binding) {
                consider(calibration::shareMissed(*binding, found.run.draws, found.run.words), i,
                         settings[i].cell.epsilon, checkWords(*binding, found.run.draws));
            }
        }
    }
    return match.empty()
               ? fmt::format("no ε {}meets all limits{}", isKnown ? "" : "found that ", nearest)
               : fmt::format("no ε found at which a setting has the value {}{}", match, nearest);
}

std::string recommendationText(const calibration::Provenance& provenance,
                               const LimitedRecommendation& found) {
    const CalibrationSummary& run = found.run;
    Section how;
    how.say(found.partial ? fmt::format("PARTIAL: interrupted after {} of {} settings",
                                        found.settings.size(), found.settingsAsked)
                          : "");
    how.say(fmt::format("{} words, {} draws (R){}, seed {}, {:.1f} s", formatCount(run.words),
                        formatCount(run.draws), run.isExact() ? ", exact" : "", run.seed,
                        run.seconds));
    how.say(selectionSentence(provenance.selection));
    return reportText({fmt::format("{} on {}", run.grid.mechanism.title(), runTitle(provenance)),
                       {std::move(how), foundSection(provenance, found), conclusion(found)}});
}

}  // namespace epsilens::report
