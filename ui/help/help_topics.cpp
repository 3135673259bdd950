#include "ui/help/help_topics.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QWidget>

namespace epsilens::ui {

namespace {

struct ControlTopic {
    const char* objectName;
    const char* topic;
};

// A control is found by its own name first, then by those around it.
constexpr std::array kTopics{
    ControlTopic{"dialPanel", "choosing#ε-step-by-step"},
    ControlTopic{"epsilonSlider", "choosing#ε-step-by-step"},
    ControlTopic{"promiseLabel", "guarantees#looks-private-promises-little"},
    ControlTopic{"epsilonField", "choosing#ε-step-by-step"},
    ControlTopic{"lambdaSlider", "choosing#λ-step-by-step"},
    ControlTopic{"lambdaField", "choosing#λ-step-by-step"},
    ControlTopic{"mechanismComboBox", "guarantees"},
    ControlTopic{"drawsSlider", "terms#draw-and-r"},
    ControlTopic{"drawsField", "terms#draw-and-r"},
    ControlTopic{"seedField", "terms#seed"},
    ControlTopic{"newSeedButton", "terms#seed"},
    ControlTopic{"openButton", "terms#embedding"},
    ControlTopic{"sentenceEdit", "limits"},
    ControlTopic{"wordFilterLineEdit", "keys#tables"},
    ControlTopic{"wordsPresetComboBox", "terms#density-sparse-and-dense-words"},
    ControlTopic{"computeDensityPushButton", "terms#density-sparse-and-dense-words"},
    ControlTopic{"metricComboBox", "choosing#γ-step-by-step"},
    ControlTopic{"gammaModeComboBox", "choosing#γ-step-by-step"},
    ControlTopic{"parameterGridLineEdit", "choosing#γ-step-by-step"},
    ControlTopic{"noiseComboBox", "choosing#hyperbolic-noise"},
    ControlTopic{"firstLimit", "choosing#ε-step-by-step"},
    ControlTopic{"limitsSection", "choosing#ε-step-by-step"},
    ControlTopic{"wordsComboBox", "choosing#draws-and-words"},
    ControlTopic{"wordCountField", "choosing#draws-and-words"},
    ControlTopic{"wordsColumnLineEdit", "choosing#draws-and-words"},
    ControlTopic{"wordsFileButton", "choosing#draws-and-words"},
    ControlTopic{"wordsDensityButton", "choosing#draws-and-words"},
    ControlTopic{"mechanismsPage", "choosing#which-mechanism"},
    ControlTopic{"wordTableView", "terms#kept-near-and-far"},
    ControlTopic{"nwPlot", "keys#plots"},
    ControlTopic{"swPlot", "keys#plots"},
    ControlTopic{"curvesTableView", "keys#tables"},
    ControlTopic{"wordsTableView", "keys#tables"},
    ControlTopic{"findWordLineEdit", "keys#tables"},
    ControlTopic{"reportTrainedComboBox", "report#making-a-report"},
    ControlTopic{"setupUnknownComboBox", "limits#the-text-around-the-words"},
    ControlTopic{"reportSentenceCheckBox", "report#typed-text"},
    ControlTopic{"reportExportPushButton", "report#formats"},
    ControlTopic{"unknownComboBox", "limits#the-text-around-the-words"},
    ControlTopic{"letterCaseComboBox", "limits#the-text-around-the-words"},
    ControlTopic{"setupLetterCaseComboBox", "limits#the-text-around-the-words"},
    ControlTopic{"stopWordsLineEdit", "limits#the-text-around-the-words"},
    ControlTopic{"epsilonGridLineEdit", "choosing"},
    ControlTopic{"noticeLine", "messages"},
    ControlTopic{"logDialog", "messages"},
    ControlTopic{"livePanel", "terms#kept-near-and-far"},
    ControlTopic{"curvesPanel", "terms#n_w"},
    ControlTopic{"openLabelledPushButton", "tradeoff#labelled-data"},
    ControlTopic{"textColumnLineEdit", "tradeoff#labelled-data"},
    ControlTopic{"labelColumnLineEdit", "tradeoff#labelled-data"},
    ControlTopic{"authorColumnLineEdit", "tradeoff#labelled-data"},
    ControlTopic{"utilityPlot", "tradeoff#what-a-text-is-still-good-for"},
    ControlTopic{"reconstructCheckBox", "tradeoff#how-often-would-an-attacker-guess-the-word"},
    ControlTopic{"riskPlot", "tradeoff#how-often-would-an-attacker-guess-the-word"},
    ControlTopic{"frontierPlot", "tradeoff#usefulness-against-risk"},
    ControlTopic{"membershipCheckBox", "tradeoff#more-attackers"},
    ControlTopic{"authorshipCheckBox", "tradeoff#more-attackers"},
    ControlTopic{"auditCheckBox", "tradeoff#more-attackers"},
    ControlTopic{"tradeOffPanel", "tradeoff"},
    ControlTopic{"wordsPanel", "terms#n_w"},
    ControlTopic{"spacePanel", "terms#mechanism"},
    ControlTopic{"reportPanel", "report"},
    ControlTopic{"setupPanel", "choosing"},
    ControlTopic{"betaSlider", "choosing#γ-step-by-step"},
    ControlTopic{"betaField", "choosing#γ-step-by-step"},
    ControlTopic{"gammaSlider", "choosing#γ-step-by-step"},
    ControlTopic{"gammaField", "choosing#γ-step-by-step"},
    ControlTopic{"settingBar", "terms"},
    ControlTopic{"releaseDialog", "limits"},
};

QString ownTopic(const QWidget& widget) {
    const QString name = widget.objectName();
    const auto* const found = std::find_if(
        kTopics.begin(), kTopics.end(),
        [&name](const ControlTopic& entry) { return name == QLatin1String(entry.objectName); });
    return found == kTopics.end() ? QString() : QString::fromUtf8(found->topic);
}

QString linkScheme() {
    return QStringLiteral("help:");
}

}  // namespace

QString helpTopicOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
        QString topic = ownTopic(*widget);
        if (!topic.isEmpty()) {
            return topic;
        }
    }
    return QStringLiteral("start");
}

QStringList controlsWithTopics() {
    QStringList names;
    for (const ControlTopic& entry : kTopics) {
        names.append(QLatin1String(entry.objectName));
    }
    return names;
}

void explainControls(QWidget& root) {
    const auto widgets = root.findChildren<QWidget*>();
    for (QWidget* widget : widgets) {
        QString topic = ownTopic(*widget);
        if (topic.isEmpty() || !widget->whatsThis().isEmpty()) {
            continue;
        }
        const QString text =
            widget->toolTip().isEmpty() ? widget->accessibleName() : widget->toolTip();
        widget->setWhatsThis(
            QStringLiteral("<p>%1</p><p><a href=\"%2%3\">%4</a></p>")
                .arg(text.toHtmlEscaped(), linkScheme(), topic,
                     QCoreApplication::translate("HelpTopics", "More in the help")));
    }
}

QString topicOfLink(const QString& link) {
    return link.startsWith(linkScheme()) ? link.mid(linkScheme().size()) : QString();
}

}  // namespace epsilens::ui
