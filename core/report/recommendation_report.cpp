#include "core/report/recommendation_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::LimitCheck;
using calibration::SettingRecommendation;
using document::jsonNumber;
using document::jsonOrNull;
using evaluation::FigureCheck;
using evaluation::LimitedRecommendation;
using evaluation::LimitsFound;
using nlohmann::ordered_json;

ordered_json jsonCheck(const LimitCheck& check) {
    return {{"limit", calibration::limitText(check.limit)},
            {"value", jsonNumber(check.value)},
            {"bound", jsonNumber(check.bound)},
            {"margin", jsonNumber(check.margin)},
            {"met", check.met()}};
}

ordered_json jsonCheck(const FigureCheck& check) {
    return {{"limit", evaluation::limitText(check.limit)},
            {"value", jsonNumber(check.figure.value)},
            {"ci95", jsonOrNull(check.figure.ci95)},
            {"margin", jsonNumber(check.margin)},
            {"met", check.met()}};
}

template <typename Check>
ordered_json jsonCheck(const std::optional<Check>& check) {
    return check ? jsonCheck(*check) : ordered_json(nullptr);
}

template <typename Check>
ordered_json jsonChecks(const std::vector<Check>& checks) {
    ordered_json json = ordered_json::array();
    for (const Check& check : checks) {
        json.push_back(jsonCheck(check));
    }
    return json;
}

ordered_json jsonFigures(const LimitsFound& found) {
    return {{"checks", jsonChecks(found.checks)},
            {"fresh", jsonChecks(found.fresh)},
            {"binding", jsonCheck(found.binding)},
            {"searched",
             {{"from", jsonNumber(found.searched.low)},
              {"to", jsonNumber(found.searched.high)},
              {"lookedTo", jsonNumber(found.lookedTo)},
              {"epsilons", found.tried.size()}}}};
}

ordered_json jsonSetting(const LimitedRecommendation& found, std::size_t i) {
    const CalibrationSummary& run = found.run;
    const SettingRecommendation& setting = found.settings[i];
    ordered_json fresh = nullptr;
    if (setting.freshCell) {
        fresh = {{"seed", found.freshSeed},
                 {"checks", jsonChecks(setting.freshChecks)},
                 {"cell", document::jsonCell(run, *setting.freshCell)}};
    }
    return {
        {"lambda", document::jsonLambda(run.grid.mechanism, setting.cell.lambda)},
        {"gamma", jsonNumber(setting.cell.gamma)},
        {"beta", jsonNumber(setting.cell.beta)},
        {"epsilon", jsonNumber(setting.epsilon)},
        {"above", jsonNumber(setting.above)},
        {"binding", jsonCheck(setting.binding)},
        {"searched",
         {{"from", jsonNumber(setting.searched.low)},
          {"to", jsonNumber(setting.searched.high)},
          {"everywhere", setting.everywhere},
          {"epsilons", setting.everywhere ? ordered_json(nullptr) : ordered_json(setting.looked)}}},
        {"checks", jsonChecks(setting.checks)},
        {"fresh", std::move(fresh)},
        {"figures", found.figures.empty() ? ordered_json(nullptr) : jsonFigures(found.figures[i])},
        {"guarantee", document::jsonGuarantee(run.grid.mechanism, setting.guarantee)},
        {"cell", document::jsonCell(run, setting.cell)}};
}

/// The value to be matched, on words or on texts; empty where there are limits.
std::string matchOf(const LimitedRecommendation& found) {
    return found.matches ? calibration::matchText(found.limits.front())
           : !found.figureLimits.empty() && found.figureLimits.front().isMatch
               ? limitText(found.figureLimits.front())
               : std::string();
}

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

ordered_json recommendationJson(const calibration::Provenance& provenance,
                                const LimitedRecommendation& found, int exitCodeWithoutBest) {
    const CalibrationSummary& run = found.run;
    const std::string match = matchOf(found);
    ordered_json limits = ordered_json::array();
    for (const calibration::Limit& limit : found.limits) {
        limits.push_back(calibration::limitText(limit));
    }
    for (const evaluation::FigureLimit& limit : found.figureLimits) {
        limits.push_back(evaluation::limitText(limit));
    }
    ordered_json json{{"schema", "epsilens.recommendation/1"},
                      {"version", provenance.version},
                      {"embedding", document::jsonEmbedding(provenance.embedding)},
                      {"mechanism", document::jsonMechanism(run.grid.mechanism)},
                      {"limits", std::move(limits)},
                      {"match", jsonOrNull(match)},
                      {"objective", calibration::objectiveName(found.objective)},
                      {"run", document::jsonRun(provenance, run)},
                      {"best", jsonOrNull(found.best)},
                      {"settings", ordered_json::array()}};
    for (std::size_t i = 0; i < found.settings.size(); ++i) {
        json["settings"].push_back(jsonSetting(found, i));
    }
    if (!found.best && !found.partial) {
        const Error error{ErrorCode::limitsNotMet, shortfallSentence(found)};
        json.update(document::jsonError(error, exitCodeWithoutBest));
    }
    return json;
}

}  // namespace epsilens::report
