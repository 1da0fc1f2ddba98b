import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { ownTypes } from "#lib/resources/built-in-types.ts";
import { CLOUD_TYPES } from "#lib/resources/openstack/catalogue.ts";
import { finished } from "#lib/template/bind/bind.ts";
import { validating } from "#lib/template/check/validate.ts";
import { aTemplate } from "#test/unit/template/build.ts";
import { world } from "./world.ts";

const { ports: engine, fakeProvider } = world();
const schemas = new Map(
  [...CLOUD_TYPES, ...ownTypes({ engine, fakeProvider, random: memoryRandom(1) })].map(
    ({ type, schema }) => [type, schema],
  ),
);

export const refusal = (
  type: string,
  properties: JsonObject,
  more: JsonObject = {},
): string | null => {
  const template = aTemplate({
    resources: {
      n: { type: "OS::Neutron::Net" },
      lc: { type: "AWS::AutoScaling::LaunchConfiguration", properties: { InstanceId: "i" } },
      r: { type, properties, ...more },
    },
  });
  try {
    const lookup = (name: string) => schemas.get(name) ?? null;
    finished(validating(template, new Map(), { files: {} }, lookup, { strict: true }));
    return null;
  } catch (error) {
    if (error instanceof RequestError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

export const failed = (text: string): string => `StackValidationFailed: ${text}`;

export const dependent = (key: string, other: string, value: string): string =>
  `ResourcePropertyValueDependency: ${key} property should only be specified for ${other} with value ${value}.`;

export type RefusedCase = readonly [type: string, properties: JsonObject, refused: string | null];
