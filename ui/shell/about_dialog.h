#pragma once

#include <QDialog>

namespace epsilens::ui {

/// Version and build, the licences of all components, and the notice that WordNet asks for.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(QWidget* parent = nullptr);

    /// Version, build, Qt and system, a line each: what a report of a fault needs.
    [[nodiscard]] static QString versionText();
};

}  // namespace epsilens::ui
