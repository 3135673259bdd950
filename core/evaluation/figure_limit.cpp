#include "core/evaluation/figure_limit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/base/numbers.h"

namespace epsilens::evaluation {
namespace {

using calibration::refuseLimit;
using Kind = FigureName::Kind;

constexpr std::string_view kAttack = "attack.";
constexpr std::string_view kClassify = "classify.";

constexpr EnumNames<Kind, 6> kKinds{{{"best", Kind::best},
                                     {"gain", Kind::gain},
                                     {"upper", Kind::upper},
                                     {"accuracy", Kind::accuracy},
                                     {"macroF1", Kind::macroF1},
                                     {"retained", Kind::retained}}};

Result<FigureLimit> parse(std::string_view text, bool isMatch) {
    const calibration::LimitParts parts = calibration::limitParts(text);
    if (!namesFigure(text) || (isMatch && parts.relation != "=")) {
        return refuseLimit(text,
                           isMatch ? "write a figure to match as attack.best=20%, attack.gain=5%, "
                                     "attack.upper=30% or classify.CLASSIFIER.accuracy=0.8"
                                   : "a figure begins with attack. or classify.");
    }
    const bool isRisk = parts.subject.starts_with(kAttack);
    std::string_view name = parts.subject.substr((isRisk ? kAttack : kClassify).size());
    FigureLimit limit;
    limit.isMatch = isMatch;
    if (!isRisk) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        const auto classifier = parseClassifier(name.substr(0, dot));
        if (!classifier) {
            return refuseLimit(text, classifier.error().message);
        }
        limit.figure.classifier = *classifier;
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    const auto kind = valueIn(kKinds, name);
    if (!kind || FigureName{*kind}.isRisk() != isRisk) {
        return refuseLimit(text, isRisk ? "an attack has the figures attack.best, attack.gain and "
                                          "attack.upper"
                                        : "a classifier has the figures accuracy, macroF1 and "
                                          "retained, such as classify.linear.retained");
    }
    limit.figure.kind = *kind;
    if (!isMatch && parts.relation != (isRisk ? "<=" : ">=")) {
        return refuseLimit(text, isRisk
                                     ? "a limit on attackers is an upper one: write it with <="
                                     : "a limit on a classifier is a lower one: write it with >=");
    }
    ASSIGN_OR_RETURN(const auto read, calibration::parseLimitValue(text, parts.value, true));
    limit.value = read.value;
    limit.percent = read.percent;
    if (isMatch && !(limit.share() > 0.0)) {
        return refuseLimit(text, "a value to match is above 0");
    }
    return limit;
}

/// Turns a distance so that more is better.
double signOf(const FigureLimit& limit) {
    return limit.isUpper() ? 1.0 : -1.0;
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
    return parse(text, false);
}

Result<FigureLimit> parseFigureMatch(std::string_view text) {
    return parse(text, true);
}

std::string figureText(const FigureName& figure) {
    const std::string_view name = nameIn(kKinds, figure.kind);
    return figure.isRisk()
               ? fmt::format("{}{}", kAttack, name)
               : fmt::format("{}{}.{}", kClassify, classifierName(figure.classifier), name);
}

std::string figurePath(const FigureName& figure) {
    return figure.isRisk() ? fmt::format("reconstruct.{}", nameIn(kKinds, figure.kind))
                           : figureText(figure);
}

std::string limitText(const FigureLimit& limit) {
    return fmt::format("{}{}{}", figureText(limit.figure),
                       limit.isMatch     ? "="
                       : limit.isUpper() ? "<="
                                         : ">=",
                       calibration::limitValueText(limit.value, limit.percent));
}

FigureCheck checkFigure(const FigureLimit& limit, const FigureValue& figure) {
    const double sign = signOf(limit);
    const double judged =
        figure.ci95 && !limit.isMatch ? (*figure.ci95)[limit.isUpper() ? 1 : 0] : figure.value;
    return {limit, figure, sign * (limit.share() - judged)};
}

bool FigureCheck::isValueWithin() const {
    return signOf(limit) * (limit.share() - figure.value) >= 0.0;
}

std::optional<FigureLimit> FigureCheck::loosened() const {
    if (met() || std::isnan(margin)) {
        return std::nullopt;
    }
    const double sign = signOf(limit);
    FigureLimit looser = limit;
    looser.percent = true;
    looser.value = sign * std::ceil(sign * 100.0 * (limit.share() - sign * margin));
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
