/**
 * Decides which machines of an inventory a server of a template may use. The first of these that
 * exists decides: the hints in the server's metadata, a rule of the inventory, a machine with the
 * server's name.
 */
import { type JsonObject, mapOf } from "#lib/json.ts";
import { fitsGlob } from "#lib/template/environment/glob.ts";
import { member } from "#lib/template/json-shape.ts";
import type { Inventory, Machine, ServerRule } from "./inventory.ts";

/** Keys in the server's `metadata`. Their values are texts, so a real cloud accepts them too. */
const HINTS = {
  machine: "hearth_machine",
  group: "hearth_group",
  labels: "hearth_labels",
} as const;

export interface WantedServer {
  readonly resourceName: string;
  readonly name: string | null;
  readonly metadata: JsonObject;
}

type Binding = Omit<ServerRule, "server">;

export interface Bound {
  readonly machines: readonly Machine[];
  readonly by: string;
}

export interface BindingFault {
  readonly why: string;
}

const fitsLabels = (wanted: Readonly<Record<string, string>>, { labels }: Machine): boolean =>
  Object.entries(wanted).every(
    ([label, pattern]) => Object.hasOwn(labels, label) && fitsGlob(pattern, labels[label] ?? ""),
  );

const fits = ({ machine, group, labels }: Binding, candidate: Machine): boolean =>
  (machine === undefined || fitsGlob(machine, candidate.name)) &&
  (group === undefined || candidate.groups.some((one) => fitsGlob(group, one))) &&
  (labels === undefined || fitsLabels(labels, candidate));

const readLabels = (text: string): Readonly<Record<string, string>> | null => {
  const pairs = text.split(",").map((pair): [string, string] | null => {
    const at = pair.indexOf("=");
    return at > 0 ? [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] : null;
  });
  const known = pairs.filter((pair) => pair !== null);
  return known.length === pairs.length ? mapOf(known) : null;
};

const hintsIn = (metadata: JsonObject): Binding | BindingFault | null => {
  const hints: [string, string][] = [];
  for (const key of Object.values(HINTS)) {
    const value = member(metadata, key) ?? null;
    if (value === null) continue;
    if (typeof value !== "string" || value === "") return { why: `metadata.${key} must be text` };
    hints.push([key, value]);
  }
  if (hints.length === 0) return null;
  const { [HINTS.machine]: machine, [HINTS.group]: group, [HINTS.labels]: text } = mapOf(hints);
  const labels = text === undefined ? undefined : readLabels(text);
  if (labels === null) return { why: `metadata.${HINTS.labels} must be like role=web,zone=a*` };
  return { machine, group, labels };
};

const namesOf = ({ resourceName, name }: WantedServer): readonly string[] =>
  name === null ? [resourceName] : [name, resourceName];

export const machinesFor = (
  { machines, servers }: Inventory,
  wanted: WantedServer,
): Bound | BindingFault => {
  const hints = hintsIn(wanted.metadata);
  if (hints !== null && "why" in hints) return hints;
  const names = namesOf(wanted);
  const ruleAt = servers.findIndex(({ server }) => names.some((name) => fitsGlob(server, name)));
  const rule = servers[ruleAt];
  const binding = hints ?? rule;
  const by = hints === null ? `servers[${ruleAt}] of the inventory` : "the hints in its metadata";
  if (binding !== undefined) return { machines: machines.filter((one) => fits(binding, one)), by };
  const own = names.flatMap((name) => machines.filter((one) => one.name === name)).slice(0, 1);
  return { machines: own, by: "its name" };
};
