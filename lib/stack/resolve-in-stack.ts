/** Reading values out of a stack as it stands: outputs and metadata, resolved from its rows when somebody asks. */
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { resolveValue } from "#lib/template/resolve.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import { bestResources } from "./best-resource.ts";
import { openReference } from "./reference.ts";
import type { LoadedTemplate } from "./template-record.ts";

/** In any other action (INIT, DELETE) the attributes of a resource read as null. */
const LIVE_ACTIONS: ReadonlySet<Resource["action"]> = new Set([
  "CREATE",
  "UPDATE",
  "SUSPEND",
  "RESUME",
  "CHECK",
  "ADOPT",
  "SNAPSHOT",
]);

export const isLive = (row: Resource): boolean => LIVE_ACTIONS.has(row.action);

/** The attributes that a row's type declares, with those that the type computes. */
export const readAttributes = (ports: Ports, row: Resource, stored: JsonObject): JsonObject => {
  const type = ports.resourceTypes.get(row.type);
  if (!type || type.attributes === "any") return stored;
  const values = Object.keys(type.attributes).map((name) => [
    name,
    type.currentAttribute?.(name, row, ports) ??
      type.attribute?.(stored, name) ??
      stored[name] ??
      null,
  ]);
  return { ...stored, ...Object.fromEntries(values) };
};

export const readReference = async (ports: Ports, row: Resource): Promise<ResourceReference> => {
  const { refId, attributes } = await openReference(ports, row);
  return { refId, attributes: readAttributes(ports, row, attributes), live: isLive(row) };
};

/**
 * Runs `resolve` until every row that it asks for has been opened: only the rows that are really
 * referred to are decrypted. Each round opens at least one more row, so it ends. What it throws
 * counts only where nothing was missing.
 */
export const resolveInStack = async <T>(
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  resolve: (scope: Scope) => T,
): Promise<T> => {
  const rows = bestResources(await ports.store.listResources(stack.id), stack.templateId);
  const opened = new Map<string, ResourceReference>();
  for (;;) {
    const missing = new Set<string>();
    const attempt = attempted(() =>
      resolve({
        parameters: loaded.parameters,
        pseudo: pseudoParameters(stack),
        files: loaded.source.files,
        resource: (name) => {
          const reference = opened.get(name);
          if (reference === undefined && rows.has(name)) missing.add(name);
          return reference ?? null;
        },
      }),
    );
    if (missing.size === 0) return attempt();
    for (const name of missing) {
      const row = rows.get(name);
      if (row) opened.set(name, await readReference(ports, row));
    }
  }
};

/** Does it now, and answers or throws when asked what came of it. */
const attempted = <T>(work: () => T): (() => T) => {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** The metadata section of a definition, as the rows that it refers to stand; empty where there is none. */
export const resolveMetadata = async (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  name: string,
): Promise<JsonObject> => {
  const metadata = loaded.template.resources.get(name)?.metadata ?? {};
  return resolveInStack(ports, stack, loaded, (scope) => {
    const entries = Object.entries(metadata).map(([key, value]) => {
      const place = `resources.${name}.metadata.${key}`;
      return [key, resolveValue(loaded.template, value, scope, place)];
    });
    return Object.fromEntries(entries);
  });
};
