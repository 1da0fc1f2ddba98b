import type { JsonObject } from "#lib/json.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): string | null =>
  isSet(given, "projects") && isSet(given, "is_public")
    ? 'Can not specify property "projects" if the volume type is public.'
    : null;

export const cinderVolumeType: TypeRules = {
  validate,
};
