import type { IpPermission, SecurityGroup } from "@aws-sdk/client-ec2";
import type { JsonObject } from "#provider/provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";

/** Exactly one of `cidr`, `cidr6` and `group` is not null. */
export interface Rule {
  readonly egress: boolean;
  readonly protocol: string;
  readonly from: number;
  readonly to: number;
  readonly cidr: string | null;
  readonly cidr6: string | null;
  readonly group: string | null;
}

const ALL = "-1";
const PORTS_MAX = 65_535;
const ANY = -1;

/** EC2 shows these protocols by name, even if it was given a number. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["", ALL],
  ["any", ALL],
  ["0", ALL],
  ["1", "icmp"],
  ["6", "tcp"],
  ["17", "udp"],
  ["58", "icmpv6"],
  ["ipv6-icmp", "icmpv6"],
]);

const PORTS: ReadonlySet<string> = new Set(["tcp", "udp"]);
const ICMP: ReadonlySet<string> = new Set(["icmp", "icmpv6"]);

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

const rangeOf = (protocol: string, rule: JsonObject): { from: number; to: number } => {
  const { port_range_min: min, port_range_max: max } = rule;
  if (PORTS.has(protocol)) {
    const from = numberOf(min, 0);
    return { from, to: numberOf(max, min === undefined || min === null ? PORTS_MAX : from) };
  }
  if (!ICMP.has(protocol)) return { from: ANY, to: ANY };
  return { from: numberOf(min, ANY), to: numberOf(max, ANY) };
};

const EVERYWHERE: Rule = {
  egress: true,
  protocol: ALL,
  from: ANY,
  to: ANY,
  cidr: "0.0.0.0/0",
  cidr6: null,
  group: null,
};

export const wantedRules = (
  properties: JsonObject,
  groupOf: (name: string) => string,
): readonly Rule[] => {
  const rules = objectsOf(properties["rules"]).map((rule): Rule => {
    const protocol = textOf(rule["protocol"]).toLowerCase();
    const own = NAMES.get(protocol) ?? protocol;
    const isSix = rule["ethertype"] === "IPv6";
    const isGroup = rule["remote_mode"] === "remote_group_id";
    const prefix = textOf(rule["remote_ip_prefix"]) || (isSix ? "::/0" : "0.0.0.0/0");
    return {
      egress: rule["direction"] === "egress",
      protocol: own,
      ...rangeOf(own, rule),
      cidr: isGroup || isSix ? null : prefix,
      cidr6: isGroup || !isSix ? null : prefix,
      group: isGroup ? groupOf(textOf(rule["remote_group_id"])) : null,
    };
  });
  // As in Heat, egress rules of the template replace the rule that allows all egress.
  return rules.some(({ egress }) => egress) ? rules : [...rules, EVERYWHERE];
};

const single = (egress: boolean, permission: IpPermission): readonly Rule[] => {
  const base = {
    egress,
    protocol: permission.IpProtocol ?? ALL,
    from: permission.FromPort ?? ANY,
    to: permission.ToPort ?? ANY,
    cidr: null,
    cidr6: null,
    group: null,
  };
  return [
    ...(permission.IpRanges ?? []).map(({ CidrIp = "" }) => ({ ...base, cidr: CidrIp })),
    ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6 = "" }) => ({ ...base, cidr6: CidrIpv6 })),
    ...(permission.UserIdGroupPairs ?? []).map(({ GroupId = "" }) => ({ ...base, group: GroupId })),
  ];
};

export const presentRules = (group: SecurityGroup): readonly Rule[] => [
  ...(group.IpPermissions ?? []).flatMap((one) => single(false, one)),
  ...(group.IpPermissionsEgress ?? []).flatMap((one) => single(true, one)),
];

export const permissionOf = ({ protocol, from, to, cidr, cidr6, group }: Rule): IpPermission => ({
  IpProtocol: protocol,
  ...(protocol === ALL ? {} : { FromPort: from, ToPort: to }),
  ...(cidr === null ? {} : { IpRanges: [{ CidrIp: cidr }] }),
  ...(cidr6 === null ? {} : { Ipv6Ranges: [{ CidrIpv6: cidr6 }] }),
  ...(group === null ? {} : { UserIdGroupPairs: [{ GroupId: group }] }),
});

const keyOf = (rule: Rule): string =>
  JSON.stringify([
    rule.egress,
    rule.protocol,
    rule.from,
    rule.to,
    rule.cidr,
    rule.cidr6,
    rule.group,
  ]);

export const without = (rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] => {
  const known = new Set(others.map(keyOf));
  return rules.filter((rule) => !known.has(keyOf(rule)));
};
