#include "core/evaluation/figure_limit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/base/trimmed.h"

namespace epsilens::evaluation {
namespace {

using calibration::LimitRelation;
using calibration::refuseLimit;
using Kind = FigureName::Kind;

constexpr std::string_view kAttack = "attack.";
constexpr std::string_view kClassify = "classify.";

constexpr std::array kKinds{std::pair(Kind::best, std::string_view("best")),
                            std::pair(Kind::gain, std::string_view("gain")),
                            std::pair(Kind::upper, std::string_view("upper")),
                            std::pair(Kind::accuracy, std::string_view("accuracy")),
                            std::pair(Kind::macroF1, std::string_view("macroF1")),
                            std::pair(Kind::retained, std::string_view("retained"))};

std::string_view nameOf(Kind kind) {
    return std::find_if(kKinds.begin(), kKinds.end(),
                        [kind](const auto& entry) { return entry.first == kind; })
        ->second;
}

Result<FigureName> parseFigure(std::string_view text, std::string_view subject) {
    FigureName figure;
    std::string_view kind = subject.substr(std::min(kAttack.size(), subject.size()));
    const bool isAttack = subject.starts_with(kAttack);
    if (!isAttack) {
        const std::size_t dot = std::min(subject.find('.', kClassify.size()), subject.size());
        const auto classifier =
            parseClassifier(subject.substr(kClassify.size(), dot - kClassify.size()));
        if (!classifier) {
            return refuseLimit(text, classifier.error().message);
        }
        figure.classifier = *classifier;
        kind = subject.substr(std::min(dot + 1, subject.size()));
    }
    const auto* const known = std::find_if(kKinds.begin(), kKinds.end(),
                                           [&](const auto& entry) { return entry.second == kind; });
    if (known == kKinds.end() || FigureName{known->first}.isRisk() != isAttack) {
        return refuseLimit(text, isAttack
                                     ? "an attack has the figures attack.best, attack.gain and "
                                       "attack.upper"
                                     : "a classifier has the figures accuracy, macroF1 and "
                                       "retained, such as classify.linear.retained");
    }
    figure.kind = known->first;
    return figure;
}

Result<void> readValue(std::string_view text, std::string_view typed, FigureLimit& limit) {
    ASSIGN_OR_RETURN(const auto read, calibration::parseLimitValue(text, typed, true));
    limit.value = read.value;
    limit.percent = read.percent;
    return {};
}

std::string valueText(const FigureLimit& limit) {
    return calibration::limitValueText(limit.value, limit.percent);
}

std::string percentText(double share) {
    return formatSignificant(100.0 * share, 3) + "%";
}

}  // namespace

bool namesFigure(std::string_view text) {
    const std::string_view subject = trimmed(text);
    return subject.starts_with(kAttack) || subject.starts_with(kClassify);
}

Result<FigureLimit> parseFigureLimit(std::string_view text) {
    const calibration::LimitParts parts = calibration::limitParts(text);
    if (!namesFigure(text)) {
        return refuseLimit(text, "a figure begins with attack. or classify.");
    }
    FigureLimit limit;
    ASSIGN_OR_RETURN(limit.figure, parseFigure(text, parts.subject));
    const bool isRisk = limit.figure.isRisk();
    if (parts.relation != (isRisk ? "<=" : ">=")) {
        return refuseLimit(text, isRisk
                                     ? "a limit on attackers is an upper one: write it with <="
                                     : "a limit on a classifier is a lower one: write it with >=");
    }
    limit.relation = isRisk ? LimitRelation::atMost : LimitRelation::atLeast;
    RETURN_IF_ERROR(readValue(text, parts.value, limit));
    return limit;
}

Result<FigureLimit> parseFigureMatch(std::string_view text) {
    const calibration::LimitParts parts = calibration::limitParts(text);
    if (!namesFigure(text) || parts.relation != "=") {
        return refuseLimit(
            text,
            "write a figure to match as attack.best=20%, attack.gain=5%, attack.upper=30% "
            "or classify.CLASSIFIER.accuracy=0.8");
    }
    FigureLimit limit;
    limit.isMatch = true;
    ASSIGN_OR_RETURN(limit.figure, parseFigure(text, parts.subject));
    RETURN_IF_ERROR(readValue(text, parts.value, limit));
    if (!(limit.share() > 0.0)) {
        return refuseLimit(text, "a value to match is above 0");
    }
    return limit;
}

std::string figureText(const FigureName& figure) {
    const std::string_view name = nameOf(figure.kind);
    return figure.isRisk()
               ? fmt::format("{}{}", kAttack, name)
               : fmt::format("{}{}.{}", kClassify, classifierName(figure.classifier), name);
}

std::string figurePath(const FigureName& figure) {
    return figure.isRisk() ? fmt::format("reconstruct.{}", nameOf(figure.kind))
                           : figureText(figure);
}

std::string limitText(const FigureLimit& limit) {
    const char* const relation = limit.isMatch                             ? "="
                                 : limit.relation == LimitRelation::atMost ? "<="
                                                                           : ">=";
    return fmt::format("{}{}{}", figureText(limit.figure), relation, valueText(limit));
}

FigureCheck checkFigure(const FigureLimit& limit, const FigureValue& figure) {
    const bool isAtMost = limit.relation == LimitRelation::atMost;
    const double judged =
        figure.ci95 && !limit.isMatch ? (*figure.ci95)[isAtMost ? 1 : 0] : figure.value;
    return {limit, figure, isAtMost ? limit.share() - judged : judged - limit.share()};
}

bool FigureCheck::isValueWithin() const {
    return limit.relation == LimitRelation::atMost ? figure.value <= limit.share()
                                                   : figure.value >= limit.share();
}

std::optional<FigureLimit> FigureCheck::loosened() const {
    if (met() || std::isnan(margin)) {
        return std::nullopt;
    }
    const bool isAtMost = limit.relation == LimitRelation::atMost;
    const double judged = 100.0 * (isAtMost ? limit.share() - margin : limit.share() + margin);
    FigureLimit looser = limit;
    looser.percent = true;
    looser.value = isAtMost ? std::ceil(judged) : std::floor(judged);
    return looser.value > 0.0 && looser.value <= 100.0 ? std::optional(looser) : std::nullopt;
}

std::string figureValueText(const FigureValue& figure) {
    if (std::isnan(figure.value)) {
        return "–";
    }
    return figure.ci95 ? fmt::format("{} ({} to {})", percentText(figure.value),
                                     percentText((*figure.ci95)[0]), percentText((*figure.ci95)[1]))
                       : percentText(figure.value);
}

}  // namespace epsilens::evaluation
