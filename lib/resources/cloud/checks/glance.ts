import { propertyValueDependency } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet } from "#lib/resources/cloud/given-values.ts";
import { member } from "#lib/template/json-shape.ts";

const AMAZON_FORMATS: readonly unknown[] = ["ami", "ari", "aki"];

const refuseImage = (given: JsonObject): Problem => {
  const container = member(given, "container_format");
  if (AMAZON_FORMATS.includes(container) && member(given, "disk_format") !== container) {
    return "Invalid mix of disk and container formats. When setting a disk or container format to one of 'aki', 'ari', or 'ami', the container and disk formats must match.";
  }
  return isSet(given, "members") && member(given, "visibility") !== "shared"
    ? propertyValueDependency("members", "visibility", "shared")
    : null;
};

export const GLANCE_RULES: ServiceRules = {
  "OS::Glance::WebImage": { validate: refuseImage },
};
