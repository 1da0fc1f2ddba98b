import * as z from "zod";
import { recordOf } from "#lib/json-schema.ts";

export const TypesShape = z.looseObject({ resource_types: z.array(z.string()) });

const PropertyShape = z.looseObject({
  type: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
  update_allowed: z.boolean(),
  default: z.unknown().optional(),
});
export const PropertiesShape = recordOf(PropertyShape);
export const TypeShape = z.looseObject({
  resource_type: z.string(),
  description: z.string().optional(),
  support_status: z.looseObject({
    status: z.string(),
    version: z.string().nullish(),
    message: z.string().nullish(),
  }),
  properties: PropertiesShape,
  attributes: recordOf(z.looseObject({ description: z.string().optional() })),
});
export type TypeAnswer = z.infer<typeof TypeShape>;
export type TypeProperty = z.infer<typeof PropertyShape>;
