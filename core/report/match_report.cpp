#include "core/report/match_report.h"

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::report {
namespace {

using experiment::LimitsFound;
using experiment::Match;
using experiment::MatchedSetting;
using experiment::MatchFound;

/// "λ 0.5, β 0.001: "; empty for a mechanism without such parameters.
std::string settingName(const mechanism::Mechanism& mechanism) {
    const mechanism::Parameters parameters = mechanism.parameters();
    std::string name;
    for (const auto& [symbol, value] :
         {std::pair{"λ", parameters.lambda}, std::pair{"γ", parameters.gamma},
          std::pair{"β", parameters.beta}}) {
        if (value) {
            name += fmt::format("{}{} {}", name.empty() ? "" : ", ", symbol, formatNumber(*value));
        }
    }
    return name.empty() ? name : name + ": ";
}

/// "48 values of ε from 1 to 40 were tried, up to 15.1"
std::string searchedText(const calibration::EpsilonSpan& searched, double lookedTo, int looked) {
    return fmt::format("{} values of ε from {} to {} were tried{}", formatCount(looked),
                       formatNumber(searched.low), formatNumber(searched.high),
                       lookedTo < searched.high ? fmt::format(", up to {}", formatNumber(lookedTo))
                                                : std::string());
}

/// What the interval of the figure leaves open of epsilon.
std::string rangeText(const MatchFound& found) {
    if (found.low && found.high) {
        return fmt::format("between {} and {}", formatNumber(*found.low),
                           formatNumber(*found.high));
    }
    if (found.low) {
        return fmt::format("above {}", formatNumber(*found.low));
    }
    return found.high ? fmt::format("below {}", formatNumber(*found.high)) : "anywhere";
}

std::string nearestText(const MatchFound& found) {
    const bool isBelow = found.lookedTo >= found.searched.high && !found.high;
    return fmt::format("no ε found; {} at ε = {}", figureValueText(found.figure),
                       formatNumber(isBelow ? found.searched.high : found.searched.low));
}

}  // namespace

std::vector<std::string> matchSentences(const Match& match) {
    std::vector<std::string> sentences{
        fmt::format("Settings compared where {}. For each, ε is the largest tested value below "
                    "which the target was never exceeded.",
                    matchText(match.limit))};
    if (match.settings.size() < match.settingsAsked) {
        sentences.push_back(fmt::format("PARTIAL: interrupted after {} of {} settings.",
                                        match.settings.size(), match.settingsAsked));
    }
    for (const MatchedSetting& setting : match.settings) {
        const MatchFound& found = setting.found;
        const std::string searched = searchedText(found.searched, found.lookedTo, found.looked);
        sentences.push_back(
            settingName(setting.mechanism) +
            (found.epsilon
                 ? fmt::format(
                       "ε = {} with {}; by the intervals {}, and just above is ε = {} ({}).",
                       formatNumber(*found.epsilon), figureValueText(found.figure),
                       rangeText(found), formatNumber(*found.above), searched)
                 : fmt::format("{} ({}).", nearestText(found), searched)));
    }
    return sentences;
}

std::string noMatchSentence(const Match& match) {
    std::string settings;
    for (const MatchedSetting& setting : match.settings) {
        settings += fmt::format("{}{}{}", settings.empty() ? "" : "; ",
                                settingName(setting.mechanism), nearestText(setting.found));
    }
    return fmt::format("no ε found at which a setting has the value {}: {}", matchText(match.limit),
                       settings);
}

std::vector<std::string> figureSentences(const LimitsFound& found) {
    std::vector<std::string> sentences;
    if (found.checks.empty()) {
        return sentences;
    }
    sentences.push_back(
        found.epsilon
            ? fmt::format("at ε = {} the figures meet their limits", formatNumber(*found.epsilon))
            : fmt::format("no ε found that meets all limits; nearest at ε = {}",
                          formatNumber(found.closest)));
    for (const experiment::FigureCheck& check : found.checks) {
        sentences.push_back("  " + checkSentence(check));
    }
    for (const experiment::FigureCheck& check : found.fresh) {
        sentences.push_back(fmt::format("  with fresh splits and draws {}: {}{}",
                                        figureText(check.limit.figure),
                                        figureValueText(check.figure),
                                        check.met() ? ""
                                                    : ", beyond the limit; the interval of "
                                                      "the search is that of its best look"));
    }
    if (found.epsilon && found.binding) {
        sentences.push_back(fmt::format("ε is held down by {} at ε = {}",
                                        checkSentence(*found.binding), formatNumber(*found.above)));
    }
    const bool isEnd = found.epsilon && !(*found.epsilon < found.searched.high);
    sentences.push_back(searchedText(found.searched, found.lookedTo, found.looked) +
                        (isEnd           ? ""
                         : found.epsilon ? "; between them a larger one may meet the limits"
                                         : "; between them one may meet the limits"));
    return sentences;
}

}  // namespace epsilens::report
