/** The custom constraints that can be checked without calling a service. */
import { type Json, parseJson } from "#lib/json.ts";
import type { CustomConstraints } from "#lib/template/check/constraints.ts";
import { describeJsonError } from "#lib/template/json-error.ts";
import { isEmpty } from "#lib/template/json-shape.ts";
import { pythonError } from "#lib/template/parameters/parameter-constraint.ts";
import { pythonText, pythonType } from "#lib/template/python-text.ts";
import { cronProblem } from "./cron.ts";
import { cidrProblem, ipOrCidrProblem, ipProblem } from "./ip-constraints.ts";

const DATE =
  /^(?<year>\d{4})(?:(?:-(?<month>\d{1,2})|(?<packedMonth>\d{2})(?!$))(?:(?:-(?<day>\d{1,2})|(?<packedDay>\d{2}))(?:[ T](?<hour>\d{2})(?::?(?<minute>\d{2}))?(?::?(?<second>\d{1,2})(?:[.,](?<fraction>\d+))?)?(?:Z|(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?)?)?)?)?$/;
const MINUTE_MS = 60_000;
/** JavaScript reads earlier years as those of the 20th century. */
const FULL_YEAR_MIN = 100;

type Parts = Readonly<Record<string, string | undefined>>;

const offsetMs = ({ sign, zoneHour = "0", zoneMinute = "0" }: Parts): number => {
  const minutes = Number(zoneHour) * 60 + Number(zoneMinute);
  return (sign === "-" ? -minutes : minutes) * MINUTE_MS;
};

/** Dates and times as read by the library iso8601, which Heat uses. */
const isoDateMs = (text: string): number | null => {
  const parts: Parts | undefined = DATE.exec(text)?.groups;
  if (parts === undefined) return null;
  const year = Number(parts["year"]);
  const month = Number(parts["month"] ?? parts["packedMonth"] ?? 1);
  const day = Number(parts["day"] ?? parts["packedDay"] ?? 1);
  const [hour = 0, minute = 0, second = 0] = ["hour", "minute", "second"].map((key) =>
    Number(parts[key] ?? 0),
  );
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  if (!isDay || hour >= 24 || minute >= 60 || second >= 60) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  if (year < FULL_YEAR_MIN) date.setUTCFullYear(year);
  const fractionMs = Math.floor(Number(`0.${parts["fraction"] ?? "0"}`) * 1_000);
  return date.getTime() + fractionMs - offsetMs(parts);
};

const MAC = /^[0-9a-f]{2}(?:([-:])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}$/i;
const LABEL_CHARACTERS_MAX = 63;
const NAME_CHARACTERS_MAX = 255;

const badLabel = (label: string): string | null => {
  if (label === "") return "Encountered an empty component.";
  if (label.startsWith("-") || label.endsWith("-")) {
    return `Name '${label}' must not start or end with a hyphen.`;
  }
  return label.length <= LABEL_CHARACTERS_MAX && /^[a-z0-9-]+$/.test(label)
    ? null
    : `Name '${label}' must be 1-63 characters long, each of which can only be alphanumeric or a hyphen.`;
};

const dnsReason = (name: string): string | null => {
  const trimmed = name.endsWith(".") ? name.slice(0, -1) : name;
  if (trimmed.length > NAME_CHARACTERS_MAX) {
    return `'${trimmed}' exceeds the ${NAME_CHARACTERS_MAX} character FQDN limit`;
  }
  const labels = trimmed.split(".");
  const bad = labels.map(badLabel).find((reason) => reason !== null);
  const last = labels.at(-1) ?? "";
  const isNumber = name.endsWith(".") && labels.length > 1 && /^\d+$/.test(last);
  return bad ?? (isNumber ? `TLD '${last}' must not be all numeric.` : null);
};

/** Heat's constraints accept an empty text. */
const told = (
  text: string,
  find: (text: string) => string | null,
  tell: (problem: string) => string,
): string | null => {
  const problem = text === "" ? null : find(text);
  return problem === null ? null : tell(problem);
};

const dnsName = (name: string): string | null =>
  told(name, dnsReason, (reason) => `'${name}' not in valid format. Reason: ${reason}`);

/** Node has the zones of the same database as Heat. Zone names begin with a capital letter. */
const isTimezone = (text: string): boolean => {
  if (!/^[A-Z][\w+-]*(?:\/[\w+-]+)*$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }) !== null;
  } catch {
    return false;
  }
};

const jsonError = (text: string): string | null => {
  try {
    parseJson(text);
    return null;
  } catch {
    return `JSON string ${text} is invalid: ${describeJsonError(text)}`;
  }
};

const expirationProblem = (text: string, nowMs: number): string | null => {
  const expiresMs = isoDateMs(text.trim());
  if (expiresMs === null) return `Unable to parse date string '${text}'`;
  return expiresMs > nowMs ? null : "Expiration time is out of date.";
};

const BUILT_IN: Readonly<Record<string, (text: string, nowMs: number) => string | null>> = {
  ip_addr: ipProblem,
  net_cidr: cidrProblem,
  ip_or_cidr: ipOrCidrProblem,
  mac_addr: (text) => (MAC.test(text) ? null : "Invalid MAC address."),
  cron_expression: (text) =>
    told(text, cronProblem, (problem) => `Invalid CRON expression: ${problem}`),
  dns_name: dnsName,
  rel_dns_name: (text) =>
    text.endsWith(".")
      ? `'${text}' is a FQDN. It should be a relative domain name.`
      : dnsName(text),
  dns_domain: (text) =>
    dnsName(text) ?? (text === "" || text.endsWith(".") ? null : `'${text}' must end with '.'.`),
  iso_8601: (text) => (isoDateMs(text) === null ? "" : null),
  expiration: (text, nowMs) =>
    told(
      text,
      () => expirationProblem(text, nowMs),
      (problem) => `Expiration ${text} is invalid: ${problem}`,
    ),
  // Heat's own constraint takes time and accepts everything.
  test_constr: () => null,
  json_string: (text) => (text === "" ? null : jsonError(text)),
  timezone: (text) =>
    text === "" || isTimezone(text)
      ? null
      : `Invalid timezone: 'No time zone found with key ${text}'`,
};

/**
 * What Heat's check does with a value that is not a text. Null means that it checks the value's
 * text.
 */
const ofOtherValue = (name: string, value: Json): string | null => {
  if (name === "ip_addr") return "Invalid IP address";
  if (isEmpty(value)) return null;
  const type = pythonType(value);
  if (name === "json_string") {
    throw pythonError("TypeError", `the JSON object must be str, bytes or bytearray, not ${type}`);
  }
  if (!name.includes("dns_")) return null;
  throw pythonError("AttributeError", `'${type}' object has no attribute 'endswith'`);
};

const READS_CLOCK = "expiration";

interface TimedConstraints {
  readonly constraints: CustomConstraints;
  readonly hasReadClock: () => boolean;
}

export const timedConstraints = (nowMs: number): TimedConstraints => {
  let hasReadClock = false;
  const constraints: CustomConstraints = (name) => {
    if (asksService(name)) return () => null;
    const check = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
    if (check === undefined) return null;
    hasReadClock ||= name === READS_CLOCK;
    return (value) => {
      if (typeof value === "string") return check(value, nowMs);
      return ofOtherValue(name, value) ?? (isEmpty(value) ? null : check(pythonText(value), nowMs));
    };
  };
  return { constraints, hasReadClock: () => hasReadClock };
};

export const customConstraints = (nowMs: number): CustomConstraints =>
  timedConstraints(nowMs).constraints;

const OF_SERVICES: Readonly<Record<string, readonly string[]>> = {
  barbican: ["container", "secret"],
  blazar: ["reservation"],
  cinder: ["backup", "qos_specs", "snapshot", "volume", "vtype"],
  designate: ["zone"],
  glance: ["image"],
  ironic: ["node", "portgroup"],
  keystone: ["domain", "group", "project", "region", "role", "service", "user"],
  magnum: ["cluster_template"],
  manila: ["share_network", "share_snapshot", "share_type"],
  mistral: ["workflow"],
  neutron: [
    "address_scope",
    "flow_classifier",
    "lbaas.listener",
    "lbaas.loadbalancer",
    "lbaas.pool",
    "lbaas.provider",
    "network",
    "port",
    "port_pair",
    "port_pair_group",
    "qos_policy",
    "router",
    "security_group",
    "segment",
    "subnet",
    "subnetpool",
    "taas.tap_flow",
    "taas.tap_service",
  ],
  nova: ["flavor", "host", "keypair", "network", "server"],
  octavia: [
    "availabilityzone",
    "availabilityzoneprofile",
    "flavor",
    "flavorprofile",
    "l7policy",
    "listener",
    "loadbalancer",
    "pool",
  ],
  trove: ["flavor"],
  zaqar: ["queue"],
};

const NAMES: ReadonlySet<string> = new Set(
  Object.entries(OF_SERVICES).flatMap(([service, kinds]) =>
    kinds.map((kind) => `${service}.${kind}`),
  ),
);

/** There is no service to ask, so these constraints accept any value. */
const asksService = (constraint: string): boolean => NAMES.has(constraint);
