import type { Json } from "#lib/json.ts";
import { refusal } from "../faults.ts";
import { visitReferences } from "../functions/calls.ts";
import type { FunctionTable } from "../functions/table.ts";
import { unknownReference } from "../scope.ts";
import type { ResourceDefinition, Template } from "../template.ts";

interface Dependent {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly sections: readonly { readonly place: string; readonly value: Json }[];
}

export interface Names {
  readonly exists: (resource: string) => boolean;
  /** The template defines the resource, but its condition may be false. */
  readonly isDefined: (resource: string) => boolean;
  readonly resolve: (name: Json) => Json;
}

const NOTHING: readonly string[] = [];

/** Sorted and unique. Throws Heat's InvalidTemplateReference for an unknown name. */
export const requiredNames = (
  functions: FunctionTable,
  { name, dependsOn, sections }: Dependent,
  { exists, isDefined, resolve }: Names,
): readonly string[] => {
  const names = new Set<string>();
  const add = (target: Json, place: string): void => {
    if (typeof target !== "string" || !exists(target)) throw unknownReference(target, place);
    names.add(target);
  };
  for (const target of dependsOn) {
    // A dependency on a resource whose condition is false is ignored.
    if (exists(target) || !isDefined(target)) add(target, name);
  }
  for (const { place, value } of sections) {
    visitReferences(functions, value, `${name}.${place}`, (reference, _, callPlace) => {
      if (reference.kind === "either" && typeof reference.name === "string") {
        if (exists(reference.name)) names.add(reference.name);
      }
      if (!("resource" in reference)) return;
      add(resolve(reference.resource), callPlace);
    });
  }
  return names.size === 0 ? NOTHING : [...names].sort();
};

interface Node {
  readonly name: string;
  readonly type: string;
  readonly requires: readonly string[];
}

/** A cycle may contain the whole template, so the error names only some members. */
const CYCLE_NAMES_MAX = 20;

/** Removes names that wait for no other name, until every name waits for another one. */
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

/** Heat shows the class of a resource's plugin, which is the last word of its type. */
const shown = (node: Node): string => `${node.type.split("::").at(-1)} "${node.name}"`;

/** Throws Heat's CircularDependencyException with the members of the cycles. Takes linear time. */
export const checkAcyclic = (resources: ReadonlyMap<string, Node>): void => {
  const requires = (name: string) => resources.get(name)?.requires ?? [];
  const behind = withoutEnds([...resources.keys()], requires);
  if (behind.length === 0) return;
  // `behind` are in a cycle or wait for one. The reverse step leaves cycles and the paths between.
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
  throw refusal(
    "CircularDependencyException",
    `Circular Dependency Found: {${texts.slice(0, CYCLE_NAMES_MAX).join(", ")}${more}}`,
  );
};

export const inDependencyOrder = (
  template: Pick<Template, "resources">,
): readonly ResourceDefinition[] => {
  const ordered = new Map<string, ResourceDefinition>();
  const opened = new Set<string>();
  // Thousands of resources may wait for each other in a chain, which is too deep for recursion.
  const pending = [...template.resources.keys()].reverse();
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const definition = template.resources.get(name);
    if (definition === undefined || ordered.has(name)) pending.pop();
    else if (opened.has(name)) ordered.set(name, definition);
    else {
      opened.add(name);
      pending.push(...definition.requires.toReversed());
    }
  }
  return [...ordered.values()];
};
