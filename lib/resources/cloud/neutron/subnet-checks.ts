import { propertyConflict, propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import { isGiven, isTrue, reads } from "#lib/resources/cloud/given-values.ts";
import { isIpv6 } from "#lib/stack/ip-constraints.ts";
import { member } from "#lib/template/json-shape.ts";
import { pythonRepr } from "#lib/template/python-text.ts";

const OCTET_MAX = 255;
const ADDRESS_BITS = 32;
const OCTET_BITS = 8;
const SCOPE_CHARACTERS_MAX = 15;

/** As in C: decimal, octal after a zero, or hexadecimal. Null: it is none of them. */
const partOf = (text: string): number | null => {
  if (/^0x[0-9a-f]+$/i.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^[1-9]\d*$/.test(text) ? Number(text) : null;
};

/** As C's inet_aton: the last of one to four parts has all bits that are left. */
const isLooseIpv4 = (text: string): boolean => {
  const parts = text.split(".").map(partOf);
  const last = parts.pop() ?? null;
  if (last === null || parts.length > 3) return false;
  return (
    parts.every((part) => part !== null && part <= OCTET_MAX) &&
    last < 2 ** (ADDRESS_BITS - OCTET_BITS * parts.length)
  );
};

const isGateway = (text: string): boolean => {
  const at = text.lastIndexOf("%");
  if (at < 0) return isLooseIpv4(text) || isIpv6(text);
  const scope = Array.from(text.slice(at + 1)).length;
  return scope >= 1 && scope <= SCOPE_CHARACTERS_MAX && isIpv6(text.slice(0, at));
};

const blockProblem = (given: JsonObject): Problem => {
  reads(given, "value_specs", "subnetpool", "prefixlen");
  const hasPool = isGiven(given, "subnetpool");
  const hasCidr = isTrue(given, "cidr");
  if (hasPool && hasCidr) return propertyConflict("subnetpool", "cidr");
  if (!hasPool && !hasCidr) return propertyUnspecified("subnetpool", "cidr");
  return hasCidr && isTrue(given, "prefixlen") ? propertyConflict("prefixlen", "cidr") : null;
};

const modeProblem = (given: JsonObject): string | null => {
  const hasRa = isTrue(given, "ipv6_ra_mode");
  const hasAddress = isTrue(given, "ipv6_address_mode");
  if (member(given, "ip_version") === 4 && (hasRa || hasAddress)) {
    return "ipv6_ra_mode and ipv6_address_mode are not supported for ipv4.";
  }
  const areEqual = member(given, "ipv6_ra_mode") === member(given, "ipv6_address_mode");
  return hasRa && hasAddress && !areEqual
    ? "When both ipv6_ra_mode and ipv6_address_mode are set, they must be equal."
    : null;
};

const gatewayProblem = (given: JsonObject): string | null => {
  const gateway = member(given, "gateway_ip") ?? "";
  if (typeof gateway !== "string" || ["~", "", "auto"].includes(gateway)) return null;
  // Heat forgets to put the address into its text, and shows both as a Python tuple.
  return isGateway(gateway)
    ? null
    : `('Gateway IP address "%(gateway)s" is in invalid format.', ${pythonRepr(gateway)})`;
};

export const subnetProblem = (given: JsonObject): Problem =>
  blockProblem(given) ?? modeProblem(given) ?? gatewayProblem(given);
