#include <algorithm>

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>

#include "tests/ui/help/source_messages.h"
#include "tests/ui/support/ui_test.h"
#include "ui/help/help_pages.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

QString sourceFolder(const char* name) {
    return QStringLiteral(EPSILENS_SOURCE "/") + QLatin1String(name);
}

/// The sources of the window, the command line and the library in one text.
QString allSources() {
    QString text;
    for (const char* folder : {"core", "ui", "app/cli"}) {
        QDirIterator files(sourceFolder(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            text += test::sourceText(files.next());
        }
    }
    return text.replace(QLatin1String("\\\""), QLatin1String("\""));
}

/// What the tables of the page have in their first column, without the headings.
QStringList messagesOfHelp() {
    static const QRegularExpression kRow(QStringLiteral("^\\| (.+) \\| (.+) \\|$"));
    QStringList messages;
    const QStringList lines =
        HelpPages().markdown(QStringLiteral("messages")).split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        const auto row = kRow.match(line);
        if (row.hasMatch() && row.captured(1) != QStringLiteral("message") &&
            !row.captured(1).startsWith(QStringLiteral("---"))) {
            messages.append(row.captured(1));
        }
    }
    return messages;
}

/// What does not change from case to case.
QStringList fixedParts(const QString& message) {
    static const QRegularExpression kChanging(QStringLiteral("\\{[^}]*\\}|%\\d|…"));
    constexpr qsizetype kShortest = 3;
    QStringList parts;
    const QStringList all = message.split(kChanging, Qt::SkipEmptyParts);
    for (const QString& part : all) {
        if (part.trimmed().size() >= kShortest) {
            parts.append(part.trimmed());
        }
    }
    return parts;
}

bool holdsInOrder(const QString& text, const QStringList& parts) {
    qsizetype from = 0;
    for (const QString& part : parts) {
        const qsizetype found = text.indexOf(part, from);
        if (found < 0) {
            return false;
        }
        from = found + part.size();
    }
    return true;
}

/// Whether a row of the help is about a message; either may say more than the other. A row of few
/// letters would be about too many.
bool isAbout(const QString& row, const QString& message) {
    constexpr qsizetype kFewestLetters = 9;
    const QStringList ofRow = fixedParts(row);
    return (ofRow.join(QString()).size() >= kFewestLetters && holdsInOrder(message, ofRow)) ||
           holdsInOrder(row, fixedParts(message));
}

}  // namespace

/// A message that the program no longer has must leave the help, and all that it has must stand
/// there.
class HelpMessagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageOfTheHelpIsOneOfTheProgram() {
        const QString sources = allSources();
        QVERIFY(sources.size() > 100'000);
        const QStringList messages = messagesOfHelp();
        QVERIFY(messages.size() > 40);
        for (const QString& message : messages) {
            const QStringList parts = fixedParts(message);
            for (const QString& part : parts) {
                QVERIFY2(sources.contains(part), qPrintable(message + QStringLiteral(": ") + part));
            }
        }
    }

    // The folders with 0 have no message of their own so far: what is missing is said beside
    // the words themselves.
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void everyMessageOfAFolderIsInTheHelp_data() {
        QTest::addColumn<int>("fewest");
        for (const auto& [folder, fewest] :
             {std::pair{"core/base", 5},         std::pair{"core/calibration", 15},
              std::pair{"core/embedding", 20},   std::pair{"core/io", 15},
              std::pair{"core/engine", 2},       std::pair{"core/mechanism", 8},
              std::pair{"core/metric", 4},       std::pair{"core/numeric", 4},
              std::pair{"core/document", 5},     std::pair{"core/release", 4},
              std::pair{"core/report", 0},       std::pair{"core/text", 1},
              std::pair{"core/training", 11},    std::pair{"app/cli", 1},
              std::pair{"app/cli/commands", 27}, std::pair{"app/cli/parser", 7},
              std::pair{"ui/state", 2},          std::pair{"ui/widgets", 0},
              std::pair{"ui/plot", 0},           std::pair{"ui/live", 0},
              std::pair{"ui/curves", 3},         std::pair{"ui/release", 1},
              std::pair{"ui/report", 2},         std::pair{"ui/setup", 0},
              std::pair{"ui/shell", 3},          std::pair{"ui/space", 4},
              std::pair{"ui/words", 2}}) {
            QTest::newRow(folder) << fewest;
        }
    }
    void everyMessageOfAFolderIsInTheHelp() {
        QFETCH(const int, fewest);
        const QString folder = sourceFolder(QTest::currentDataTag());
        QVERIFY(QDir(folder).exists());
        const QStringList messages = test::messagesOfSources(folder);
        const QStringList rows = messagesOfHelp();
        QStringList missing;
        for (const QString& message : messages) {
            if (std::none_of(rows.begin(), rows.end(),
                             [&](const QString& row) { return isAbout(row, message); })) {
                missing.append(message);
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
        QVERIFY2(messages.size() >= fewest, qPrintable(messages.join(QLatin1Char('\n'))));
    }
};

EPSILENS_UI_TEST(HelpMessagesTest)
#include "help_messages_test.moc"
