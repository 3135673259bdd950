#pragma once

class QWidget;

namespace epsilens::ui {

class DialModel;

namespace choose {
class ChooseModel;
}  // namespace choose

/// The current setting in five steps of large text, for people who do not know the program.
///
/// dial, choice  must outlive it, and be active to have something to say
[[nodiscard]] QWidget* newPresentation(DialModel& dial, const choose::ChooseModel& choice,
                                       QWidget* parent);

}  // namespace epsilens::ui
