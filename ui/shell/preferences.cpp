#include "ui/shell/preferences.h"

#include <algorithm>

#include <QtWidgets>

#include "core/base/parallel.h"
#include "ui/shell/field_keys.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr double kPercent = 100.0;

constexpr QLatin1String kTheme{"window/theme"};
constexpr QLatin1String kText{"preferences/textPercent"};
constexpr QLatin1String kThreads{"preferences/threads"};

int inRange(const QVariant& kept, int low, int high, int otherwise) {
    bool isNumber = false;
    const int value = kept.toInt(&isNumber);
    return isNumber && value >= low && value <= high ? value : otherwise;
}

class PreferencesDialog final : public QDialog {
public:
    explicit PreferencesDialog(QWidget* parent)
        : QDialog(parent),
          m_theme(new QComboBox(this)),
          m_text(new NumberField({Preferences::kLeastTextPercent, Preferences::kMostTextPercent,
                                  false, true, tr("text size")},
                                 this)),
          m_threads(
              new NumberField({0.0, Preferences::kMostThreads, false, true, tr("threads")}, this)),
          m_memory(
              new NumberField({0.0, remembered::kMostMemoryGiB, false, false, tr("memory")}, this)),
          m_rememberNothing(new QCheckBox(tr("&Remember nothing"), this)),
          m_problem(hintLabel({}, this)) {
        setObjectName(QStringLiteral("preferencesDialog"));
        setWindowTitle(tr("Preferences"));
        const Preferences kept = Preferences::load();
        m_theme->addItems({tr("System"), tr("Light"), tr("Dark")});  // in the order of ThemeChoice
        m_theme->setCurrentIndex(static_cast<int>(kept.theme));
        m_text->setValue(kept.textPercent);
        m_threads->setValue(kept.threads);
        m_memory->setValue(kept.memoryGiB);
        m_rememberNothing->setChecked(kept.rememberNothing);

        auto* form = new QFormLayout;
        form->setHorizontalSpacing(kPanelMargin);
        form->setVerticalSpacing(kRowSpacing);
        const auto add = [form](const QString& label, QWidget* control, const char* objectName,
                                const QString& name, const QString& description) {
            describe(*control, objectName, name, description);
            form->addRow(label, control);
        };
        guardWheel(m_theme);
        add(tr("&Theme"), m_theme, "themeComboBox", tr("Theme"),
            tr("Colours of the window. Exported plots are always light."));
        add(tr("Te&xt size, %"), m_text, "textSizeField", tr("Text size"),
            tr("In percent of the desktop's, %1 to %2 (Ctrl+Plus, Ctrl+Minus).")
                .arg(Preferences::kLeastTextPercent)
                .arg(Preferences::kMostTextPercent));
        add(tr("T&hreads (0: all)"), m_threads, "threadsField", tr("Threads"),
            tr("Threads used for computing; results do not depend on their number. 0: all."));
        add(tr("&Memory for loading, GiB (0: what is free)"), m_memory, "memoryField",
            tr("Memory for loading"),
            tr("In GiB. An embedding that needs more is refused before it is loaded. 0: what is "
               "free."));
        auto* hint =
            hintLabel(tr("Recent files, folders and window positions are then no longer kept, "
                         "and those kept so far are forgotten. Typed text is never kept."),
                      this);
        add({}, m_rememberNothing, "rememberNothingCheckBox", tr("Remember nothing"), hint->text());
        m_problem->setObjectName(QStringLiteral("preferencesProblemLabel"));
        m_problem->hide();
        for (const NumberField* field : {m_text, m_threads, m_memory}) {
            connect(field, &NumberField::problemChanged, m_problem,
                    [this](const QString& problem) { showProblem(*m_problem, problem); });
        }
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
        connect(buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
        connect(buttons, &QDialogButtonBox::rejected, this, &PreferencesDialog::reject);
        for (QLabel* text : {hint, m_problem}) {
            text->setWordWrap(true);
        }
        // Not in the form, which gives text that wraps too little height.
        columnIn(this, kGroupSpacing, {hint, m_problem, buttons}, kGroupSpacing)
            ->insertLayout(0, form);
    }

    void accept() override {
        commitTyping(*this);
        if (QLineEdit* refusing = fieldWithProblem(*this)) {
            showField(*refusing);
            return;
        }
        const Preferences chosen{static_cast<ThemeChoice>(m_theme->currentIndex()),
                                 static_cast<int>(m_text->value()),
                                 static_cast<int>(m_threads->value()), m_memory->value(),
                                 m_rememberNothing->isChecked()};
        chosen.save();
        chosen.apply();
        QDialog::accept();
    }

private:
    QComboBox* m_theme;
    NumberField* m_text;
    NumberField* m_threads;
    NumberField* m_memory;
    QCheckBox* m_rememberNothing;
    QLabel* m_problem;
};

}  // namespace

Preferences Preferences::load() {
    const QSettings settings;
    Preferences kept;
    kept.theme = static_cast<ThemeChoice>(
        inRange(settings.value(kTheme), 0, static_cast<int>(ThemeChoice::dark), 0));
    kept.textPercent =
        inRange(settings.value(kText), kLeastTextPercent, kMostTextPercent, kept.textPercent);
    kept.threads = inRange(settings.value(kThreads), 0, kMostThreads, 0);
    kept.memoryGiB = remembered::memoryLimitGiB();
    kept.rememberNothing = remembered::nothing();
    return kept;
}

void Preferences::save() const {
    QSettings settings;
    settings.setValue(kTheme, static_cast<int>(theme));
    settings.setValue(kText, textPercent);
    settings.setValue(kThreads, threads);
    remembered::setMemoryLimitGiB(memoryGiB);
    remembered::setNothing(rememberNothing);
}

void Preferences::apply() const {
    applyTheme(theme);
    applyTextSize(textPercent);
    setThreadLimit(threads);
}

void applyTextSize(int percent) {
    static const double desktopSize = QApplication::font().pointSizeF();
    const double before = QApplication::font().pointSizeF();
    const double after = desktopSize * percent / kPercent;
    if (before == after) {
        return;
    }
    QFont font = QApplication::font();
    font.setPointSizeF(after);
    QApplication::setFont(font);
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        // Fonts with a size of their own do not follow that of the program.
        const bool hasOwnSize = widget->testAttribute(Qt::WA_SetFont) &&
                                (widget->font().resolveMask() & QFont::SizeResolved) != 0;
        if (hasOwnSize && widget->font().pointSizeF() > 0.0) {
            QFont own = widget->font();
            own.setPointSizeF(own.pointSizeF() * after / before);
            widget->setFont(own);
        }
    }
}

int changeTextSize(int percent) {
    Preferences preferences = Preferences::load();
    preferences.textPercent =
        std::clamp(percent, Preferences::kLeastTextPercent, Preferences::kMostTextPercent);
    preferences.save();
    applyTextSize(preferences.textPercent);
    return preferences.textPercent;
}

QDialog* newPreferencesDialog(QWidget* parent) {
    return new PreferencesDialog(parent);
}

}  // namespace epsilens::ui
