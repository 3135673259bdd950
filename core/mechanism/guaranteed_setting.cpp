#include "core/mechanism/guaranteed_setting.h"

#include <utility>

namespace epsilens::mechanism {

GuaranteedSetting guaranteedSetting(embedding::EmbeddingHandle embedding,
                                    const EllipticalNoise& noise, double epsilon) {
    return {noise.guarantee(epsilon),
            [handle = std::move(embedding), noise](embedding::Row first, embedding::Row second) {
                const RowMatrixF& vectors = handle->vectors();
                return noise.distance(vectors.row(first).cast<double>().transpose(),
                                      vectors.row(second).cast<double>().transpose());
            }};
}

}  // namespace epsilens::mechanism
