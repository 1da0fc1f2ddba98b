/** Which resources a definition waits for. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { visitReferences } from "./calls.ts";
import { callIn, type FunctionTable } from "./functions/table.ts";
import { unknownReference } from "./scope.ts";

/** A definition before it is known what it requires. `place` is Heat's word for a section, as it stands in its error. */
export interface Dependent {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly sections: readonly { readonly place: string; readonly value: Json }[];
}

/** Sorted, each once. Throws Heat's InvalidTemplateReference for a name that the template does not have. */
export const requiredNames = (
  functions: FunctionTable,
  { name, dependsOn, sections }: Dependent,
  exists: (resource: string) => boolean,
): readonly string[] => {
  const names = new Set<string>();
  const add = (target: Json, place: string): void => {
    if (typeof target !== "string" || !exists(target)) throw unknownReference(target, place);
    names.add(target);
  };
  for (const target of dependsOn) add(target, name);
  for (const { place, value } of sections) {
    visitReferences(functions, value, `${name}.${place}`, (reference, argsPlace, callPlace) => {
      if (!("resource" in reference)) return;
      const { resource } = reference;
      if (callIn(functions, resource) !== null) {
        throw validationFailed(
          `resources.${argsPlace}: A resource name that is computed is not supported yet`,
        );
      }
      add(resource, callPlace);
    });
  }
  return [...names].sort();
};

interface Node {
  readonly name: string;
  readonly type: string;
  readonly requires: readonly string[];
}

/** The error names no more than these; a cycle can go through the whole template. */
const CYCLE_NAMES_MAX = 20;

/** Takes away, again and again, what waits for nothing that is left. */
const withoutEnds = (
  names: readonly string[],
  next: (name: string) => readonly string[],
): readonly string[] => {
  const waiting = new Map(names.map((name) => [name, 0]));
  const back = new Map<string, string[]>();
  for (const name of names) {
    for (const target of next(name)) {
      if (!waiting.has(target)) continue;
      waiting.set(name, (waiting.get(name) ?? 0) + 1);
      const sources = back.get(target) ?? [];
      back.set(target, sources);
      sources.push(name);
    }
  }
  const ends = names.filter((name) => waiting.get(name) === 0);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    waiting.delete(end);
    for (const source of back.get(end) ?? []) {
      const count = (waiting.get(source) ?? 0) - 1;
      waiting.set(source, count);
      if (count === 0) ends.push(source);
    }
  }
  return names.filter((name) => waiting.has(name));
};

/** Heat shows a resource by the class of its plugin, which is the last word of its type. */
const shown = (node: Node): string => `${node.type.split("::").at(-1)} "${node.name}"`;

/** Throws Heat's CircularDependencyException with the members of the cycles. Linear in resources and references. */
export const checkAcyclic = (resources: ReadonlyMap<string, Node>): void => {
  const requires = (name: string) => resources.get(name)?.requires ?? [];
  const behind = withoutEnds([...resources.keys()], requires);
  if (behind.length === 0) return;
  // What is left waits for a cycle; seen from the other side only the cycles and the ways between them are left.
  const requiredBy = new Map<string, string[]>(behind.map((name) => [name, []]));
  for (const name of behind)
    for (const target of requires(name)) requiredBy.get(target)?.push(name);
  const members = new Set(withoutEnds(behind, (name) => requiredBy.get(name) ?? []));
  const texts = [...resources.values()]
    .filter((node) => members.has(node.name))
    .map((node) => {
      const targets = node.requires.filter((name) => members.has(name));
      const edges = targets.slice(0, CYCLE_NAMES_MAX).flatMap((name) => {
        const target = resources.get(name);
        return target === undefined ? [] : [shown(target)];
      });
      return `${shown(node)}: {${edges.join(", ")}}`;
    });
  const more = texts.length > CYCLE_NAMES_MAX ? ", ..." : "";
  throw new RequestError(
    "CircularDependencyException",
    400,
    `Circular Dependency Found: {${texts.slice(0, CYCLE_NAMES_MAX).join(", ")}${more}}`,
  );
};
