#pragma once

#include <functional>

class QWidget;

namespace epsilens::ui::live {

class LiveModel;

/// The usual first limit as a sentence to fill in: how often a word may be kept, for how many of
/// the words. A number makes the limit, and an emptied field takes it away; other limits are left
/// to the editor of all of them. Below it stands which words of the text are kept more often: the
/// limit is about the vocabulary, and lets some of it be.
///
/// model       must outlive it
/// showOthers  leads to that editor
[[nodiscard]] QWidget* newFirstLimit(LiveModel& model, std::function<void()> showOthers,
                                     QWidget* parent);

}  // namespace epsilens::ui::live
