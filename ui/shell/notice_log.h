#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QList>

#include "ui/widgets/notice_line.h"

namespace epsilens::ui {

/// Every notice the window has shown, with its time, newest last; never anything typed into the
/// sentence. Kept for the session only, in memory.
class NoticeLog : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { timeColumn, severityColumn, textColumn, columnEnd };
    static constexpr int kMost = 1000;

    using QAbstractTableModel::QAbstractTableModel;

    /// Takes down what this line shows from now on.
    void follow(const NoticeLine& line);
    void add(Severity severity, const QString& text);
    void clear();
    /// Warnings and errors since they were last looked at.
    [[nodiscard]] int unseen() const { return m_unseen; }
    void markSeen();
    /// A line per notice, for the clipboard.
    [[nodiscard]] QString toText() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    void unseenChanged(int unseen);

private:
    struct Entry {
        QDateTime time{};
        Severity severity = Severity::info;
        QString text{};
        int times = 1;
    };
    [[nodiscard]] static QString shown(const Entry& entry, int column);

    QList<Entry> m_entries;
    int m_unseen = 0;
};

}  // namespace epsilens::ui
