#include "ui/common/dialogs.h"

#include <QAbstractButton>
#include <QFileDialog>
#include <QList>
#include <QMessageBox>
#include <QPushButton>

namespace epsilens::ui::dialogs {

namespace {

template <typename T>
class Preset {
public:
    void put(const T& value) { m_value = value; }
    [[nodiscard]] std::optional<T> take() { return std::exchange(m_value, std::nullopt); }

private:
    std::optional<T> m_value;
};

struct Presets {
    Preset<QString> open;
    Preset<QString> save;
    Preset<std::optional<int>> answer;
};

Presets& presets() {
    static Presets instance;
    return instance;
}

}  // namespace

QString openFile(QWidget* parent, const QString& title, const QString& folder,
                 const QStringList& filters) {
    if (const auto preset = presets().open.take()) {
        return *preset;
    }
    return QFileDialog::getOpenFileName(parent, title, folder, filters.join(QStringLiteral(";;")));
}

QString saveFile(QWidget* parent, const QString& title, const QString& suggested,
                 const QStringList& filters) {
    if (const auto preset = presets().save.take()) {
        return *preset;
    }
    return QFileDialog::getSaveFileName(parent, title, suggested,
                                        filters.join(QStringLiteral(";;")));
}

std::optional<int> ask(QWidget* parent, const QString& title, const QString& question,
                       const QStringList& buttons) {
    if (const auto preset = presets().answer.take()) {
        return *preset;
    }
    QMessageBox box(QMessageBox::Question, title, question, QMessageBox::Cancel, parent);
    QList<QAbstractButton*> added;
    for (const QString& text : buttons) {
        added.append(box.addButton(text, QMessageBox::AcceptRole));
    }
    box.exec();
    const auto index = added.indexOf(box.clickedButton());
    return index < 0 ? std::nullopt : std::optional<int>(static_cast<int>(index));
}

void presetOpenFile(const QString& path) {
    presets().open.put(path);
}
void presetSaveFile(const QString& path) {
    presets().save.put(path);
}
void presetAnswer(std::optional<int> button) {
    presets().answer.put(button);
}

}  // namespace epsilens::ui::dialogs
