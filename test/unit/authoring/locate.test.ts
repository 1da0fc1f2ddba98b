import { expect, it } from "vitest";
import { locate } from "#lib/authoring/locate.ts";

const TEMPLATE = {
  parameters: { size: { type: "strin" } },
  resources: {
    "db.server": { type: "My::Type", properties: { lenght: 3, list: [{ a: 1 }] } },
    copy: { type: "OS::Heat::Value", depends_on: ["dbs"], propertis: {} },
    7: { type: "My::Other", metadata: { 3: { a: 1 } } },
  },
  outputs: { o: { value: { get_attr: ["copy", "valu"] } } },
};

it.each([
  [
    "Property error: resources.db.server.properties: Unknown Property lenght",
    ["resources", "db.server", "properties", "lenght"],
  ],
  [
    "Property error: resources.db.server.properties.list[0].a: wrong",
    ["resources", "db.server", "properties", "list", 0, "a"],
  ],
  [
    "Property error: resources.db.server.properties.list.0: wrong",
    ["resources", "db.server", "properties", "list", 0],
  ],
  ["resources[7].metadata[3].a: wrong", ["resources", "7", "metadata", "3", "a"]],
  ['The specified reference "dbs" (in copy) is incorrect.', ["resources", "copy", "depends_on", 0]],
  [
    '"propertis" is not a valid keyword inside a resource definition',
    ["resources", "copy", "propertis"],
  ],
  ["The Resource Type (My::Type) could not be found.", ["resources", "db.server", "type"]],
  ["Invalid type (strin)", ["parameters", "size", "type"]],
  [
    "outputs.o.value: The Referenced Attribute (copy valu) is incorrect.",
    ["outputs", "o", "value", "get_attr", 1],
  ],
  ["Resource db.server properties type must be object", ["resources", "db.server", "properties"]],
  ["Outputs.o: wrong", ["outputs", "o"]],
  ["Multiple bootable sources for instance db.server.", ["resources", "db.server"]],
  ["Neither image nor bootable volume is specified for instance copy", ["resources", "copy"]],
  ["Something else is wrong.", []],
])("%s", (message, path) => {
  expect(locate(message, TEMPLATE)).toEqual(path);
});
