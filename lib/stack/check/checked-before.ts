/**
 * Avoids repeated checks. A definition need not be checked if the former target has the very same
 * one, and everything else that the check reads is the same.
 */
import { hasSameText, type JsonObject, mapOf } from "#lib/json.ts";
import type { Lookup } from "#lib/template/check/properties.ts";
import { formatOf, readVersion } from "#lib/template/format.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { TemplateSource } from "../record/template-record.ts";

export interface Check {
  readonly source: TemplateSource;
  readonly lookup: Lookup;
  readonly timeoutSeconds: number | undefined;
}

const passed = new WeakMap<JsonObject, Check>();

/** Only for checks whose result cannot change with time. */
export const notePassed = (check: Check): void => {
  passed.set(check.source.template, check);
};

export const notePassedRecord = (source: TemplateSource, stored: TemplateSource): void => {
  const check = passed.get(source.template);
  if (check !== undefined && check.source === source) {
    notePassed({ ...check, source: stored });
  }
};

const NEVER = (): boolean => false;

export const checkedBefore = (
  former: Template | undefined,
  template: Template,
  check: Check,
): ((definition: ResourceDefinition) => boolean) => {
  const before = former === undefined ? undefined : passed.get(former.source);
  if (former === undefined || before === undefined) return NEVER;
  // A check also asks which resources exist, and for the attributes of their types.
  const hasSameTypes =
    former.resources.size === template.resources.size &&
    [...template.resources.values()].every(
      ({ name, type }) =>
        former.resources.get(name)?.type === type &&
        // A type that another plug-in now provides is another object.
        before.lookup(type, name) === check.lookup(type, name),
    );
  if (!hasSameTypes || !hasSameContext(before, check)) return NEVER;
  return (definition) => former.resources.get(definition.name) === definition;
};

/**
 * Compares everything but the definitions: other sections of the template decide what calls return.
 */
const hasSameContext = (before: Check, now: Check): boolean => {
  const { template: old, files: oldFiles, ...oldRest } = before.source;
  const { template, files, ...rest } = now.source;
  return (
    before.timeoutSeconds === now.timeoutSeconds &&
    JSON.stringify(oldRest) === JSON.stringify(rest) &&
    hasSameText(oldFiles, files) &&
    hasSameText(withoutResources(old), withoutResources(template))
  );
};

const withoutResources = (document: JsonObject): JsonObject => {
  const { resources } = formatOf(readVersion(document)).sections;
  return mapOf(Object.entries(document).filter(([section]) => section !== resources));
};
