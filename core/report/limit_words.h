#pragma once

#include <string>

#include "core/calibration/limits.h"
#include "core/evaluation/figure_limit.h"

/// Limits in the words of people who do not know the program.
namespace epsilens::report {

/// "95 of 100 words are kept in at most 50 of 100 draws".
///
/// draws  R of the run that the limit is held against, > 0
[[nodiscard]] std::string limitWords(const calibration::Limit& limit, int draws);

/// "43.2": three significant digits, or as many as tell it from the bound.
[[nodiscard]] std::string valueWords(const calibration::LimitCheck& check);
/// The same with limit and verdict: "…: yes, 43.2", "…: NO, 56.1".
[[nodiscard]] std::string checkWords(const calibration::LimitCheck& check, int draws);

/// "an attacker guesses at most 5 of 100 words more than without the release".
[[nodiscard]] std::string limitWords(const evaluation::FigureLimit& limit);

/// The same with the verdict: "…: yes, 4.2 (3.9 to 4.5)". The brackets hold a 95% interval, the
/// whole of which has to be within the limit.
[[nodiscard]] std::string checkWords(const evaluation::FigureCheck& check);

/// "4.2 (3.9 to 4.5)": out of 100, with the 95% interval, told from the bound of the limit.
[[nodiscard]] std::string valueWords(const evaluation::FigureCheck& check);

}  // namespace epsilens::report
