import type { JsonObject } from "#provider/provider.ts";
import { type RefusedProperty, refusedBy } from "../refused-properties.ts";
import { listOf } from "../values.ts";

const DEFAULT_GROUP = "default";

export const refuseGroups = (properties: JsonObject): RefusedProperty | null =>
  listOf(properties["security_groups"]).every((one) => one === DEFAULT_GROUP || one === "")
    ? null
    : {
        property: "security_groups",
        why: "containers of a network reach one another, and nothing filters their traffic",
      };

export const textOfRefusal = (refused: RefusedProperty): string => refusedBy("Docker", refused);
