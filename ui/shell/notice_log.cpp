#include "ui/shell/notice_log.h"

#include <QIcon>
#include <QStringList>

namespace epsilens::ui {

namespace {

QString severityName(Severity severity) {
    switch (severity) {
        case Severity::warning:
            return NoticeLog::tr("Warning");
        case Severity::error:
            return NoticeLog::tr("Error");
        case Severity::info:
            break;
    }
    return NoticeLog::tr("Note");
}

QIcon severityIcon(Severity severity) {
    switch (severity) {
        case Severity::warning:
            return QIcon(QStringLiteral(":/icons/warning.svg"));
        case Severity::error:
            return QIcon(QStringLiteral(":/icons/error.svg"));
        case Severity::info:
            break;
    }
    return QIcon(QStringLiteral(":/icons/info.svg"));
}

}  // namespace

void NoticeLog::follow(const NoticeLine& line) {
    connect(&line, &NoticeLine::presented, this, &NoticeLog::add);
}

void NoticeLog::add(Severity severity, const QString& text) {
    const bool again = !m_entries.isEmpty() && m_entries.last().text == text;
    if (again) {
        m_entries.last().time = QDateTime::currentDateTime();
        ++m_entries.last().times;
        const int row = rowCount() - 1;
        Q_EMIT dataChanged(index(row, 0), index(row, columnEnd - 1));
    } else {
        if (rowCount() == kMost) {
            beginRemoveRows({}, 0, 0);
            m_entries.removeFirst();
            endRemoveRows();
        }
        beginInsertRows({}, rowCount(), rowCount());
        m_entries.append({QDateTime::currentDateTime(), severity, text, 1});
        endInsertRows();
    }
    if (severity != Severity::info && (!again || m_unseen == 0)) {
        ++m_unseen;
        Q_EMIT unseenChanged(m_unseen);
    }
}

void NoticeLog::clear() {
    beginResetModel();
    m_entries.clear();
    endResetModel();
    markSeen();
}

void NoticeLog::markSeen() {
    if (m_unseen > 0) {
        m_unseen = 0;
        Q_EMIT unseenChanged(m_unseen);
    }
}

QString NoticeLog::shown(const Entry& entry, int column) {
    switch (column) {
        case timeColumn:
            return entry.time.toString(QStringLiteral("HH:mm:ss"));
        case severityColumn:
            return severityName(entry.severity);
        default:
            return entry.times > 1 ? tr("%1 (%2 times)").arg(entry.text).arg(entry.times)
                                   : entry.text;
    }
}

QString NoticeLog::toText() const {
    QStringList lines;
    for (const Entry& entry : m_entries) {
        lines.append(entry.time.toString(Qt::ISODate) + QLatin1Char(' ') +
                     shown(entry, severityColumn) + QStringLiteral(": ") +
                     shown(entry, textColumn));
    }
    return lines.join(QLatin1Char('\n'));
}

int NoticeLog::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int NoticeLog::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnEnd;
}

QVariant NoticeLog::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Entry& entry = m_entries[index.row()];
    switch (role) {
        case Qt::DisplayRole:
            return shown(entry, index.column());
        case Qt::ToolTipRole:
            return index.column() == textColumn ? QVariant(entry.text) : QVariant();
        case Qt::DecorationRole:
            return index.column() == severityColumn ? QVariant(severityIcon(entry.severity))
                                                    : QVariant();
        default:
            return {};
    }
}

QVariant NoticeLog::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return QStringList{tr("Time"), tr("Kind"), tr("Message")}.value(section);
}

}  // namespace epsilens::ui
