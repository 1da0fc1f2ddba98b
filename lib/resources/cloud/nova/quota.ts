import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { noneOf } from "#lib/resources/cloud/refusals.ts";
import types from "./types.json" with { type: "json" };

const validate = (given: JsonObject): Refusal | null =>
  Object.values(given).length > 1
    ? null
    : noneOf(
        ...Object.keys(types["OS::Nova::Quota"].properties)
          .filter((key) => key !== "project")
          .toSorted(),
      );

export const novaQuota: TypeRules = {
  validate,
};
