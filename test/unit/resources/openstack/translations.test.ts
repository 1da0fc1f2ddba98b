import { describe, expect, it } from "vitest";
import type { PropertyPath, PropertySchema, PropertySchemas } from "#lib/model/property-schema.ts";
import { sourceOf, targetOf } from "#lib/template/check/translations.ts";
import { world } from "../world.ts";

const types = world().ports.resourceTypes;
/** `names` leaves out hidden types. */
const HIDDEN = ["OS::Neutron::RouterGateway"];
const all = await Promise.all(
  [...types.names(), ...HIDDEN].map(async (name) => await types.get(name)),
);
const translating = all.flatMap((type) =>
  type?.schema.translations === undefined || type.schema.properties === "any"
    ? []
    : [{ ...type.schema, name: type.type, properties: type.schema.properties }],
);

/** Below a property that has no members, any name is right. */
const schemaAt = (schemas: PropertySchemas, [key, ...rest]: PropertyPath): PropertySchema => {
  const found = key !== undefined && Object.hasOwn(schemas, key) ? schemas[key] : undefined;
  if (found === undefined) throw new Error(`no property ${key}`);
  const members = (found.items ?? found).schema;
  return rest.length === 0 || members === undefined ? found : schemaAt(members, rest);
};

describe("the types with translations", () => {
  it("are those of Heat, without the rules that ask a cloud", () => {
    expect(translating.map(({ name }) => name).toSorted()).toEqual([
      "OS::Cinder::Volume",
      "OS::Designate::Zone",
      "OS::Heat::RandomString",
      "OS::Mistral::Workflow",
      "OS::Neutron::FloatingIP",
      "OS::Neutron::NetworkGateway",
      "OS::Neutron::Port",
      "OS::Neutron::Router",
      "OS::Neutron::RouterGateway",
      "OS::Neutron::RouterInterface",
      "OS::Neutron::Subnet",
      "OS::Neutron::VPNService",
      "OS::Nova::Server",
    ]);
  });

  it.each(translating)("$name: each rule names properties that exist", (type) => {
    const { properties, translations = [] } = type;
    for (const rule of translations) {
      const [target, source] = [targetOf(rule), sourceOf(rule)];
      schemaAt(properties, target);
      if (source !== null) schemaAt(properties, source);
      if (rule.when !== undefined) schemaAt(properties, [rule.when]);
    }
  });

  it.each(translating)("$name: no rule depends on another's result", (type) => {
    const { translations = [] } = type;
    const targets = translations
      .filter((rule) => !("delete" in rule))
      .map((rule) => targetOf(rule).join("."));
    for (const rule of translations) {
      expect(targets).not.toContain(sourceOf(rule)?.join("."));
    }
  });

  it.each(translating)(
    "$name: what is translated away is neither required nor has a default",
    (type) => {
      const { properties, translations = [] } = type;
      for (const rule of translations) {
        const away = "delete" in rule ? rule.delete : sourceOf(rule);
        if (away === null) continue;
        const { required, default: own } = schemaAt(properties, away);
        expect([required ?? false, own]).toEqual([false, undefined]);
      }
    },
  );
});
