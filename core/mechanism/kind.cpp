#include "core/mechanism/kind.h"

#include <fmt/format.h>

namespace epsilens::mechanism {

std::string_view kindName(Kind kind) {
    switch (kind) {
        case Kind::laplace:
            return "laplace";
        case Kind::mahalanobis:
            return "mahalanobis";
        case Kind::tem:
            return "tem";
        case Kind::hyperbolic:
            return "hyperbolic";
    }
    return {};
}

Result<Kind> parseKind(std::string_view name) {
    for (const Kind kind : {Kind::laplace, Kind::mahalanobis, Kind::tem, Kind::hyperbolic}) {
        if (name == kindName(kind)) {
            return kind;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("mechanism \"{}\" is unknown; allowed: laplace, mahalanobis, tem, "
                            "hyperbolic",
                            name));
}

metric::Metric metricOf(Kind kind, metric::Metric chosen) {
    switch (kind) {
        case Kind::laplace:
            return metric::Metric::euclidean;
        case Kind::mahalanobis:
            return metric::Metric::mahalanobis;
        case Kind::tem:
            return chosen;
        case Kind::hyperbolic:
            return metric::Metric::poincare;
    }
    return chosen;
}

bool hasLambda(Kind kind, metric::Metric metric) {
    return kind == Kind::mahalanobis ||
           (kind == Kind::tem && metric == metric::Metric::mahalanobis);
}

}  // namespace epsilens::mechanism
