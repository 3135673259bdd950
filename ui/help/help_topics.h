#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace epsilens::ui {

/// The topic of a control, or of the nearest thing around it that has one; that of the first page
/// for everything else.
[[nodiscard]] QString helpTopicOf(const QWidget* widget);

/// Object names of all things that have a topic of their own.
[[nodiscard]] QStringList controlsWithTopics();

/// Gives every known control below a widget what Shift+F1 shows: its tooltip and a link to its
/// topic.
void explainControls(QWidget& root);

/// The topic that a link of such a text leads to: "terms#n_w" for "help:terms#n_w"; empty for other
/// links.
[[nodiscard]] QString topicOfLink(const QString& link);

}  // namespace epsilens::ui
