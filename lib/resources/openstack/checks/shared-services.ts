/** What Heat checks before it calls Barbican, Glance or Keystone. */
import * as z from "zod/mini";
import { propertyConflict, propertyDependency, propertyValueDependency } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { member } from "#lib/template/json-shape.ts";
import { isGiven, isSet, reads } from "../../given-values.ts";
import type { TypeRules } from "../catalogue.ts";

const secretsSchema = z._default(z.array(z.object({ ref: z.string() })), []);

const refuseContainer = (given: JsonObject): string | null =>
  refuseDuplicateRefs(secretsSchema.parse(given["secrets"]).map(({ ref }) => ref));

/** These follow Python's base64.b64decode, which skips all characters outside the alphabet. */
const DIGIT = /[A-Za-z0-9+/]/;
const NOT_ASCII = /\P{ASCII}/u;
const GROUP_DIGITS = 4;

const isBase64 = (text: string): boolean => {
  if (NOT_ASCII.test(text)) return false;
  let digits = 0;
  let padding = 0;
  for (const character of text) {
    if (DIGIT.test(character)) {
      digits = (digits + 1) % GROUP_DIGITS;
      padding = 0;
    } else if (character === "=" && digits >= 2) {
      padding += 1;
      // Python ignores everything after a complete padding.
      if (digits + padding >= GROUP_DIGITS) return true;
    }
  }
  return digits === 0;
};

const CONTENT = "payload_content_type";
const ENCODING = "payload_content_encoding";
const BINARY = "application/octet-stream";

const refuseSecret = (given: JsonObject): Problem => {
  const content = member(given, CONTENT);
  if (isSet(given, CONTENT)) {
    const payload = member(given, "payload");
    if (!isSet(given, "payload")) return propertyDependency(CONTENT, "payload");
    if (content === BINARY) {
      if (!isSet(given, ENCODING)) {
        return `Property unspecified. For '${BINARY}' value of '${CONTENT}' property, '${ENCODING}' property must be specified.`;
      }
      if (typeof payload === "string" && !isBase64(payload)) {
        return `Invalid payload for specified '${given[ENCODING]}' value of '${ENCODING}' property.`;
      }
    }
  }
  return isSet(given, ENCODING) && (!isSet(given, CONTENT) || content === "text/plain")
    ? propertyValueDependency(ENCODING, CONTENT, BINARY)
    : null;
};

const refuseDuplicateRefs = (refs: readonly Json[]): string | null =>
  new Set(refs).size === refs.length ? null : "Duplicate refs are not allowed.";

const refuseDuplicateValues = (given: JsonObject): string | null =>
  refuseDuplicateRefs(Object.entries(given).flatMap(([key, ref]) => (key === "name" ? [] : [ref])));

const KEY_PROPERTIES = [
  "algorithm",
  "bit_length",
  "expiration",
  "mode",
  "name",
  "payload_content_type",
];

const PROPERTIES_OF_TYPE = new Map<unknown, readonly string[]>([
  ["key", KEY_PROPERTIES],
  ["asymmetric", [...KEY_PROPERTIES, "pass_phrase"].toSorted()],
  [
    "certificate",
    [
      "ca_id",
      "name",
      "profile",
      "request_data",
      "request_type",
      "source_container_ref",
      "subject_dn",
    ],
  ],
]);

const refuseOrder = (given: JsonObject): Problem => {
  const { type } = given;
  if (type === "certificate") {
    if (isSet(given, "profile") && !isSet(given, "ca_id"))
      return propertyDependency("profile", "ca_id");
  } else if (!isGiven(given, "algorithm") || !isGiven(given, "bit_length")) {
    return `Properties algorithm and bit_length are required for ${type} type of order.`;
  }
  const allowed = PROPERTIES_OF_TYPE.get(type);
  // The type is null while its value depends on another resource.
  if (allowed === undefined) return null;
  reads(given, ...Object.keys(given));
  const unexpected = Object.keys(given).filter((key) => key !== "type" && !allowed.includes(key));
  return unexpected.length === 0
    ? null
    : `Unexpected properties: ${unexpected.toSorted().join(", ")}. Only these properties are allowed for ${type} type of order: ${allowed.join(", ")}.`;
};

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

const rolesSchema = z._default(
  z.array(
    z.object({
      role: z.string(),
      project: z.optional(z.string()),
      domain: z.optional(z.string()),
    }),
  ),
  [],
);

const refuseRoles = (given: JsonObject): Problem => {
  for (const { role, project, domain } of rolesSchema.parse(given["roles"])) {
    if (project !== undefined && domain !== undefined) return propertyConflict("project", "domain");
    if (project === undefined && domain === undefined) {
      return `Either project or domain must be specified for role ${role}`;
    }
  }
  return null;
};

export const SHARED_SERVICES_RULES: Readonly<Record<string, TypeRules>> = {
  "OS::Barbican::CertificateContainer": { validate: refuseDuplicateValues },
  "OS::Barbican::GenericContainer": { validate: refuseContainer },
  "OS::Barbican::Order": { validate: refuseOrder },
  "OS::Barbican::RSAContainer": { validate: refuseDuplicateValues },
  "OS::Barbican::Secret": { validate: refuseSecret },
  "OS::Glance::WebImage": { validate: refuseImage },
  "OS::Keystone::GroupRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::Group": { validate: refuseRoles },
  "OS::Keystone::UserRoleAssignment": { validate: refuseRoles },
  "OS::Keystone::User": { validate: refuseRoles },
};
