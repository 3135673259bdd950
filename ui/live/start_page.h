#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;

namespace epsilens::ui::live {

/// What Choose shows while there is no text: examples to begin with.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    [[nodiscard]] static QStringList examples();

Q_SIGNALS:
    void exampleChosen(const QString& sentence);
};

}  // namespace epsilens::ui::live
