#include <algorithm>

#include "tests/ui/support/ui_test.h"
#include "ui/help/help_window.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// Where the literal ends that begins at a place.
qsizetype endOfLiteral(const QString& text, qsizetype begin) {
    qsizetype at = begin + 1;
    while (at < text.size() && text.at(at) != '"') {
        at += text.at(at) == '\\' ? 2 : 1;
    }
    return at;
}

/// Where a bracket that is open at a place is closed; literals are passed over.
qsizetype endOfBracket(const QString& text, qsizetype from) {
    int depth = 1;
    for (qsizetype at = from; at < text.size(); ++at) {
        const QChar character = text.at(at);
        if (character == '"') {
            at = endOfLiteral(text, at);
        } else if (QString("({").contains(character)) {
            ++depth;
        } else if (QString(")}").contains(character) && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

/// Without what stands in braces: the buttons of a notice.
QString withoutBraces(const QString& arguments) {
    QString rest;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const qsizetype begin = at;
        if (arguments.at(at) == '"') {
            at = endOfLiteral(arguments, at);
        } else if (arguments.at(at) == '{') {
            at = endOfBracket(arguments, at + 1);
            continue;
        }
        rest += arguments.mid(begin, at + 1 - begin);
    }
    return rest;
}

/// Whether a literal is a sentence: three words at least, beside the values put into it. Others are
/// pieces of one.
bool isSentence(const QString& literal) {
    static const QRegularExpression kWord("\\b[^\\W\\d_]+\\b");
    constexpr int kFewestWords = 3;
    int words = 0;
    auto found = kWord.globalMatch(literal);
    while (found.hasNext()) {
        found.next();
        ++words;
    }
    return words >= kFewestWords;
}

/// The sentences in a piece of code.
QStringList literalsOf(const QString& code) {
    static const QRegularExpression kLiteral("\"((?:[^\"\\\\]|\\\\.)*)\"");
    QStringList literals;
    auto found = kLiteral.globalMatch(code);
    while (found.hasNext()) {
        const QString literal = found.next().captured(1).replace("\\\"", "\"");
        if (isSentence(literal)) {
            literals.append(literal);
        }
    }
    return literals;
}

/// The literals in the arguments behind each place that a pattern finds.
QStringList literalsBehind(const QString& text, const QRegularExpression& pattern) {
    QStringList literals;
    auto places = pattern.globalMatch(text);
    while (places.hasNext()) {
        const qsizetype begin = places.next().capturedEnd();
        literals += literalsOf(withoutBraces(text.mid(begin, endOfBracket(text, begin) - begin)));
    }
    return literals;
}

/// The literals in the bodies of the member functions of a name that take nothing.
QStringList literalsOfBody(const QString& text, const QString& name) {
    const QRegularExpression head(QString("\\b%1\\(\\) const \\{").arg(name));
    QStringList literals;
    auto places = head.globalMatch(text);
    while (places.hasNext()) {
        const qsizetype begin = places.next().capturedEnd();
        literals += literalsOf(text.mid(begin, endOfBracket(text, begin) - begin));
    }
    return literals;
}

/// What a constant or a function that stands in the place of a text says.
QStringList literalsByName(const QString& text) {
    static const QRegularExpression kNamed("ErrorCode::\\w+,\\s*(\\w+)(\\(\\))?\\)");
    QStringList literals;
    auto places = kNamed.globalMatch(text);
    while (places.hasNext()) {
        const auto place = places.next();
        if (place.capturedLength(2) > 0) {
            literals += literalsOfBody(text, place.captured(1));
        } else {
            const QRegularExpression constant(
                QString("\\b%1 =\\s*(\"[^\"]*\")").arg(place.captured(1)));
            literals += literalsOf(constant.match(text).captured(1));
        }
    }
    return literals;
}

/// Calls of the functions of the file that make errors, and of those that complain of a row or an
/// option.
QStringList literalsOfMakers(const QString& text) {
    static const QRegularExpression kMaker("\\bError>? (\\w+)\\(|\\b(skip|refused)\\(");
    QStringList names;
    auto makers = kMaker.globalMatch(text);
    while (makers.hasNext()) {
        const auto maker = makers.next();
        const QString name = maker.captured(1) + maker.captured(2);
        // What exactly is damaged makes no difference to what can be done.
        if (!name.startsWith("damaged")) {
            names.append(name);
        }
    }
    names.removeDuplicates();
    QStringList literals;
    for (const QString& name : names) {
        literals += literalsBehind(text, QRegularExpression(QString("\\b%1\\(").arg(name)));
    }
    return literals;
}

/// A source file of the program with literals that are written in several parts put together.
QString sourceText(const QString& path) {
    static const QRegularExpression kBetweenParts("\"\\s*\\n\\s*\"");
    return QString::fromUtf8(test::contentOf(path)).remove(kBetweenParts);
}

/// What the sources of a folder say to whoever uses the program: the texts of errors and notices,
/// also where a function of the file makes them, a constant holds them or one of several is chosen,
/// and what hinders a computation. Values are still place holders in them, as {} and %1.
QStringList messagesOfSources(const QString& folder) {
    static const QRegularExpression kText(
        "(?:ErrorCode|Severity)::\\w+,|\\b(?:complain|invalidArgument)\\(");
    QStringList messages;
    QDirIterator files(folder, {"*.cpp"}, QDir::Files);
    while (files.hasNext()) {
        const QString text = sourceText(files.next());
        messages += literalsBehind(text, kText) + literalsByName(text) + literalsOfMakers(text) +
                    literalsOfBody(text, "obstacle");
    }
    messages.removeDuplicates();
    return messages;
}

QString sourceFolder(const char* name) {
    return QStringLiteral(EPSILENS_SOURCE "/") + name;
}

/// The sources of the window, the command line and the library in one text.
QString allSources() {
    QString text;
    for (const char* folder : {"core", "ui", "app/cli"}) {
        QDirIterator files(sourceFolder(folder), {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            text += sourceText(files.next());
        }
    }
    return text.replace("\\\"", "\"");
}

/// What the tables of the page have in their first column, without the headings.
QStringList messagesOfHelp() {
    static const QRegularExpression kRow("^\\| (.+) \\| (.+) \\|$");
    QStringList messages;
    const QStringList lines = helpMarkdown("messages").split('\n');
    for (const QString& line : lines) {
        const auto row = kRow.match(line);
        if (row.hasMatch() && row.captured(1) != "message" && !row.captured(1).startsWith("---")) {
            messages.append(row.captured(1));
        }
    }
    return messages;
}

/// What does not change from case to case.
QStringList fixedParts(const QString& message) {
    static const QRegularExpression kChanging("\\{[^}]*\\}|%\\d|…");
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
                QVERIFY2(sources.contains(part), qPrintable(message + ": " + part));
            }
        }
    }

    void everyMessageOfTheProgramIsInTheHelp() {
        const QStringList rows = messagesOfHelp();
        QStringList missing;
        qsizetype messages = 0;
        for (const char* folder :
             {"core/base",     "core/calibration", "core/embedding",   "core/io",
              "core/engine",   "core/mechanism",   "core/metric",      "core/numeric",
              "core/document", "core/release",     "core/report",      "core/text",
              "core/training", "app/cli",          "app/cli/commands", "app/cli/parser",
              "ui/state",      "ui/widgets",       "ui/plot",          "ui/live",
              "ui/curves",     "ui/release",       "ui/report",        "ui/setup",
              "ui/shell",      "ui/space",         "ui/words"}) {
            QVERIFY2(QDir(sourceFolder(folder)).exists(), folder);
            const QStringList said = messagesOfSources(sourceFolder(folder));
            messages += said.size();
            for (const QString& message : said) {
                if (std::none_of(rows.begin(), rows.end(),
                                 [&](const QString& row) { return isAbout(row, message); })) {
                    missing.append(message);
                }
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
        QVERIFY2(messages >= 146, qPrintable(QString::number(messages)));
    }
};

EPSILENS_UI_TEST(HelpMessagesTest)
#include "help_messages_test.moc"
