#pragma once

class QWidget;

namespace epsilens::ui {

class DialModel;

namespace live {
class LiveModel;
}  // namespace live

/// The analysis for an audience: large text, the dial, and five steps that keys go through.
///
/// dial, live  must outlive it, and be active to have something to say
[[nodiscard]] QWidget* newPresentation(DialModel& dial, const live::LiveModel& live,
                                       QWidget* parent);

}  // namespace epsilens::ui
