/**
 * The outputs that an update itself changes even if no resource changes: their definition or a
 * parameter that they read is different.
 */
import { type Json, jsonEquals } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { keysWith, mayRead } from "#lib/template/hidden-references.ts";
import type { OutputDefinition, Template } from "#lib/template/template.ts";

export interface ChangedOutput {
  readonly name: string;
  readonly change: "added" | "updated" | "deleted";
}

export interface BoundTemplate {
  readonly template: Pick<Template, "outputs" | "version">;
  readonly parameters: ReadonlyMap<string, Json>;
}

const hasOther = (
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  name: string,
): boolean => !jsonEquals(before.get(name) ?? null, after.get(name) ?? null);

const isSame = (one: OutputDefinition, other: OutputDefinition): boolean =>
  one.description === other.description && jsonEquals(one.value, other.value);

export const changedOutputs = (
  before: BoundTemplate,
  after: BoundTemplate,
): readonly ChangedOutput[] => {
  const [former, next] = [before.template.outputs, after.template.outputs];
  const values = mapOf([...next.values()].map(({ name, value }) => [name, value]));
  const functions = functionsOf(after.template.version);
  const reading = keysWith(functions, values, (reference) =>
    mayRead(functions, reference, (name) => hasOther(before.parameters, after.parameters, name)),
  );
  return [...new Set([...former.keys(), ...next.keys()])].flatMap((name): ChangedOutput[] => {
    const [old, now] = [former.get(name), next.get(name)];
    if (old === undefined) return [{ name, change: "added" }];
    if (now === undefined) return [{ name, change: "deleted" }];
    return isSame(old, now) && !reading.has(name) ? [] : [{ name, change: "updated" }];
  });
};
