#include "core/engine/column_kernel.h"

#include <bit>
#include <limits>

#include <hwy/cache_control.h>

#ifndef EPSILENS_COLUMN_KERNEL_ONCE
#define EPSILENS_COLUMN_KERNEL_ONCE
namespace epsilens::engine {
namespace {

// Cuts columns that could overflow in the next step down to what is wanted.
void makeRoom(ColumnSelection& selection) {
    for (std::int64_t column = 0; column < selection.columns; ++column) {
        std::int64_t& count = selection.counts[static_cast<std::size_t>(column)];
        if (count + kSelectionStep > selection.capacity) {
            std::uint64_t* const keys = selection.keys + column * selection.capacity;
            std::nth_element(keys, keys + selection.wanted - 1, keys + count);
            count = selection.wanted;
            selection.thresholds[static_cast<std::size_t>(column)] =
                valueOfKey(keys[selection.wanted - 1]);
        }
    }
}

}  // namespace

float valueOfKey(std::uint64_t key) {
    const auto ordered = static_cast<std::uint32_t>(key >> 32U);
    return std::bit_cast<float>(ordered ^ ((ordered >> 31U) != 0 ? 0x80000000U : 0xFFFFFFFFU));
}

}  // namespace epsilens::engine
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/column_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace epsilens::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using WalkTag = hn::CappedTag<float, kWalkWidth>;
using ColumnTag = hn::CappedTag<float, kColumnGroup>;

// Part of the weights of a walk: as many as fit into a vector.
class Walk {
public:
    using Vector = hn::Vec<WalkTag>;

    Walk(const WalkTables& tables, const float* alpha, const float* tau, WalkFindings& findings)
        : m_tables(tables),
          m_alpha(hn::LoadU(m_tag, alpha)),
          m_tau(hn::LoadU(m_tag, tau)),
          m_slack(slack()),
          m_findings(findings) {
        if (tables.ownQ) {
            m_best = hn::Mul(m_tau, hn::Set(m_tag, *tables.ownQ));
            m_limit = hn::Add(m_best, m_slack);
        }
    }

    HWY_INLINE void run() {
        const std::int64_t end = std::min(m_tables.leastA.count, m_tables.leastQ.count);
        std::int64_t i = 0;
        bool isFinished = false;
        for (; i < end && !isFinished; i += kWalkStep) {
            askFor(std::min(i + kAhead, end - kWalkStep));
            step(i);
            isFinished = nothingBelow(m_tables.leastA.values[i + kWalkStep],
                                      m_tables.leastQ.values[i + kWalkStep]);
        }
        m_findings.walked += i;
        const bool sawAll = (m_tables.leastA.isWhole && end == m_tables.leastA.count) ||
                            (m_tables.leastQ.isWhole && end == m_tables.leastQ.count);
        if (!isFinished && !sawAll) {
            scan();
        }
        if (m_tables.outlyingTiles > 0) {
            lookAtOutlying();
        }
    }

    // Writes what is within the limits of the lanes from `lane` on.
    HWY_INLINE void finish(std::size_t lane) {
        const hn::Rebind<std::int32_t, WalkTag> integers;
        auto first = hn::Set(integers, std::numeric_limits<std::int32_t>::max());
        auto last = hn::Set(integers, -1);
        for (std::size_t i = 0; i < m_findings.count; ++i) {
            const auto position = hn::Set(integers, m_findings.positions[i]);
            const auto isWithin =
                hn::RebindMask(integers, hn::Le(score(m_findings.a[i], m_findings.q[i]), m_limit));
            first = hn::IfThenElse(isWithin, hn::Min(first, position), first);
            last = hn::IfThenElse(isWithin, hn::Max(last, position), last);
        }
        hn::StoreU(first, integers, m_findings.first.data() + lane);
        hn::StoreU(last, integers, m_findings.last.data() + lane);
        hn::StoreU(m_limit, m_tag, m_findings.limit.data() + lane);
    }

private:
    static constexpr std::int64_t kAhead = 24;  ///< entries
    static constexpr std::size_t kTogether = 2 * kWalkStep;

    struct Entries {
        float a[kTogether];
        float q[kTogether];
        std::int32_t positions[kTogether];
    };

    // Twice the error of a score, and more than its own roundings.
    HWY_INLINE Vector slack() const {
        constexpr float kUp = 2.0F * (1.0F + 0x1p-20F);
        return hn::MulAdd(m_alpha, hn::Set(m_tag, kUp * m_tables.errorA),
                          hn::Mul(m_tau, hn::Set(m_tag, kUp * m_tables.errorQ)));
    }

    HWY_INLINE Vector score(float a, float q) const {
        return hn::MulAdd(m_tau, hn::Set(m_tag, q), hn::Mul(m_alpha, hn::Set(m_tag, a)));
    }

    HWY_INLINE float squaredDistanceAt(std::int32_t position) const {
        const Column& column = m_tables.a;
        return std::max(0.0F, (column.norms[position] + column.ownNorm) +
                                  column.table[position * column.stride]);
    }
    HWY_INLINE float projectionAt(std::int32_t position) const {
        return m_tables.q.table[position * m_tables.q.stride];
    }

    HWY_INLINE bool nothingBelow(float a, float q) const {
        return hn::AllTrue(m_tag, hn::Gt(score(a, q), m_limit));
    }

    // The tables of a group of columns are larger than the nearest cache: fetches what the step
    // from i on looks up while the steps before them are decided.
    HWY_INLINE void askFor(std::int64_t i) const {
        for (std::int64_t k = i; k < i + kWalkStep; ++k) {
            hwy::Prefetch(m_tables.q.table + m_tables.leastA.positions[k] * m_tables.q.stride);
            hwy::Prefetch(m_tables.a.table + m_tables.leastQ.positions[k] * m_tables.a.stride);
        }
    }

    HWY_INLINE void step(std::int64_t i) {
        Entries entries;
        for (std::size_t k = 0; k < kWalkStep; ++k) {
            const std::int32_t position = m_tables.leastA.positions[i + static_cast<int>(k)];
            entries.positions[k] = position;
            entries.a[k] = m_tables.leastA.values[i + static_cast<int>(k)];
            entries.q[k] = projectionAt(position);
        }
        for (std::size_t k = 0; k < kWalkStep; ++k) {
            const std::int32_t position = m_tables.leastQ.positions[i + static_cast<int>(k)];
            entries.positions[kWalkStep + k] = position;
            entries.a[kWalkStep + k] = squaredDistanceAt(position);
            entries.q[kWalkStep + k] = m_tables.leastQ.values[i + static_cast<int>(k)];
        }
        consider(entries);
    }

    HWY_NOINLINE void scan() {
        ++m_findings.scans;
        const auto last = static_cast<std::int32_t>(m_tables.positions - 1);
        for (std::int32_t start = 0; start <= last; start += kTogether) {
            Entries entries;
            for (std::size_t k = 0; k < kTogether; ++k) {
                const std::int32_t position =
                    std::min<std::int32_t>(start + static_cast<std::int32_t>(k), last);
                entries.positions[k] = position;
                entries.a[k] = squaredDistanceAt(position);
                entries.q[k] = projectionAt(position);
            }
            consider(entries);
        }
    }

    // Scores that may lie far below the exact ones lower no limit.
    HWY_NOINLINE void lookAtOutlying() {
        const OutlyingColumn& a = m_tables.outlyingA;
        const OutlyingColumn& q = m_tables.outlyingQ;
        for (std::int64_t tile = 0; tile < m_tables.outlyingTiles; ++tile) {
            if (nothingBelow(a.least[tile], q.least[tile])) {
                continue;
            }
            Entries entries;
            for (std::int64_t first = tile * kTileWidth; first < (tile + 1) * kTileWidth;
                 first += kTogether) {
                for (std::size_t k = 0; k < kTogether; ++k) {
                    const std::int64_t i = first + static_cast<std::int64_t>(k);
                    entries.positions[k] = static_cast<std::int32_t>(m_tables.positions + i);
                    entries.a[k] = a.values[i];
                    entries.q[k] = q.values[i];
                }
                keep(entries);
            }
        }
    }

    HWY_INLINE void consider(const Entries& entries) {
        Vector least = score(entries.a[0], entries.q[0]);
        for (std::size_t k = 1; k < kTogether; ++k) {
            least = hn::Min(least, score(entries.a[k], entries.q[k]));
        }
        if (!hn::AllFalse(m_tag, hn::Le(least, m_limit))) {
            m_best = hn::Min(m_best, least);
            m_limit = hn::Add(m_best, m_slack);
            keep(entries);
        }
    }

    HWY_INLINE void keep(const Entries& entries) {
        const std::size_t room = m_findings.count + kTogether;
        if (m_findings.positions.size() < room) {
            m_findings.a.resize(2 * room);
            m_findings.q.resize(2 * room);
            m_findings.positions.resize(2 * room);
        }
        for (std::size_t k = 0; k < kTogether; ++k) {
            const Vector value = score(entries.a[k], entries.q[k]);
            m_findings.a[m_findings.count] = entries.a[k];
            m_findings.q[m_findings.count] = entries.q[k];
            m_findings.positions[m_findings.count] = entries.positions[k];
            m_findings.count += hn::AllFalse(m_tag, hn::Le(value, m_limit)) ? 0 : 1;
        }
    }

    const WalkTables& m_tables;
    WalkTag m_tag{};
    Vector m_alpha;
    Vector m_tau;
    Vector m_slack;
    Vector m_best = hn::Set(m_tag, std::numeric_limits<float>::infinity());
    Vector m_limit = m_best;
    WalkFindings& m_findings;
};

void walkOnTarget(const WalkTables& tables, const WalkWeights& weights, WalkFindings& findings) {
    const std::size_t lanes = hn::Lanes(WalkTag());
    findings.count = 0;
    for (std::size_t lane = 0; lane < kWalkWidth; lane += lanes) {
        Walk walk(tables, weights.alpha.data() + lane, weights.tau.data() + lane, findings);
        walk.run();
        walk.finish(lane);
    }
}

// Values of neighbouring columns, as many as fit into a vector.
HWY_INLINE hn::Vec<ColumnTag> valuesAt(const ColumnSelection& selection, std::int64_t position,
                                       std::size_t lane) {
    const ColumnTag d;
    const Column& column = selection.first;
    const auto stored = hn::LoadU(d, column.table + position * column.stride + lane);
    if (column.norms == nullptr) {
        return stored;
    }
    const auto norms =
        hn::Add(hn::Set(d, column.norms[position]), hn::LoadU(d, selection.ownNorms.data() + lane));
    return hn::Max(hn::Zero(d), hn::Add(norms, stored));
}

HWY_INLINE std::uint64_t keyOf(float value, std::int64_t position) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t ordered = bits ^ ((bits >> 31U) != 0 ? 0xFFFFFFFFU : 0x80000000U);
    return (static_cast<std::uint64_t>(ordered) << 32U) | static_cast<std::uint64_t>(position);
}

// Appends what is within the thresholds among four positions.
HWY_INLINE void selectFour(ColumnSelection& selection, std::int64_t start, std::uint64_t exists) {
    const ColumnTag d;
    constexpr std::size_t kRows = 4;
    HWY_ALIGN float values[kRows * kColumnGroup];
    std::uint64_t within = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        const std::int64_t position =
            std::min(start + static_cast<std::int64_t>(row), selection.positions - 1);
        for (std::size_t lane = 0; lane < kColumnGroup; lane += hn::Lanes(d)) {
            const auto computed = valuesAt(selection, position, lane);
            hn::Store(computed, d, values + row * kColumnGroup + lane);
            std::uint8_t bits[8] = {};
            hn::StoreMaskBits(d, hn::Le(computed, hn::LoadU(d, selection.thresholds.data() + lane)),
                              bits);
            within |=
                (static_cast<std::uint64_t>(bits[0]) | static_cast<std::uint64_t>(bits[1]) << 8U)
                << (row * kColumnGroup + lane);
        }
    }
    for (within &= exists; within != 0; within &= within - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(within));
        const std::size_t column = bit % kColumnGroup;
        const std::int64_t position = start + static_cast<std::int64_t>(bit / kColumnGroup);
        const auto place =
            static_cast<std::int64_t>(column) * selection.capacity + selection.counts[column]++;
        selection.keys[place] = keyOf(values[bit], position);
    }
}

void selectOnTarget(ColumnSelection& selection) {
    constexpr std::int64_t kRows = 4;
    const std::uint64_t columns =
        (std::uint64_t{1} << static_cast<unsigned>(selection.columns)) - 1;
    const std::uint64_t all = columns | columns << 16U | columns << 32U | columns << 48U;
    for (std::int64_t start = 0; start < selection.positions; start += kSelectionStep) {
        makeRoom(selection);
        const std::int64_t end = std::min(start + kSelectionStep, selection.positions);
        for (std::int64_t four = start; four < end; four += kRows) {
            const auto rows = static_cast<unsigned>(std::min(kRows, end - four));
            selectFour(selection, four,
                       all >> (static_cast<unsigned>(kColumnGroup) * (kRows - rows)));
        }
    }
}

void sampleOnTarget(const ColumnSelection& selection, std::int64_t step, std::int64_t count,
                    float* values) {
    const ColumnTag d;
    HWY_ALIGN float line[kColumnGroup];
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t lane = 0; lane < kColumnGroup; lane += hn::Lanes(d)) {
            hn::Store(valuesAt(selection, i * step, lane), d, line + lane);
        }
        for (std::int64_t column = 0; column < selection.columns; ++column) {
            values[column * count + i] = line[column];
        }
    }
}

}  // namespace epsilens::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace epsilens::engine {

HWY_EXPORT(walkOnTarget);
HWY_EXPORT(selectOnTarget);
HWY_EXPORT(sampleOnTarget);

void walkLists(const WalkTables& tables, const WalkWeights& weights, WalkFindings& findings) {
    HWY_DYNAMIC_DISPATCH(walkOnTarget)(tables, weights, findings);
}

void selectLeast(ColumnSelection& selection) {
    HWY_DYNAMIC_DISPATCH(selectOnTarget)(selection);
}

void sampleColumns(const ColumnSelection& selection, std::int64_t step, std::int64_t count,
                   float* values) {
    HWY_DYNAMIC_DISPATCH(sampleOnTarget)(selection, step, count, values);
}

}  // namespace epsilens::engine
#endif
