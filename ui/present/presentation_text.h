#pragma once

#include <array>

#include <QString>

namespace epsilens::ui {

class DialModel;

namespace live {
class AttackerGuesses;
class LiveModel;
}  // namespace live

/// The steps of a presentation, in their order.
enum class PresentationStep { text, leaks, promise, limits, choice };
inline constexpr std::array kPresentationSteps{PresentationStep::text, PresentationStep::leaks,
                                               PresentationStep::promise, PresentationStep::limits,
                                               PresentationStep::choice};

/// "The text"
[[nodiscard]] QString presentationTitle(PresentationStep step);
/// What the current setting says at a step, as rich text.
[[nodiscard]] QString presentationText(PresentationStep step, DialModel& dial,
                                       const live::LiveModel& live,
                                       const live::AttackerGuesses& guesses);

}  // namespace epsilens::ui
