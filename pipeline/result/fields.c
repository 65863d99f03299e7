/* fields.c - the members of records: what is absent, and what is written. */
#include "pipeline/result/fields.h"

bool trib_field_is_absent(const trib_field *field, const void *record) {
    const void *const member = trib_field_of(field, record);
    switch (field->type) {
    case TRIB_FIELD_FLAG:
        return !*(const bool *)member;
    case TRIB_FIELD_COUNT:
        return *(const uint64_t *)member == TRIB_ABSENT;
    case TRIB_FIELD_NUMBER:
        return isnan(*(const double *)member);
    case TRIB_FIELD_MEMBERS:
        return false;
    default: { /* a pointer, or a list that begins with one */
        void *pointer;
        memcpy(&pointer, member, sizeof pointer);
        return !pointer;
    }
    }
}

bool trib_field_is_written(const trib_record_type *type, const trib_field *field,
                           const void *record) {
    if (field->with)
        for (size_t i = 0; i < type->n; i++)
            if (strcmp(type->field[i].name, field->with) == 0 &&
                trib_field_is_absent(&type->field[i], record))
                return false;
    if (field->when == TRIB_FIELD_POSITIVE)
        return *(const uint64_t *)trib_field_of(field, record) > 0;
    return field->when != TRIB_FIELD_IF || !trib_field_is_absent(field, record);
}

void trib_record_begin(const trib_record_type *type, void *record) {
    for (size_t i = 0; i < type->n; i++) {
        const trib_field *const field = &type->field[i];
        void *const member = trib_field_of(field, record);
        const bool may_lack = field->when == TRIB_FIELD_IF || field->when == TRIB_FIELD_NULL;
        if (field->type == TRIB_FIELD_NUMBER) *(double *)member = (double)NAN;
        else if (field->type == TRIB_FIELD_TEXT) *(const char **)member = may_lack ? NULL : "";
        else if (field->type == TRIB_FIELD_COUNT && may_lack) *(uint64_t *)member = TRIB_ABSENT;
    }
}

void *trib_record_new(trib_arena *arena, const trib_record_type *type) {
    void *const record = trib_arena_new(arena, 1, type->size);
    if (record) trib_record_begin(type, record);
    return record;
}
