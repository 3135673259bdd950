#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include "tests/ui/support/ui_test.h"
#include "ui/help/help_pages.h"

using namespace epsilens::ui;

namespace {

/// The sources of the window and the library in one text, with string literals that are written in
/// several parts put together.
QString allSources() {
    static const QRegularExpression kBetweenParts(QStringLiteral("\"\\s*\\n\\s*\""));
    QString text;
    for (const char* folder : {"core", "ui"}) {
        QDirIterator files(QStringLiteral(EPSILENS_SOURCE "/") + QLatin1String(folder),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly)) {
                text += QString::fromUtf8(file.readAll());
            }
        }
    }
    return text.remove(kBetweenParts).replace(QLatin1String("\\\""), QLatin1String("\""));
}

/// What a table of the page has in its first column, without the heading.
QStringList messagesOf(const QString& markdown) {
    static const QRegularExpression kRow(QStringLiteral("^\\| (.+) \\| (.+) \\|$"));
    QStringList messages;
    const QStringList lines = markdown.split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        const auto row = kRow.match(line);
        if (row.hasMatch() && row.captured(1) != QStringLiteral("message") &&
            !row.captured(1).startsWith(QStringLiteral("---"))) {
            messages.append(row.captured(1));
        }
    }
    return messages;
}

/// What stands as the message of an error or a notice in the sources of some folders: literals
/// after their code or severity.
QStringList messagesIn(const QStringList& places) {
    static const QRegularExpression kBetweenParts(QStringLiteral("\"\\s*\\n\\s*\""));
    static const QRegularExpression kMessage(
        QStringLiteral("(?:ErrorCode|Severity)::\\w+,\\s*(?:fmt::format\\(\\s*|tr\\(\\s*)?\""
                       "((?:[^\"\\\\]|\\\\.)*)\""));
    QStringList messages;
    for (const QString& place : places) {
        QDirIterator files(QStringLiteral(EPSILENS_SOURCE "/") + place, {QStringLiteral("*.cpp")},
                           QDir::Files);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly)) {
                continue;
            }
            QString text = QString::fromUtf8(file.readAll());
            text.remove(kBetweenParts);
            auto match = kMessage.globalMatch(text);
            while (match.hasNext()) {
                messages.append(
                    match.next().captured(1).replace(QLatin1String("\\\""), QLatin1String("\"")));
            }
        }
    }
    return messages;
}

}  // namespace

/// A message that the program no longer has must leave the help, and those of texts, calibrations,
/// reports, sessions and released text must stand there.
class HelpMessagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageOfTheHelpIsOneOfTheProgram() {
        const QString sources = allSources();
        QVERIFY(sources.size() > 100'000);
        const QStringList messages = messagesOf(HelpPages().markdown(QStringLiteral("messages")));
        QVERIFY(messages.size() > 40);
        for (const QString& message : messages) {
            const QStringList parts = message.split(QStringLiteral("…"), Qt::SkipEmptyParts);
            for (const QString& part : parts) {
                const QString fixed = part.trimmed();
                QVERIFY2(fixed.size() < 3 || sources.contains(fixed),
                         qPrintable(message + QStringLiteral(": ") + fixed));
            }
        }
    }

    void everyMessageBehindTheSetUpIsInTheHelp() {
        static const QRegularExpression kChanging(QStringLiteral("\\{[^}]*\\}|%\\d"));
        const QString page = HelpPages().markdown(QStringLiteral("messages"));
        const QStringList messages =
            messagesIn({QStringLiteral("core/text"), QStringLiteral("core/calibration"),
                        QStringLiteral("core/report"), QStringLiteral("core/project"),
                        QStringLiteral("core/release"), QStringLiteral("ui/report"),
                        QStringLiteral("ui/release")});
        QVERIFY(messages.size() > 20);
        for (const QString& message : messages) {
            const QStringList parts = message.split(kChanging, Qt::SkipEmptyParts);
            for (const QString& part : parts) {
                const QString fixed = part.trimmed();
                QVERIFY2(fixed.size() < 3 || page.contains(fixed), qPrintable(message));
            }
        }
    }
};

EPSILENS_UI_TEST(HelpMessagesTest)
#include "help_messages_test.moc"
