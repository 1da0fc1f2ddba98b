import * as z from "zod/mini";
import type { JsonObject } from "#provider/provider.ts";
import { addressOf, rangeOf } from "#providers/ipv4.ts";
import { hasAll, objectsOf, textOf } from "#providers/values.ts";
import { type At, askNeutron } from "../asked.ts";
import {
  type CloudAnswer,
  CONFLICT,
  expectDone,
  expectGone,
  type Resource,
  resource,
} from "../cloud.ts";
import { markIn, refuseLongDescription } from "../marks.ts";
import { idByName, PLACES } from "../names.ts";
import type { NeutronKind } from "./neutron-type.ts";

const RULES = "/security-group-rules";

const ruleOf = async (at: At, given: JsonObject, groupId: string): Promise<JsonObject> => {
  const { remote_mode: mode, protocol } = given;
  const group = textOf(given["remote_group_id"]) || textOf(given["remote_group"]);
  const namesGroup = mode === "remote_group_id" || group !== "";
  const remote = group === "" ? groupId : await idByName(at, PLACES.securityGroup, group);
  return {
    security_group_id: groupId,
    direction: given["direction"] ?? "ingress",
    ethertype: given["ethertype"] ?? "IPv4",
    protocol: protocol === undefined || protocol === "" ? null : protocol,
    port_range_min: given["port_range_min"] ?? null,
    port_range_max: given["port_range_max"] ?? null,
    remote_group_id: namesGroup ? remote : null,
    remote_ip_prefix: namesGroup ? null : (given["remote_ip_prefix"] ?? null),
  };
};

/** As in Heat, all egress is allowed unless the template has an egress rule. */
const OUT: readonly JsonObject[] = ["IPv4", "IPv6"].map((ethertype) => ({
  direction: "egress",
  ethertype,
}));

const listed = z.object({ security_group_rules: z.array(resource) });

const live = ({ security_group_rules: rules }: Resource): readonly Resource[] => {
  const read = z.safeParse(listed, { security_group_rules: rules });
  return read.success ? read.data.security_group_rules : [];
};

const addRule = async (at: At, rule: JsonObject): Promise<void> => {
  const json = { security_group_rule: rule };
  const answer = await askNeutron(at, { method: "POST", path: RULES, json });
  // An earlier call has made the same rule, or the template contains it twice.
  if (!isDouble(answer)) expectDone(answer);
};

const neutronError = z.object({ NeutronError: z.object({ type: z.string() }) });

/** An exhausted quota has the same status. */
const isDouble = ({ status, body }: CloudAnswer): boolean => {
  const read = z.safeParse(neutronError, body);
  return status === CONFLICT && read.success && read.data.NeutronError.type.includes("Exists");
};

const dropRule = async (at: At, id: string): Promise<void> => {
  expectGone(await askNeutron(at, { method: "DELETE", path: `${RULES}/${id}` }));
};

/** Neutron has one name for each protocol, and masks the host part of a prefix. */
const asNeutronSays = (rule: JsonObject): JsonObject => {
  const { protocol, remote_ip_prefix: prefix, ethertype } = rule;
  const name = typeof protocol === "string" ? protocol.toLowerCase() : protocol;
  const isIcmp6 = ethertype === "IPv6" && ICMP_OF_IPV6.includes(textOf(name));
  return {
    ...rule,
    protocol: isIcmp6 ? "ipv6-icmp" : (name ?? null),
    remote_ip_prefix: typeof prefix === "string" ? prefixOf(prefix) : (prefix ?? null),
  };
};

const ICMP_OF_IPV6 = ["icmp", "icmpv6", "ipv6-icmp"];

const prefixOf = (text: string): string => {
  const [address = "", bits = "32"] = text.split("/");
  const range = rangeOf(`${address}/${bits}`);
  return range === null ? text.toLowerCase() : `${addressOf(range.first)}/${bits}`;
};

const isSameRule = (wanted: JsonObject, found: JsonObject): boolean =>
  hasAll(asNeutronSays(wanted), asNeutronSays(found));

interface Rules {
  readonly extra: readonly Resource[];
  readonly missing: readonly JsonObject[];
}

const compareRules = async (at: At, found: Resource): Promise<Rules> => {
  const given = objectsOf(at.call.properties["rules"]);
  const hasOwn = given.some(({ direction }) => direction === "egress");
  const wanted = await Promise.all(
    [...given, ...(hasOwn ? [] : OUT)].map((rule) => ruleOf(at, rule, found.id)),
  );
  // A rule with a mark belongs to an OS::Neutron::SecurityGroupRule.
  const there = live(found).filter((rule) => markIn(rule["description"]) === null);
  return {
    extra: there.filter((rule) => !wanted.some((one) => isSameRule(one, rule))),
    missing: wanted.filter((one) => !there.some((rule) => isSameRule(one, rule))),
  };
};

const setRules = async (at: At, found: Resource): Promise<void> => {
  const { extra, missing } = await compareRules(at, found);
  for (const { id } of extra) await dropRule(at, id);
  for (const rule of missing) await addRule(at, rule);
};

const driftOf = async (at: At, found: Resource): Promise<readonly string[]> => {
  const { extra, missing } = await compareRules(at, found);
  return extra.length + missing.length > 0 ? ["rules"] : [];
};

export const securityGroup: NeutronKind = {
  description: "A group of rules for traffic.",
  collection: "security-groups",
  member: "security_group",
  refuse: refuseLongDescription,
  fixed: [],
  body: async () => ({}),
  complete: setRules,
  drift: driftOf,
  properties: {
    name: { type: "string", updateAllowed: true },
    description: { type: "string", updateAllowed: true },
    rules: { type: "list", default: [], updateAllowed: true },
  },
  attributes: [],
};

export const securityGroupRule: NeutronKind = {
  description: "A rule of a group.",
  collection: "security-group-rules",
  member: "security_group_rule",
  refuse: refuseLongDescription,
  nameless: true,
  // Neutron cannot change a rule.
  fixed: [
    "security_group_id",
    "direction",
    "ethertype",
    "protocol",
    "port_range_min",
    "port_range_max",
    "remote_group_id",
    "remote_ip_prefix",
  ],
  body: async (at) => {
    const { properties } = at.call;
    const group = textOf(properties["security_group"]);
    return ruleOf(at, properties, await idByName(at, PLACES.securityGroup, group));
  },
  properties: {
    security_group: { type: "string", required: true },
    description: { type: "string" },
    direction: { type: "string", default: "ingress" },
    ethertype: { type: "string", default: "IPv4" },
    port_range_min: { type: "integer" },
    port_range_max: { type: "integer" },
    protocol: { type: "string" },
    remote_group: { type: "string" },
    remote_ip_prefix: { type: "string" },
  },
  attributes: [],
};
