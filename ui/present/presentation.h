#pragma once

class QWidget;

namespace epsilens::ui {

class DialModel;

namespace live {
class LiveModel;
}  // namespace live

/// dial, live  must outlive it, and be active to have something to say
[[nodiscard]] QWidget* newPresentation(DialModel& dial, const live::LiveModel& live,
                                       QWidget* parent);

}  // namespace epsilens::ui
