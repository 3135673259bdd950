#pragma once

class QDialog;
class QString;
class QWidget;

namespace epsilens::ui {

/// Version, build, Qt and system, a line each: what a report of a fault needs.
[[nodiscard]] QString versionText();

[[nodiscard]] QDialog* newAboutDialog(QWidget* parent = nullptr);

}  // namespace epsilens::ui
