import { describe, expect, it } from "vitest";
import type { JsonObject } from "#provider/provider.ts";
import {
  permissionOf,
  presentRules,
  wantedRules,
  without,
} from "#providers/ec2/types/group-rules.ts";

const ALL_OUT = { IpProtocol: "-1", IpRanges: [{ CidrIp: "0.0.0.0/0" }] };
const permissionsOf = (...rules: readonly JsonObject[]) =>
  wantedRules({ rules }, (name) => `sg-${name || "own"}`).map(permissionOf);

describe("a rule of a template", () => {
  it.each<[string, JsonObject, object]>([
    ["all", {}, { IpProtocol: "-1", IpRanges: [{ CidrIp: "0.0.0.0/0" }] }],
    [
      "one port",
      { protocol: "tcp", port_range_min: 22, port_range_max: 22, remote_ip_prefix: "10.0.0.0/8" },
      { IpProtocol: "tcp", FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: "10.0.0.0/8" }] },
    ],
    [
      "all ports of a protocol by number",
      { protocol: "17" },
      { IpProtocol: "udp", FromPort: 0, ToPort: 65_535, IpRanges: [{ CidrIp: "0.0.0.0/0" }] },
    ],
    [
      "ping",
      { protocol: "icmp" },
      { IpProtocol: "icmp", FromPort: -1, ToPort: -1, IpRanges: [{ CidrIp: "0.0.0.0/0" }] },
    ],
    [
      "IPv6",
      { ethertype: "IPv6", protocol: "tcp", port_range_min: 80, port_range_max: 90 },
      { IpProtocol: "tcp", FromPort: 80, ToPort: 90, Ipv6Ranges: [{ CidrIpv6: "::/0" }] },
    ],
    [
      "its own group",
      { remote_mode: "remote_group_id" },
      { IpProtocol: "-1", UserIdGroupPairs: [{ GroupId: "sg-own" }] },
    ],
  ])("is that of EC2: %s", (_, rule, wanted) => {
    expect(permissionsOf(rule)).toEqual([wanted, ALL_OUT]);
  });

  it("has the protocol as it is given, whatever that is", () => {
    const [permission] = permissionsOf({ protocol: "constructor" });
    expect(permission?.IpProtocol).toBe("constructor");
  });

  it("takes the place of the rule that allows all egress, if it is for egress", () => {
    expect(
      permissionsOf({
        direction: "egress",
        protocol: "tcp",
        port_range_min: 443,
        port_range_max: 443,
      }),
    ).toHaveLength(1);
  });
});

describe("what a group has", () => {
  it("is compared one address at a time", () => {
    const present = presentRules({
      IpPermissions: [
        {
          IpProtocol: "tcp",
          FromPort: 22,
          ToPort: 22,
          IpRanges: [{ CidrIp: "10.0.0.0/8" }, { CidrIp: "0.0.0.0/0" }],
        },
      ],
      IpPermissionsEgress: [ALL_OUT],
    });
    const ssh = { protocol: "tcp", port_range_min: 22, port_range_max: 22 };
    const wanted = wantedRules({ rules: [ssh] }, () => "");
    expect(without(wanted, present)).toEqual([]);
    expect(without(present, wanted).map(permissionOf)).toEqual([
      { IpProtocol: "tcp", FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: "10.0.0.0/8" }] },
    ]);
  });
});
