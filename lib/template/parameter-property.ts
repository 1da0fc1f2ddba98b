/** Makes the property through which a template that is used as a type gets a parameter's value. */
import { RequestError } from "#lib/errors.ts";
import type { ParameterCheck, PropertySchema } from "#lib/model/property-schema.ts";
import { StepBudget } from "#lib/pattern/steps.ts";
import { constraintViolation, misplacedConstraint } from "./parameter-check.ts";
import type { ParameterSchema, ParameterType } from "./parameter-schema.ts";
import { invalidSchema } from "./schema-shape.ts";

interface PropertyType {
  readonly type: PropertySchema["type"];
  readonly title: string;
}

const PROPERTY_TYPES: Readonly<Record<ParameterType, PropertyType>> = {
  string: { type: "string", title: "String" },
  number: { type: "number", title: "Number" },
  boolean: { type: "boolean", title: "Boolean" },
  comma_delimited_list: { type: "list", title: "List" },
  json: { type: "map", title: "Map" },
};

const checkOf =
  (parameter: ParameterSchema, title: string): ParameterCheck =>
  (value, show, custom) => {
    try {
      const check = { show, custom, budget: new StepBudget() };
      return constraintViolation(parameter, value, check, title);
    } catch (failure) {
      // As in Heat, Python's error for a value is reported at the property.
      if (failure instanceof RequestError) return failure.message;
      throw failure;
    }
  };

export const propertyOf = (
  parameter: ParameterSchema,
): Pick<PropertySchema, "type" | "parameter"> => {
  const { type, title } = PROPERTY_TYPES[parameter.type];
  const wrong = misplacedConstraint(parameter, title);
  if (wrong !== null) throw invalidSchema(wrong);
  return { type, parameter: checkOf(parameter, title) };
};
