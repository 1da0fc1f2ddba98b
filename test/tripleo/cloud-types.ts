/**
 * Heat's own schemas as resource types, for the types that Hearth does not have: clouds and groups.
 * They can be checked against and never made. Their plugins' own checks are left out, and so are
 * the members of groups. heat.py leaves out the same.
 */
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import type { Handler, ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { typeSchemaOf } from "#test/unit/template/heat-types.ts";

const HeatTypes = z.record(
  z.string(),
  z.looseObject({
    any_properties: z.boolean(),
    any_attributes: z.boolean(),
    snapshots: z.boolean(),
  }),
);
type HeatType = z.infer<typeof HeatTypes>[string];

const neverCalled: Handler = async ({ resourceName }) => {
  throw new Error(`${resourceName} has a type of a cloud, which makes nothing here`);
};

const cloudType = (type: string, heat: HeatType): ResourceType => {
  const { properties, attributes, updatePolicy } = typeSchemaOf(heat);
  const described = Object.keys(attributes).map((name) => [name, { description: "" }]);
  return {
    type,
    schema: {
      description: "",
      properties: heat.any_properties ? "any" : properties,
      attributes: heat.any_attributes ? "any" : Object.fromEntries(described),
      ...(updatePolicy === undefined ? {} : { updatePolicy }),
    },
    lifecycle: OWN_LIFECYCLE,
    ...(heat.snapshots ? { snapshots: { handleSnapshotDelete: neverCalled } } : {}),
  };
};

/** `answer` is what heat.py says of its types. Hearth's own types stay. */
export const withHeatTypes = (answer: JsonObject) => {
  const clouds = new Map(
    Object.entries(HeatTypes.parse(answer)).map(([name, heat]) => [name, cloudType(name, heat)]),
  );
  return (own: ResourceTypes): ResourceTypes => ({
    get: async (name) => (await own.get(name)) ?? clouds.get(name) ?? null,
    names: () => [...new Set([...own.names(), ...clouds.keys()])].sort(),
  });
};
