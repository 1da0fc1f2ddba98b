import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { customConstraints } from "#lib/stack/check/custom-constraints.ts";
import { failureOf } from "../../template/failure-of.ts";

const NOW_MS = Date.UTC(2026, 0, 1, 12);

const check = (name: string, text: string) => present(customConstraints(NOW_MS)(name), name)(text);

describe("custom constraints", () => {
  it.each([
    ["ip_addr", "10.0.0.1", "10.0.0.256"],
    ["ip_addr", "fe80::1", "fe80::1::2"],
    ["net_cidr", "10.0.0.0/8", "10.0.0.0/33"],
    ["mac_addr", "fa:16:3e:00:00:01", "fa:16:3e-00:00:01"],
    ["dns_name", "a.example.org.", "-a.example.org"],
    ["dns_name", "a.example.42", "a.example.42."],
    ["dns_name", "example", "Example"],
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

  it.each([
    ["cron_expression", ["* * * * *", "*/5 0-6,22 1 jan,feb mon-fri", "0 0 l * ?", "@hourly"]],
    ["cron_expression", ["0 0 * * 1#2", "0 0 1 1 * 30", "0 0 1 1 * 30 2030", ""]],
    ["iso_8601", ["2020", "2020-02", "20200229", "2020-02-29T01:02:03.5+02:00", "2020-01-01 10"]],
    ["timezone", ["UTC", "US/Pacific", "Etc/GMT+1", "Asia/Calcutta", ""]],
  ])("%s accepts %j", (name, texts) => {
    for (const text of texts) expect(check(name, text), text).toBeNull();
  });

  it.each([
    [
      "cron_expression",
      ["99 * * * *", "* * * * * * * *", "*/0 * * * *", "x * * * *", "0 0 32 * *"],
    ],
    ["iso_8601", ["2020-13-45", "2019-02-29", "2020-01-01T25:00", "202001", "0000-01-01"]],
    ["timezone", ["Mars/X", "europe/berlin", "+01:00"]],
    ["expiration", ["2020-13-45", "tomorrow"]],
  ])("%s refuses %j", (name, texts) => {
    for (const text of texts) expect(check(name, text), text).not.toBeNull();
  });

  it("tell why, in the words of Heat's libraries", () => {
    expect(check("cron_expression", "* *")).toBe(
      "Invalid CRON expression: Exactly 5, 6 or 7 columns has to be specified for iterator expression.",
    );
    expect(check("timezone", "Mars/X")).toBe(
      "Invalid timezone: 'No time zone found with key Mars/X'",
    );
  });

  it.each([
    ["2026-01-01T12:00:01Z", null],
    ["2026-01-01T14:00:01.5+02:00", null],
    ["2026-01-01 11:00:00-02", null],
    ["", null],
    ["2026-01-01T12:00:00Z", "Expiration time is out of date."],
    ["2026-01-01T13:59:59+02:00", "Expiration time is out of date."],
    ["0099-01-01", "Expiration time is out of date."],
    ["soon", "Unable to parse date string 'soon'"],
  ])("let %s expire only after now", (text, reason) => {
    const wanted = reason === null ? null : `Expiration ${text} is invalid: ${reason}`;
    expect(check("expiration", text)).toBe(wanted);
  });

  it.each([
    ["ip_addr", 5, "Invalid IP address"],
    ["json_string", 0, null],
    ["dns_name", false, null],
    ["mac_addr", 5, "Invalid MAC address."],
  ])("%s checks the number or truth %j as Heat does", (name, value, reason) => {
    expect(present(customConstraints(NOW_MS)(name), name)(value)).toBe(reason);
  });

  it.each([
    ["json_string", "the JSON object must be str, bytes or bytearray, not int"],
    ["dns_domain", "'int' object has no attribute 'endswith'"],
  ])("%s fails for a number with Python's error", (name, message) => {
    const checkIt = present(customConstraints(NOW_MS)(name), name);
    expect(failureOf(() => checkIt(5))?.message).toBe(message);
  });

  it("leave the constraints of a service to its provider", () => {
    expect(check("nova.flavor", "m1.small")).toBeNull();
  });

  it.each(["nosuch", "toString", "neutron.floating_ip"])(
    "do not exist under the name %s",
    (name) => {
      expect(customConstraints(NOW_MS)(name)).toBeNull();
    },
  );
});
