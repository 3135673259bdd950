#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/attack/findings.h"
#include "core/base/error.h"
#include "core/calibration/limits.h"
#include "core/evaluation/classifier.h"

namespace epsilens::evaluation {

/// A figure of an evaluation that limits and matches can name. All are shares.
struct FigureName {
    enum class Kind {
        best,      ///< success of the best attacker who guesses words
        gain,      ///< the same less the success of the prior
        upper,     ///< success of who sees the noisy vector, which no attacker on outputs exceeds
        accuracy,  ///< of a classifier
        macroF1,
        retained  ///< see retainedShare
    };

    Kind kind = Kind::best;
    ClassifierKind classifier = ClassifierKind::linear;  ///< of the last three

    /// Whether it tells what attackers learn; else what the text is still good for.
    [[nodiscard]] bool isRisk() const {
        return kind == Kind::best || kind == Kind::gain || kind == Kind::upper;
    }
    [[nodiscard]] attack::Task task() const {
        return isRisk() ? attack::Task::reconstruct : attack::Task::classify;
    }

    bool operator==(const FigureName&) const = default;
};

/// Whether a limit or match speaks of a figure: it begins with "attack." or "classify.".
[[nodiscard]] bool namesFigure(std::string_view text);

/// A bound on a figure: an upper one on what attackers learn and for a match, else a lower one.
struct FigureLimit {
    FigureName figure{};
    double value = 0.0;  ///< as typed: in percent when `percent`, else a share
    bool percent = false;
    /// Whether this is a value to have: the figure itself has to be within it, not its interval.
    bool isMatch = false;

    [[nodiscard]] bool isUpper() const { return isMatch || figure.isRisk(); }
    /// The bound, in [0, 1].
    [[nodiscard]] double share() const { return percent ? value / 100.0 : value; }

    bool operator==(const FigureLimit&) const = default;
};

/// Reads "attack.gain<=5%" or "classify.linear.retained>=0.95":
///   attack.best, attack.gain, attack.upper          only <=
///   classify.CLASSIFIER.accuracy|macroF1|retained   CLASSIFIER linear, vectors or fasttext;
///                                                   only >=
/// Fails with invalidArgument: the text, what is wrong with it, what is allowed.
[[nodiscard]] Result<FigureLimit> parseFigureLimit(std::string_view text);
/// Reads "attack.best=20%", a value above 0 that settings shall have, as the limit <= that each of
/// them just meets there: all figures rise with epsilon. Fails likewise.
[[nodiscard]] Result<FigureLimit> parseFigureMatch(std::string_view text);

/// The text that parseFigureLimit or, of a match, parseFigureMatch reads.
[[nodiscard]] std::string limitText(const FigureLimit& limit);
/// "attack.best"
[[nodiscard]] std::string figureText(const FigureName& figure);
/// The path of the figure in the JSON of an evaluation: "reconstruct.best".
[[nodiscard]] std::string figurePath(const FigureName& figure);

using FigureValue = corpus::Measured;

/// A limit held against a figure. Judged is the end of the interval that is farther from the limit,
/// so that what is met is met by the whole interval; of a match the figure itself.
struct FigureCheck {
    FigureLimit limit{};
    FigureValue figure{};
    /// From the judged end to the bound: not negative exactly when the limit is met, NaN where the
    /// figure does not exist.
    double margin = 0.0;

    [[nodiscard]] bool met() const { return margin >= 0.0; }
    /// Whether the value is within the limit, though perhaps not its whole interval.
    [[nodiscard]] bool isValueWithin() const;
    /// The strictest limit in whole percent, above 0 and at most 100, that this figure meets;
    /// nothing where there is none or the limit is met as it is.
    [[nodiscard]] std::optional<FigureLimit> loosened() const;
};

[[nodiscard]] FigureCheck checkFigure(const FigureLimit& limit, const FigureValue& figure);

/// "20.1% (18.9% to 21.3%)"
[[nodiscard]] std::string figureValueText(const FigureValue& figure);

}  // namespace epsilens::evaluation
