import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { customConstraints } from "#lib/stack/custom-constraints.ts";

const check = (name: string, text: string) => present(customConstraints(name), name)(text);

describe("custom constraints", () => {
  it.each([
    ["ip_addr", "10.0.0.1", "10.0.0.256"],
    ["ip_addr", "fe80::1", "fe80::1::2"],
    ["net_cidr", "10.0.0.0/8", "10.0.0.0/33"],
    ["mac_addr", "fa:16:3e:00:00:01", "fa:16:3e-00:00:01"],
    ["dns_name", "a.example.org.", "-a.example.org"],
    ["rel_dns_name", "a.example.org", "a.example.org."],
    ["dns_domain", "example.org.", "example.org"],
    ["cron_expression", "0 0 * * *", "0 0 *"],
    ["iso_8601", "2020-01-31T12:00Z", "31.1.2020"],
    ["json_string", '{"a": 1}', "{a}"],
    ["timezone", "Europe/Berlin", "1"],
  ])("%s accepts %j and refuses %j", (name, right, wrong) => {
    expect(check(name, right)).toBeNull();
    expect(check(name, wrong)).not.toBeNull();
  });

  it("leave the constraints of a service to its provider", () => {
    expect(check("nova.flavor", "m1.small")).toBeNull();
  });

  it.each(["nosuch", "toString"])("do not exist under the name %s", (name) => {
    expect(customConstraints(name)).toBeNull();
  });
});
