#include "ui/widgets/dialogs.h"

#include <utility>

#include <QtWidgets>

#include "ui/widgets/remembered.h"

namespace epsilens::ui::dialogs {

namespace {

struct Presets {
    std::optional<QString> open{};
    std::optional<QString> save{};
    std::optional<std::optional<int>> answer{};
    QString question{};
};

Presets& presets() {
    static Presets instance;
    return instance;
}

/// Qt's own file dialog keeps folders and a history in a settings file of its own, which is put
/// back while nothing is to be remembered.
class DialogHistoryGuard {
public:
    DialogHistoryGuard() : m_settings(QSettings::UserScope, QStringLiteral("QtProject")) {
        m_settings.setFallbacksEnabled(false);
        m_settings.beginGroup(QStringLiteral("FileDialog"));
        for (const QString& key : m_settings.allKeys()) {
            m_before.insert(key, m_settings.value(key));
        }
    }
    ~DialogHistoryGuard() {
        if (remembered::nothing()) {
            m_settings.remove(QString());
            for (auto entry = m_before.cbegin(); entry != m_before.cend(); ++entry) {
                m_settings.setValue(entry.key(), entry.value());
            }
        }
    }
    DialogHistoryGuard(const DialogHistoryGuard&) = delete;
    DialogHistoryGuard& operator=(const DialogHistoryGuard&) = delete;

private:
    QSettings m_settings;
    QVariantMap m_before;
};

QStringList endingsOf(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral("\\*(\\.\\w+)?"));
    QStringList endings;
    for (auto match = pattern.globalMatch(filter); match.hasNext();) {
        endings.append(match.next().captured(1));
    }
    return endings;
}

/// The path with the ending of the chosen filter, unless it has one of the filters already.
QString withEnding(const QString& path, const QStringList& filters, const QString& chosen) {
    for (const QString& filter : filters) {
        for (const QString& ending : endingsOf(filter)) {
            if (path.endsWith(ending, Qt::CaseInsensitive)) {
                return path;
            }
        }
    }
    return filters.isEmpty() ? path : path + endingsOf(chosen.isEmpty() ? filters[0] : chosen)[0];
}

/// A question that text typed ahead does not answer: Return, Escape and Alt with a letter do, and
/// Space once a button has been gone to.
class Question : public QMessageBox {
public:
    using QMessageBox::QMessageBox;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        // The box takes a letter for that of a button, even without Alt.
        if (!event->text().isEmpty() && event->text().front().isLetterOrNumber() &&
            (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) == Qt::NoModifier) {
            event->accept();
            return;
        }
        QMessageBox::keyPressEvent(event);
    }
};

template <typename Ask>
QString chosen(const Ask& ask) {
    if (const auto preset = std::exchange(presets().open, std::nullopt)) {
        return *preset;
    }
    const DialogHistoryGuard guard;
    QString path = ask();
    if (const QFileInfo info(path); !path.isEmpty()) {
        remembered::setFolder(info.isDir() ? path : info.absolutePath());
    }
    return path;
}

}  // namespace

QString openFile(QWidget* parent, const QString& title, const QStringList& filters) {
    return chosen([&] {
        return QFileDialog::getOpenFileName(parent, title, remembered::folder(),
                                            filters.join(QStringLiteral(";;")));
    });
}

QString openFolder(QWidget* parent, const QString& title) {
    return chosen(
        [&] { return QFileDialog::getExistingDirectory(parent, title, remembered::folder()); });
}

QString saveFile(QWidget* parent, const QString& title, const QString& suggested,
                 const QStringList& filters) {
    QString chosen;
    QString path;
    if (const auto preset = std::exchange(presets().save, std::nullopt)) {
        path = *preset;
    } else {
        const DialogHistoryGuard guard;
        path = QFileDialog::getSaveFileName(parent, title,
                                            QDir(remembered::outputFolder()).filePath(suggested),
                                            filters.join(QStringLiteral(";;")), &chosen);
    }
    if (path.isEmpty()) {
        return {};
    }
    QString complete = withEnding(path, filters, chosen);
    // The dialog has asked about the name that was typed only.
    if (complete != path && QFile::exists(complete) &&
        !ask(parent, title, QObject::tr("%1 already exists. Replace it?").arg(complete),
             {QObject::tr("&Replace")})) {
        return {};
    }
    remembered::setOutputFolder(QFileInfo(complete).absolutePath());
    return complete;
}

std::optional<int> ask(QWidget* parent, const QString& title, const QString& question,
                       const QStringList& buttons, const QString& goOn) {
    if (const auto preset = std::exchange(presets().answer, std::nullopt)) {
        presets().question = question;
        return *preset;
    }
    Question box(QMessageBox::Question, title, question, QMessageBox::Cancel, parent);
    box.button(QMessageBox::Cancel)->setText(goOn.isEmpty() ? QObject::tr("&Cancel") : goOn);
    QList<QAbstractButton*> added;
    for (const QString& text : buttons) {
        added.append(box.addButton(text, QMessageBox::AcceptRole));
    }
    if (!added.empty()) {
        box.setDefaultButton(qobject_cast<QPushButton*>(added.front()));
    }
    // At first no button has the focus, but the box.
    box.setFocusPolicy(Qt::StrongFocus);
    box.setFocus();
    box.exec();
    const auto index = added.indexOf(box.clickedButton());
    return index < 0 ? std::nullopt : std::optional<int>(static_cast<int>(index));
}

void presetOpenFile(const QString& path) {
    presets().open = path;
}
void presetSaveFile(const QString& path) {
    presets().save = path;
}
void presetAnswer(std::optional<int> button) {
    presets().answer = std::optional(button);
}
QString lastQuestion() {
    return presets().question;
}

}  // namespace epsilens::ui::dialogs
