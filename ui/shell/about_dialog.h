#pragma once

class QDialog;
class QString;
class QWidget;

namespace epsilens::ui {

[[nodiscard]] QString versionText();

[[nodiscard]] QDialog* newAboutDialog(QWidget* parent = nullptr);

}  // namespace epsilens::ui
