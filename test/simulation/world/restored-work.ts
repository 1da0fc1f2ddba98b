/** S40: everything made or changed since a restore is as the target says. */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import type { Reality } from "./reality.ts";
import type { ResourceSpec, Spec } from "./spec.ts";
import { Violation } from "./violation.ts";

type RestoredReality = Pick<Reality, "life" | "objects" | "rowsOf" | "spec">;

export const checkWorkOfThisLife = (reality: RestoredReality, stack: Stack): void => {
  const spec = reality.spec(stack.templateId) ?? {};
  const rows = reality
    .rowsOf(stack.id)
    .filter(({ action, status }) => action !== "DELETE" || status !== "COMPLETE");
  for (const row of rows) {
    const wanted = spec[row.name];
    const isAnew = isMadeInThisLife(reality, row);
    const found = reality.objects().find((one) => one.physicalId === row.physicalResourceId);
    if (wanted === undefined || !isAnew || found === undefined) continue;
    const properties: Readonly<Record<string, unknown>> = found.properties;
    for (const [key, value] of Object.entries(propertiesOf(wanted, spec, rows))) {
      if (properties[key] === value) continue;
      throw new Violation(`S40: ${row.name}.${key} is ${String(properties[key])}, not ${value}`);
    }
  }
};

/**
 * An operation that suspends or checks a row says nothing about the object that a restored row
 * names. Neither does an update that has left the row to its replacement.
 */
export const isMadeInThisLife = (
  reality: Pick<Reality, "life">,
  { action, generation, replacedBy }: Resource,
): boolean => {
  const life = reality.life();
  const isChange = (action === "CREATE" || action === "UPDATE") && replacedBy === null;
  return life === 0 || (isChange && generation > life);
};

/** S27 says that the object is there. */
const propertiesOf = (
  { properties, refers = {} }: ResourceSpec,
  spec: Spec,
  rows: readonly Resource[],
): Readonly<Record<string, unknown>> => {
  const idOf = (name: string): string | undefined =>
    spec[name]?.external ?? rows.find((row) => row.name === name)?.physicalResourceId ?? undefined;
  const references = Object.entries(refers).map(([key, other]) => [key, idOf(other)]);
  return { ...properties, ...Object.fromEntries(references) };
};

/** A restored folder does not know what became of its objects, until it changes them again. */
export const isOfThisLife = (reality: Reality, { physicalId }: FakeObject): boolean => {
  const life = reality.life();
  const isAnew = (row: Resource): boolean =>
    row.physicalResourceId === physicalId && row.operation === null && row.generation > life;
  return life === 0 || reality.allRows().some(isAnew);
};
