import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#provider/provider.ts";
import { replacesServer } from "#providers/ec2/types/server-refusals.ts";

const SERVER: JsonObject = { image: "fedora", flavor: "small" };
const withNetworks = (...networks: readonly Json[]): JsonObject => ({ ...SERVER, networks });

describe("another instance", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["another image", SERVER, { ...SERVER, image: "debian" }],
    ["other user data", SERVER, { ...SERVER, user_data: "#!/bin/sh" }],
    ["another type by policy", SERVER, { image: "fedora", flavor_update_policy: "REPLACE" }],
    ["another first port", withNetworks({ port: "a" }), withNetworks({ port: "b" })],
    ["another first subnet", withNetworks({ subnet: "a" }), withNetworks({ subnet: "b" })],
    [
      "another first address",
      withNetworks({ network: "a", fixed_ip: "10.0.0.4" }),
      withNetworks({ network: "a", fixed_ip: "10.0.0.5" }),
    ],
    ["a first network", SERVER, withNetworks({ network: "a" })],
    ["no network any more", withNetworks({ network: "a" }), SERVER],
    [
      "another order of the first two",
      withNetworks({ port: "a" }, { port: "b" }),
      withNetworks({ port: "b" }, { port: "a" }),
    ],
  ])("is made for %s", (_, before, after) => {
    expect(replacesServer(before, after)).toBe(true);
  });
});

describe("the same instance", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["another type", SERVER, { ...SERVER, flavor: "large" }],
    ["ignored user data", SERVER, { ...SERVER, user_data: "x", user_data_update_policy: "IGNORE" }],
    ["a second port", withNetworks({ port: "a" }), withNetworks({ port: "a" }, { port: "b" })],
    ["one port less", withNetworks({ port: "a" }, { port: "b" }), withNetworks({ port: "a" })],
    [
      "another second network",
      withNetworks({ port: "a" }, { subnet: "b" }),
      withNetworks({ port: "a" }, { network: "c", fixed_ip: "10.0.0.4" }),
    ],
    ["an empty list", SERVER, withNetworks()],
    ["a null for nothing", withNetworks({ port: "a" }), withNetworks({ port: "a", subnet: null })],
    // A preview has a text in the place of a value that only the update knows.
    ["what is not known yet", withNetworks({ port: "a" }), withNetworks("known after the update")],
  ])("stays for %s", (_, before, after) => {
    expect(replacesServer(before, after)).toBe(false);
  });
});
