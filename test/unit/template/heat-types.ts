import * as z from "zod";
import { plainNumber } from "#lib/json-schema.ts";
import type {
  PropertyConstraint,
  PropertySchema,
  PropertySchemas,
} from "#lib/model/property-schema.ts";
import type { TypeSchema } from "#lib/template/check/properties.ts";
import { json } from "#test/oracles/oracle-files.ts";

const Bounds = z.object({ min: z.optional(plainNumber), max: z.optional(plainNumber) });
const HeatConstraint = z.looseObject({
  range: Bounds.optional(),
  length: Bounds.optional(),
  allowed_values: z.array(json).optional(),
  allowed_pattern: z.string().optional(),
  custom_constraint: z.string().optional(),
});
const HeatProperty = z.object({
  type: z.string(),
  default: json.optional(),
  required: z.boolean().optional(),
  update_allowed: z.boolean().optional(),
  immutable: z.boolean().optional(),
  constraints: z.array(HeatConstraint).optional(),
  get schema() {
    return z.record(z.string(), HeatProperty).optional();
  },
});
type HeatProperty = z.infer<typeof HeatProperty>;
const HeatType = z.object({
  properties: z.record(z.string(), HeatProperty).nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
  update_policy: z.record(z.string(), HeatProperty).optional(),
});

const bounds = ({ min, max }: z.infer<typeof Bounds>) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const constraintsOf = (heat: z.infer<typeof HeatConstraint>): PropertyConstraint[] => {
  if (heat.range) return [{ range: bounds(heat.range) }];
  if (heat.length) return [{ length: bounds(heat.length) }];
  if (heat.allowed_values) return [{ allowedValues: heat.allowed_values }];
  if (heat.custom_constraint !== undefined) return [{ custom: heat.custom_constraint }];
  return heat.allowed_pattern === undefined ? [] : [{ allowedPattern: heat.allowed_pattern }];
};

const TYPES = ["string", "integer", "number", "boolean", "list", "map", "any"] as const;

const propertyOf = (heat: HeatProperty): PropertySchema => {
  const items = heat.schema?.["*"];
  return {
    type: TYPES.find((type) => type === heat.type) ?? "any",
    description: "",
    required: heat.required === true,
    updateAllowed: heat.update_allowed === true,
    ...(heat.immutable === true ? { immutable: true } : {}),
    constraints: (heat.constraints ?? []).flatMap(constraintsOf),
    ...(heat.default === undefined ? {} : { default: heat.default }),
    ...(heat.type === "list" && items ? { items: propertyOf(items) } : {}),
    ...(heat.type === "map" && heat.schema && !items ? { schema: propertiesOf(heat.schema) } : {}),
  };
};

const propertiesOf = (heat: Readonly<Record<string, HeatProperty>>): PropertySchemas =>
  Object.fromEntries(Object.entries(heat).map(([name, property]) => [name, propertyOf(property)]));

export const typeSchemaOf = (
  heat: unknown,
): Pick<TypeSchema, "properties" | "updatePolicy"> & {
  readonly attributes: Readonly<Record<string, unknown>>;
} => {
  const { properties, attributes, update_policy: policy } = HeatType.parse(heat);
  return {
    properties: propertiesOf(properties ?? {}),
    attributes: attributes ?? {},
    ...(policy === undefined ? {} : { updatePolicy: propertiesOf(policy) }),
  };
};
