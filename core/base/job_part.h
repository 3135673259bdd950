#pragma once

#include "core/base/job_context.h"
