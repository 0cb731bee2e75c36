/* squared_relu: see squared_relu.h. */
#include "squared_relu.h"

#include "mcuc_math.h"

void squared_relu(const squared_relu_params *p, const int8_t *input, int8_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t above = input[i] - p->in_zero_point;
        above = above > 0 ? above : 0;
        output[i] = mcuc_requantize((uint32_t)(above * above), p->multiplier, p->right_shift,
                                    p->out_zero_point, -128, 127);
    }
}
