#include "ui/setup/load_summary.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/report/info_report.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text, int count = -1) {
    return QCoreApplication::translate("LoadSummary", text, nullptr, count);
}

QString formatText(const embedding::LoadReport& report) {
    QString text;
    switch (report.format) {
        case embedding::FileFormat::gloveText:
            text = tr("GloVe text");
            break;
        case embedding::FileFormat::word2vecText:
            text = tr("word2vec text");
            break;
        case embedding::FileFormat::word2vecBinary:
            text = tr("word2vec binary");
            break;
        case embedding::FileFormat::fasttextBinary:
            text = tr("fastText binary");
            break;
        case embedding::FileFormat::builtIn:
            return tr("built in");
    }
    return report.compression.empty() ? text
                                      : tr("%1, %2").arg(text, toQString(report.compression));
}

QString positions(const embedding::SkippedRows& rows, const embedding::LoadReport& report) {
    QStringList places;
    for (const std::int64_t position : rows.firstPositions) {
        places.append(counted(position));
    }
    const bool binary = report.format == embedding::FileFormat::word2vecBinary ||
                        report.format == embedding::FileFormat::fasttextBinary;
    const QString unit = binary ? tr("row") : tr("line");
    const bool more = rows.count > static_cast<std::int64_t>(rows.firstPositions.size());
    return tr("%1 %2%3").arg(unit, places.join(QStringLiteral(", ")), more ? tr(", …") : QString());
}

void addReason(QStringList& reasons, const QString& what, const embedding::SkippedRows& rows,
               const embedding::LoadReport& report) {
    if (rows.count > 0) {
        reasons.append(tr("%1 %2: %3").arg(counted(rows.count), what, positions(rows, report)));
    }
}

SummaryRow badLinesRow(const embedding::LoadReport& report) {
    SummaryRow row{tr("Bad lines"), tr("none"), {}, report.badLines() > 0 || report.endsWithinRow};
    if (!row.needsCare) {
        return row;
    }
    QStringList reasons;
    addReason(reasons, tr("with a wrong number of values"), report.wrongLength, report);
    addReason(reasons, tr("with values that are not finite"), report.notFinite, report);
    addReason(reasons, tr("that are not valid UTF-8, or with a control character"),
              report.invalidText, report);
    addReason(reasons, tr("without a word"), report.emptyWords, report);
    if (report.endsWithinRow) {
        reasons.append(tr("The last line has no line end: the file may be cut off."));
    }
    if (report.badLines() > 0) {
        row.value = tr("%1 left out").arg(counted(report.badLines()));
    }
    row.detail = reasons.join(QLatin1Char('\n'));
    return row;
}

SummaryRow duplicatesRow(const embedding::PreparedEmbedding& embedding) {
    const auto& report = embedding.embedding.report;
    QStringList values;
    QStringList details;
    if (report.duplicates.count > 0) {
        values.append(tr("%1 words").arg(counted(report.duplicates.count)));
        details.append(tr("Repeated words were left out; the first repeat: %1.")
                           .arg(positions(report.duplicates, report)));
    }
    if (embedding.duplicates.extraRows > 0) {
        values.append(tr("%1 vectors").arg(counted(embedding.duplicates.extraRows)));
        details.append(tr("Words with the same vector cannot be told apart; the first of each of "
                          "these %1 groups stands for all of it.")
                           .arg(counted(embedding.duplicates.classes)));
    }
    return {tr("Duplicates"), values.isEmpty() ? tr("none") : values.join(tr(", ")),
            details.join(QLatin1Char('\n')), !values.isEmpty()};
}

}  // namespace

QList<SummaryRow> loadSummary(const embedding::PreparedEmbedding& embedding) {
    const auto& report = embedding.embedding.report;
    QList<SummaryRow> rows;
    rows.append(
        {tr("Size"), tr("%1 words × %2 dimensions")
                         .arg(counted(embedding.wordCount()), counted(embedding.dimensions()))});
    if (report.limitedTo) {
        rows.append({tr("Limit"), tr("first %1 rows").arg(counted(*report.limitedTo)), {}, true});
    }
    rows.append({tr("Format"), formatText(report)});
    rows.append(duplicatesRow(embedding));
    rows.append(badLinesRow(report));
    const std::string outlying = report::outlyingRowsText(report::outlyingRows(embedding));
    if (!outlying.empty()) {
        rows.append({tr("Outlying"), toQString(outlying), {}, true});
    }
    return rows;
}

QString embeddingTitle(const embedding::PreparedEmbedding& embedding) {
    return tr("%1 %2 × %3")
        .arg(toQString(embedding.embedding.name), counted(embedding.wordCount()),
             counted(embedding.dimensions()));
}

}  // namespace epsilens::ui
