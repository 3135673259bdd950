#include "ui/release/table_start.h"

#include <algorithm>
#include <set>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kRecordsRead = 12;
constexpr std::size_t kRowsShown = 2;
constexpr std::size_t kColumnsShown = 6;

QString tr(const char* text) {
    return QCoreApplication::translate("TableStart", text);
}

bool isNumber(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Whether the first line has columns that no name of the file tells of.
bool beginsAsTable(const QString& path) {
    constexpr qint64 kLongestLine = 4096;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const QByteArray line = file.readLine(kLongestLine);
    return line.startsWith('{') || line.contains('\t');
}

QString shownCell(const std::string& text) {
    constexpr qsizetype kMostLetters = 40;
    const QString cell = toQString(text).simplified();
    return (cell.size() > kMostLetters ? cell.left(kMostLetters - 1) + QStringLiteral("…") : cell)
        .toHtmlEscaped();
}

QString quoted(const std::string& name) {
    return tr("“%1”").arg(toQString(name));
}

bool areNames(const std::vector<std::string>& columns) {
    return !columns.empty() && !isNumber(columns.front());
}

QString headCell(const QString& title, bool isReleased) {
    return isReleased ? tr("<th align=\"left\">%1: released</th>").arg(title)
                      : tr("<td><i>%1: copied, unprotected</i></td>").arg(title);
}

QString rowCell(const QString& text, bool isReleased) {
    return (isReleased ? QStringLiteral("<td><b>%1</b></td>") : QStringLiteral("<td>%1</td>"))
        .arg(text);
}

/// Whatever the name of the file that is written ends in.
QString writtenFormat(io::RecordFormat format) {
    switch (format) {
        case io::RecordFormat::tsv:
        case io::RecordFormat::tsvQuoted:
            return tr("Written as it is read: tabs between the columns.");
        case io::RecordFormat::csv:
            return tr("Written as it is read: commas between the columns.");
        case io::RecordFormat::jsonLines:
            return tr("Written as it is read: a JSON object in each line.");
        case io::RecordFormat::lines:
        case io::RecordFormat::automatic:
            break;
    }
    return {};
}

/// The columns that are shown where there are too many: those released before others.
std::vector<std::size_t> shownColumns(std::size_t count, const std::set<std::size_t>& released) {
    std::vector<std::size_t> shown;
    for (const bool isReleased : {true, false}) {
        for (std::size_t column = 0; column < count && shown.size() < kColumnsShown; ++column) {
            if (released.contains(column) == isReleased) {
                shown.push_back(column);
            }
        }
    }
    std::sort(shown.begin(), shown.end());
    return shown;
}

}  // namespace

TableStart TableStart::read(const QString& path, bool isAskedFor, io::RecordFormat format) {
    TableStart start;
    const bool isNamedSo = format != io::RecordFormat::automatic ||
                           io::formatOfName(toStd(path)) != io::RecordFormat::automatic;
    // Reading from anything but a file would take away what it has.
    if (!QFileInfo(path).isFile() || !(isAskedFor || isNamedSo || beginsAsTable(path))) {
        return start;
    }
    auto reader = io::RecordReader::openFields({toStdPath(path), {}, format});
    if (!reader) {
        return start;
    }
    while (start.m_records.size() < kRecordsRead) {
        const auto fields = reader->nextFields();
        if (!fields || !*fields) {
            break;
        }
        start.m_records.emplace_back((*fields)->begin(), (*fields)->end());
    }
    start.m_format = reader->format();
    start.m_hasHeader = start.isTable() &&
                        (start.m_format == io::RecordFormat::jsonLines || start.looksLikeHeader());
    return start;
}

/// Names are short, differ, are no numbers, and do not come again as values.
bool TableStart::looksLikeHeader() const {
    constexpr std::size_t kLongestName = 40;
    const Record& first = m_records.front();
    if (std::set<std::string>(first.begin(), first.end()).size() != first.size()) {
        return false;
    }
    for (std::size_t column = 0; column < first.size(); ++column) {
        const std::string& name = first[column];
        const bool comesAgain = std::any_of(
            m_records.begin() + 1, m_records.end(),
            [&](const Record& record) { return column < record.size() && record[column] == name; });
        if (name.empty() || isNumber(name) || name.size() > kLongestName || comesAgain) {
            return false;
        }
    }
    return true;
}

std::size_t TableStart::longestColumn() const {
    const auto bytes = [this](std::size_t column) {
        std::size_t sum = 0;
        for (const Record& record : m_records) {
            sum += column < record.size() ? record[column].size() : 0;
        }
        return sum;
    };
    std::size_t longest = 0;
    for (std::size_t column = 1; column < m_records.front().size(); ++column) {
        longest = bytes(column) > bytes(longest) ? column : longest;
    }
    return longest;
}

QString TableStart::namesText() const {
    constexpr std::size_t kNamesShown = 8;
    QStringList names;
    for (const std::string& name : m_records.front()) {
        if (static_cast<std::size_t>(names.size()) == kNamesShown) {
            names << QStringLiteral("…");
            break;
        }
        names << quoted(name);
    }
    return names.join(tr(", "));
}

QString TableStart::problemOfName(const std::string& name) const {
    const Record& first = m_records.front();
    const auto times = std::count(first.begin(), first.end(), name);
    if (times == 1) {
        return {};
    }
    if (times > 1) {
        return tr("More than one column of this file is called %1. Rename the others in the file.")
            .arg(quoted(name));
    }
    return m_hasHeader ? tr("This file has no column %1. Its columns are %2.")
                             .arg(quoted(name), namesText())
                       : tr("This file has no header line. Give the column's number, for example "
                            "%1.")
                             .arg(longestColumn() + 1);
}

QString TableStart::problemOf(const std::vector<std::string>& columns) const {
    if (!isTable() || columns.empty()) {
        return {};
    }
    const auto numbers = std::count_if(columns.begin(), columns.end(), isNumber);
    if (numbers > 0 && numbers < static_cast<std::ptrdiff_t>(columns.size())) {
        return tr("Give the names of the columns or their numbers, not both.");
    }
    const auto count = static_cast<qint64>(m_records.front().size());
    for (const std::string& column : columns) {
        if (numbers == 0) {
            if (QString problem = problemOfName(column); !problem.isEmpty()) {
                return problem;
            }
        } else if (const qint64 number = toQString(column).toLongLong();
                   number < 1 || number > count) {
            return count == 1
                       ? tr("This file has one column. Give the number 1.")
                       : tr("This file has %1 columns. Give a number from 1 to %1.").arg(count);
        }
    }
    return {};
}

std::set<std::size_t> TableStart::releasedOf(const std::vector<std::string>& columns) const {
    const Record& first = m_records.front();
    std::set<std::size_t> released;
    for (std::size_t column = 0; column < first.size(); ++column) {
        const std::string known = areNames(columns) ? first[column] : std::to_string(column + 1);
        if (columns.empty() || std::find(columns.begin(), columns.end(), known) != columns.end()) {
            released.insert(column);
        }
    }
    return released;
}

QString TableStart::previewOf(const std::vector<std::string>& columns) const {
    if (!isTable() || !problemOf(columns).isEmpty()) {
        return {};
    }
    const Record& first = m_records.front();
    const std::size_t namesAbove = areNames(columns) ? 1 : 0;
    const std::set<std::size_t> released = releasedOf(columns);
    const std::vector<std::size_t> shown = shownColumns(first.size(), released);
    QStringList lines(1 + kRowsShown);
    for (const std::size_t column : shown) {
        const bool isReleased = released.contains(column);
        lines.front() +=
            headCell(namesAbove > 0 ? shownCell(first[column]) : tr("Column %1").arg(column + 1),
                     isReleased);
        for (std::size_t row = 0; row < kRowsShown; ++row) {
            const std::size_t place = namesAbove + row;
            const bool isThere = place < m_records.size() && column < m_records[place].size();
            lines[static_cast<qsizetype>(row) + 1] +=
                rowCell(isThere ? shownCell(m_records[place][column]) : QString(), isReleased);
        }
    }
    const QString table = QStringLiteral("<table cellpadding=\"3\"><tr>%1</tr></table>")
                              .arg(lines.join(QLatin1String("</tr><tr>")));
    const std::size_t hidden = first.size() - shown.size();
    return table + (hidden == 0 ? QString() : tr("Columns not shown: %1. ").arg(hidden)) +
           writtenFormat(m_format);
}

}  // namespace epsilens::ui
