import { expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { customConstraints } from "#lib/stack/check/custom-constraints.ts";

/** Recorded from Heat 26. */
const CASES: readonly (readonly [string, string, string | null])[] = [
  ["ip_addr", "10.0.0.1", null],
  ["ip_addr", "010.0.0.1", "Invalid IP address"],
  ["ip_addr", "1.2.3.4::", "Invalid IP address"],
  ["ip_addr", "::ffff:10.0.0.1", null],
  ["net_cidr", "10.0.0.0/24", null],
  ["net_cidr", "2001:db8::/32", null],
  ["net_cidr", "10.0.0.1", "'10.0.0.1' is not a valid IP subnet"],
  ["net_cidr", "10.0.0.1/032", "'10.0.0.1/032' is not a valid IP subnet"],
  ["net_cidr", "010.0.0.1", "Invalid net cidr invalid IPNetwork 010.0.0.1/8 "],
  ["net_cidr", "10/8", "'10/8' is not a valid IP subnet"],
  ["net_cidr", "192.168.1/24", "'192.168.1/24' is not a valid IP subnet"],
  ["net_cidr", "1", "'1' is not a valid IP subnet"],
  ["net_cidr", "x/24", "Invalid net cidr invalid IPNetwork x.0.0.0/24 "],
  ["net_cidr", "10.0.0.0/255.255.255.0", "'10.0.0.0/255.255.255.0' is not a valid IP subnet"],
  ["net_cidr", "10.0.0.0/0.0.0.255", "'10.0.0.0/0.0.0.255' is not a valid IP subnet"],
  ["net_cidr", "10.0.0.0/24 ", "'10.0.0.0/24 ' is not a valid IP subnet"],
  ["net_cidr", " 10.0.0.1", "Invalid net cidr invalid IPNetwork  10.0.0.1/8 "],
  ["net_cidr", "::1", "'::1' is not a valid IP subnet"],
  ["net_cidr", "256.0.0.1", "Invalid net cidr Invalid octet: 256! "],
  ["net_cidr", "/24", "Invalid net cidr invalid IPNetwork .0.0.0/24 "],
  ["net_cidr", "10.0.0.1/33", "Invalid net cidr invalid IPNetwork 10.0.0.1/33 "],
  ["net_cidr", "10.0.0.0/a", "Invalid net cidr invalid IPNetwork 10.0.0.0/a "],
  ["net_cidr", "", "Invalid net cidr invalid IPNetwork  "],
  ["net_cidr", "1.2.3.4.5", "Invalid net cidr invalid IPNetwork 1.2.3.4.5 "],
  ["net_cidr", "2001:db8::/129", "Invalid net cidr invalid IPNetwork 2001:db8::/129 "],
  ["ip_or_cidr", "10.0.0.1", null],
  ["ip_or_cidr", "10.0.0.1/24", null],
  ["ip_or_cidr", "::1/64", null],
  ["ip_or_cidr", "10.0.0.1/33", "'10.0.0.1/33' is not a valid IP subnet"],
  [
    "ip_or_cidr",
    "010.0.0.1",
    "'010.0.0.1' is not an accepted IP address, '10.0.0.1' is recommended",
  ],
  ["ip_or_cidr", "10.0.0", "'10.0.0' is not a valid IP address"],
  ["ip_or_cidr", "10/8", "'10/8' is not a valid IP subnet"],
  ["ip_or_cidr", "", "'' is not a valid IP address"],
  ["ip_or_cidr", "x", "'x' is not a valid IP address"],
  ["ip_or_cidr", "xxxxxxxx.0/24", "'xxxxxxxx.0/24' is not a valid IP subnet"],
  ["ip_or_cidr", "1.2.3.4::", "'1.2.3.4::' is not a valid IP address"],
  ["ip_or_cidr", "10.0.0.1\n", "'10.0.0.1\n' is not a valid IP address"],
];

it.each(CASES)("%s of %j: %j", (name, text, problem) => {
  expect(present(customConstraints(0)(name), name)(text)).toBe(problem);
});
