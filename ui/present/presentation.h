#pragma once

class QWidget;

namespace epsilens::ui {

class DialModel;

namespace choose {
class ChooseModel;
}  // namespace choose

/// dial, choice  must outlive it, and be active to have something to say
[[nodiscard]] QWidget* newPresentation(DialModel& dial, const choose::ChooseModel& choice,
                                       QWidget* parent);

}  // namespace epsilens::ui
