import { describe, expect, it } from "vitest";
import { machinesFor, type WantedServer } from "#lib/inventory/bind-machine.ts";
import { faultText, readInventory } from "#lib/inventory/inventory.ts";
import type { Json } from "#lib/json.ts";

const machine = { name: "web-1", address: "192.0.2.1" };

const faultOf = (value: Json): string => {
  const reading = readInventory(value);
  return reading.state === "wrong" ? faultText(reading.fault) : "none";
};

describe("an inventory", () => {
  it("may say little, and takes one address or a list of them", () => {
    const addresses = { storage: "10.0.0.1", both: ["10.0.0.2", "2001:db8::2"] };
    const reading = readInventory({ machines: [{ ...machine, addresses }] });
    expect(reading).toEqual({
      state: "read",
      inventory: {
        machines: [
          {
            ...machine,
            addresses: { storage: ["10.0.0.1"], both: ["10.0.0.2", "2001:db8::2"] },
            labels: {},
            groups: [],
          },
        ],
        servers: [],
      },
    });
  });

  it.each<readonly [Json, string]>([
    [{}, "machines: is missing"],
    [{ machines: {} }, "machines: must be a list"],
    [{ machines: ["web-1"] }, "machines[0]: must be a map"],
    [{ machines: [{ name: "a" }] }, "machines[0].address: must be an IP address"],
    [
      { machines: [{ ...machine, address: "web.example" }] },
      "machines[0].address: must be an IP address",
    ],
    [{ machines: [{ ...machine, name: "" }] }, "machines[0].name: must not be empty"],
    [{ machines: [{ ...machine, name: 1 }] }, "machines[0].name: must be text"],
    [{ machines: [{ ...machine, lables: {} }] }, "machines[0]: unknown: lables"],
    [{ machines: [{ ...machine, labels: { role: 1 } }] }, "machines[0].labels.role: must be text"],
    [
      { machines: [{ ...machine, addresses: { storage: "no" } }] },
      "machines[0].addresses.storage: must be an IP address, or a list of them",
    ],
    [{ machines: [{ ...machine, groups: [""] }] }, "machines[0].groups[0]: must not be empty"],
    [{ machines: [machine, machine] }, "machines[1].name: two machines have the name web-1"],
    [{ machines: [], servers: [{ server: "a" }] }, "servers[0]: needs machine, group or labels"],
  ])("that is wrong is told with its place: %j", (value, fault) => {
    expect(faultOf(value)).toBe(fault);
  });
});

const INVENTORY: Json = {
  machines: [
    { ...machine, labels: { role: "web", zone: "a1" }, groups: ["front", "blue"] },
    { name: "web-2", address: "192.0.2.2", labels: { role: "web", zone: "b1" }, groups: ["front"] },
    { name: "db", address: "192.0.2.3", labels: { role: "db" } },
  ],
  servers: [
    { server: "app-*", group: "fr*", labels: { zone: "?1" } },
    { server: "app-1", machine: "db" },
  ],
};

const bound = (wanted: Partial<WantedServer>): readonly string[] | string => {
  const reading = readInventory(INVENTORY);
  if (reading.state === "wrong") return faultText(reading.fault);
  const found = machinesFor(reading.inventory, {
    resourceName: "server",
    name: null,
    metadata: {},
    ...wanted,
  });
  return "why" in found ? found.why : found.machines.map(({ name }) => name);
};

describe("the machines that a server may have", () => {
  it.each<readonly [string, Partial<WantedServer>, readonly string[] | string]>([
    ["a machine of the resource's name", { resourceName: "db" }, ["db"]],
    ["a machine of the server's name first", { resourceName: "db", name: "web-2" }, ["web-2"]],
    [
      "a machine of the resource's name, if the server's name has none",
      { resourceName: "db", name: "x" },
      ["db"],
    ],
    ["no machine of another name", {}, []],
    ["those of the first rule that fits", { resourceName: "app-1" }, ["web-1", "web-2"]],
    ["those of a rule for the server's name", { name: "app-x" }, ["web-1", "web-2"]],
    [
      "those of a hint, whatever the rules",
      { resourceName: "app-1", metadata: { hearth_machine: "d?" } },
      ["db"],
    ],
    [
      "those of which all hints are true",
      { metadata: { hearth_group: "front", hearth_labels: "role=web, zone=b*" } },
      ["web-2"],
    ],
    ["none, if a label is not there", { metadata: { hearth_labels: "rack=*" } }, []],
    [
      "an error for a hint that is no text",
      { metadata: { hearth_group: ["a"] } },
      "metadata.hearth_group must be text",
    ],
    [
      "an error for labels without a value",
      { metadata: { hearth_labels: "web" } },
      "metadata.hearth_labels must be like role=web,zone=a*",
    ],
    [
      "an error for a label without a name",
      { metadata: { hearth_labels: "=web" } },
      "metadata.hearth_labels must be like role=web,zone=a*",
    ],
  ])("are %s", (_, wanted, expected) => {
    expect(bound(wanted)).toEqual(expected);
  });
});
