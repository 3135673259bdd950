#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/markup_text.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using Odds = calibration::Findings::Odds;

constexpr double kTop = 24.0;  ///< of the first row: below the number of the chosen epsilon
constexpr double kRow = 22.0;
constexpr double kBetween = 7.0;
constexpr double kBelow = 32.0;  ///< the last row
constexpr double kGap = 5.0;
constexpr std::size_t kMostLetters = 20;

struct Mark {
    double factor = 2.0;
    std::string_view text{};
    std::string_view shortText{};
};
constexpr std::array kMarks{Mark{2.0, "×2", "×2"}, Mark{10.0, "×10", "×10"},
                            Mark{1e3, "×1,000", "×10³"},
                            Mark{kLargestUsefulFactor, "×1,000,000", "×10⁶"}};

/// "paris ↔ london", shortened in the words where there is no room.
std::string nameOf(const calibration::PairDistance& pair) {
    const auto shortened = [](const std::string& word) {
        const std::size_t most = (kMostLetters - 3) / 2;
        if (displayWidth(word) <= most) {
            return word;
        }
        std::size_t end = 0;
        for (std::size_t letters = 0; end < word.size(); ++end) {
            const bool isStart = (static_cast<unsigned char>(word[end]) & 0xC0U) != 0x80U;
            if (isStart && letters++ == most - 1) {
                break;
            }
        }
        return word.substr(0, end) + "…";
    };
    const std::string whole = pair.first + " ↔ " + pair.second;
    return displayWidth(whole) <= kMostLetters
               ? whole
               : shortened(pair.first) + " ↔ " + shortened(pair.second);
}

/// One ruler.
class Row {
public:
    Row(MemoCanvas& canvas, const MemoAxis& axis, const PictureArea& bar, double cursor)
        : m_canvas(canvas), m_axis(axis), m_bar(bar), m_cursor(cursor), m_used(bar.left) {}

    void draw(const mechanism::Guarantee& guarantee, const calibration::Cell& cell,
              double distance) {
        m_canvas.rectangle(m_bar, "#FFFFFF", kMemoRule);
        const double end = epsilonOfOdds(guarantee, cell, distance, kLargestUsefulFactor);
        const double from = std::isfinite(end) ? placeOf(end) : m_bar.right;
        unbounded(from);
        beforeTheAxis(guarantee, cell, distance, from);
        for (const Mark& mark : kMarks) {
            const double epsilon = epsilonOfOdds(guarantee, cell, distance, mark.factor);
            if (std::isfinite(epsilon) && m_axis.shows(epsilon)) {
                draw(mark, m_axis.x(epsilon));
            }
        }
        if (!std::isfinite(end) && guarantee.cap) {
            m_canvas.text(m_bar.right - kGap, m_bar.middle(),
                          "never more than " + oddsWords(*guarantee.cap), {"end"});
        }
    }

private:
    [[nodiscard]] double placeOf(double epsilon) const {
        return epsilon <= m_axis.low ? m_bar.left : std::min(m_axis.x(epsilon), m_bar.right);
    }

    void draw(const Mark& mark, double x) {
        m_canvas.line({x, m_bar.top}, {x, m_bar.bottom}, kMemoInk, 2.0);
        for (const std::string_view text : {mark.text, mark.shortText}) {
            const double left = x - kGap - MemoCanvas::widthOf(text);
            const bool isCrossed = m_cursor > left && m_cursor < x - kGap;
            if (left >= m_used && !isCrossed) {
                m_canvas.text(x - kGap, m_bar.middle(), text, {"end"});
                break;
            }
        }
        m_used = x + kGap;
    }

    /// The last mark at the left of the axis.
    void beforeTheAxis(const mechanism::Guarantee& guarantee, const calibration::Cell& cell,
                       double distance, double until) {
        std::string text;
        double next = until;
        for (const Mark& mark : kMarks) {
            const double epsilon = epsilonOfOdds(guarantee, cell, distance, mark.factor);
            if (epsilon > m_axis.origin && epsilon < m_axis.low) {
                text = fmt::format("◂ {} at {}", mark.text, shownAtLeast(epsilon));
            } else if (m_axis.shows(epsilon)) {
                next = m_axis.x(epsilon) - 2.0 * kGap - MemoCanvas::widthOf(mark.shortText);
                break;
            }
        }
        const double width = MemoCanvas::widthOf(text);
        if (!text.empty() && m_bar.left + kGap + width < next) {
            m_canvas.text(m_bar.left + kGap, m_bar.middle(), text, {"start", kMemoMuted});
            m_used = m_bar.left + 2.0 * kGap + width;
        }
    }

    void unbounded(double from) {
        const PictureArea zone{from, m_bar.top, m_bar.right, m_bar.bottom};
        if (zone.width() < 1.0) {
            return;
        }
        m_canvas.rectangle(zone, "#E3E6EA");
        m_canvas.hatch(zone, "#9AA2AB", true);
        // Not across the line of the chosen epsilon: at its right where there is room.
        const std::string_view text = "no useful bound";
        const double wanted = MemoCanvas::widthOf(text) + 4.0 * kGap;
        const double begin = std::max(from, m_cursor);
        if (m_bar.right - begin > wanted) {
            m_canvas.pill(0.5 * (begin + m_bar.right), m_bar.middle(), text);
        } else if (m_cursor - from > wanted) {
            m_canvas.pill(0.5 * (from + m_cursor), m_bar.middle(), text);
        }
    }

    MemoCanvas& m_canvas;
    const MemoAxis& m_axis;
    PictureArea m_bar;
    double m_cursor;
    double m_used;  ///< up to where there is text
};

}  // namespace

Figure promiseFigure(const Report& report, const Findings& findings,
                     const std::vector<Odds>& pairs) {
    const calibration::Cell& cell = report.run.summary->cells[*findings.cell];
    const mechanism::Guarantee& guarantee = report.run.summary->guarantees[*findings.cell];
    const MemoAxis axis = memoAxis(report, findings);
    MemoCanvas canvas;
    double top = kTop;
    Table table{"", {"words", "distance", "the odds change by at most"}, {}};
    for (const Odds& odds : pairs) {
        const PictureArea bar{MemoAxis::kLeft, top, MemoAxis::kRight, top + kRow};
        canvas.text(0.0, bar.middle(), nameOf(odds.pair));
        Row(canvas, axis, bar, axis.x(cell.epsilon)).draw(guarantee, cell, odds.pair.distance);
        top += kRow + kBetween;
        constexpr int kDigits = 3;
        table.rows.push_back({fmt::format("{} against {}", odds.pair.first, odds.pair.second),
                              formatSignificant(odds.pair.distance, kDigits),
                              oddsWords(mechanism::pairLoss(guarantee, odds.pair.distance))});
    }
    const double bottom = top - kBetween;
    drawCursor(canvas, axis, cell.epsilon, kTop - 4.0, bottom + 4.0);
    drawAxis(canvas, axis, bottom + 4.0);
    const std::string description =
        "Left of each mark, the odds change by at most the factor shown; hatched: no useful "
        "bound. Line: the chosen ε.";
    return {description,
            canvas.render(MemoAxis::kWidth, bottom + kBelow, "What is promised, against ε",
                          description),
            std::move(table)};
}

}  // namespace epsilens::report
