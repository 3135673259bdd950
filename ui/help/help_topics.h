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

/// The topic that a link of a page leads to: "terms#n_w" for "help:terms#n_w"; empty for other
/// links.
[[nodiscard]] QString topicOfLink(const QString& link);

}  // namespace epsilens::ui
