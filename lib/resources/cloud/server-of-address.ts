/**
 * Finds the server of a template that uses a port or a floating address, before any of them is
 * created. Only properties that connect resources count, because user data may mention any address.
 */

import { EXISTING_PREFIX } from "#lib/inventory/inventory.ts";
import type { Json } from "#lib/json.ts";
import type { LoadedTemplate } from "#lib/stack/record/template-record.ts";
import { mapType } from "#lib/template/environment/registry.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { ADDRESS_LINKS, FLOATING_ADDRESSES, isServerType, PORT, SERVER } from "./existing-names.ts";

const CONNECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [SERVER, ["networks"]],
  ...FLOATING_ADDRESSES.map((type): [string, readonly string[]] => [
    type,
    ["port_id", "InstanceId"],
  ]),
  ...ADDRESS_LINKS.map((type): [string, readonly string[]] => [
    type,
    ["port_id", "server_id", "floatingip_id", "floating_ip", "InstanceId", "EIP", "AllocationId"],
  ]),
]);

type Typed = readonly [definition: ResourceDefinition, type: string];

/** Only the types that the built-in environment maps; the user's own mappings do not count. */
const existingIn = ({ source, template }: LoadedTemplate): readonly Typed[] =>
  [...template.resources.values()].flatMap((definition): Typed[] => {
    const { type } = mapType(source.environment.resourceRegistry, definition.name, definition.type);
    return type.startsWith(EXISTING_PREFIX)
      ? [[definition, type.slice(EXISTING_PREFIX.length)]]
      : [];
  });

const namesIn = ({ template }: LoadedTemplate, value: Json): readonly string[] =>
  resourcesIn(functionsOf(template.version), value);

const connectionsOf = (loaded: LoadedTemplate, [definition, type]: Typed): readonly string[] =>
  (CONNECTIONS.get(type) ?? []).flatMap((key) =>
    namesIn(loaded, definition.properties[key] ?? null),
  );

const isWay = (type: string): boolean =>
  type === PORT || FLOATING_ADDRESSES.includes(type) || ADDRESS_LINKS.includes(type);

export const serverOfAddress = (
  loaded: LoadedTemplate,
  resourceName: string,
): ResourceDefinition | null => {
  const all = existingIn(loaded);
  const byName = new Map(all.map((one) => [one[0].name, one]));
  const neighbours = new Map<string, Set<string>>(all.map(([{ name }]) => [name, new Set()]));
  for (const one of all) {
    for (const target of connectionsOf(loaded, one)) {
      neighbours.get(one[0].name)?.add(target);
      neighbours.get(target)?.add(one[0].name);
    }
  }
  const seen = new Set([resourceName]);
  for (const name of seen) {
    const [definition, type] = byName.get(name) ?? [];
    if (definition !== undefined && type !== undefined && isServerType(type)) return definition;
    // Many servers may share a network, so the search continues only through ports and addresses.
    if (type === undefined || !isWay(type)) continue;
    for (const next of neighbours.get(name) ?? []) seen.add(next);
  }
  return null;
};
