/** A provider with very many types, such as Cloud Control. Each type is made on demand. */

import type { TimeLimit } from "#lib/ports/ports.ts";
import type { ResourceType, Unlisted } from "#lib/ports/resource-type.ts";
import type { JsonObject, ProvidedType } from "#provider/provider.ts";
import { plainObject } from "./plain-data.ts";
import { providedType } from "./provided-type.ts";

export interface FamilyType extends ProvidedType {
  readonly mustReplace: (before: JsonObject, after: JsonObject) => boolean;
}

export interface TypeFamily {
  readonly name: string;
  readonly names: readonly string[];
  readonly unlisted: Unlisted;
  type(name: string): FamilyType | null;
}

export interface BoundFamily {
  readonly family: TypeFamily;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

export const typesOfFamily = ({
  family,
  limit,
  now,
}: BoundFamily): ((name: string) => ResourceType | null) => {
  const made = new Map<string, ResourceType>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const type = family.type(name);
    if (type === null) return null;
    const own = providedType({ provider: family.name, name, type, limit, now });
    const found: ResourceType = {
      ...own,
      unlisted: family.unlisted,
      schema: {
        ...own.schema,
        mustReplace: (before, after) => type.mustReplace(plainObject(before), plainObject(after)),
      },
    };
    made.set(name, found);
    return found;
  };
};
