import { stackPath } from "#client/client.ts";
import { NESTED_LEVELS_MAX, openNestedPaths } from "#client/nested-paths.ts";
import { ChangesAnswer, type WireResource, type WireStack } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import { oneLine, tableLines, terminalWidth } from "../print.ts";
import type { Session } from "../session.ts";
import type { EndReport } from "./follow.ts";

interface Checked {
  readonly path: string;
  readonly resource: WireResource;
}

export const driftReport =
  ({ client }: Session) =>
  async (stack: WireStack): Promise<EndReport> => {
    const rows = await client.resources(stack, { nestedDepth: NESTED_LEVELS_MAX });
    const { document, lines } = reportOf(stack, rows);
    if (document.drifted.length === 0) return { document, lines };
    const next = await deletedLines(client, stack, rows).catch(noPreview);
    if (next === null) return { document, lines };
    const repair = `"hearth stack repair ${oneLine(stack.stack_name)}" shows what there is to do, asks, and does it.`;
    return { document, lines: [...lines, ...next, repair] };
  };

/** No update is possible now, for example because the stack is suspended. */
const noPreview = (error: unknown): null => {
  if (error instanceof RequestError) return null;
  throw error;
};

/** Names the objects that the next update would delete. `rows` include nested ones. */
export const deletedLines = async (
  client: Session["client"],
  stack: WireStack,
  rows: readonly WireResource[],
): Promise<readonly string[]> => {
  const path = `${stackPath(stack)}/preview?show_nested=true`;
  const { resource_changes } = await client.request("PATCH", path, ChangesAnswer, {});
  const paths = openNestedPaths(stack, rows);
  const names = (resource_changes["replaced"] ?? []).map((one) => oneLine(paths.ofResource(one)));
  return names.length === 0
    ? []
    : [`The next update deletes what these have, and makes another object: ${names.join(", ")}.`];
};

interface DriftReport extends EndReport {
  readonly document: {
    readonly drifted: readonly object[];
    readonly unchecked: readonly string[];
  };
  readonly drifted: readonly string[];
}

export const reportOf = (stack: WireStack, rows: readonly WireResource[]): DriftReport => {
  const paths = openNestedPaths(stack, rows);
  const all = rows.map((resource): Checked => ({ path: paths.ofResource(resource), resource }));
  const isDrifted = ({ resource: { resource_status: status } }: Checked): boolean =>
    status.endsWith("_FAILED") || status.startsWith("INIT_");
  const found = all.filter(isDrifted);
  // A nested stack drifts because of its resources, which say more.
  const drifted = found.filter(
    ({ path }) => !found.some((other) => other.path.startsWith(`${path}/`)),
  );
  const above = dependents(found, all);
  const unchecked = all.filter((one) => above.has(one.path) && !isDrifted(one));
  return {
    drifted: drifted.map(({ path }) => path),
    document: {
      drifted: drifted.map(({ path, resource }) => mergedMaps<unknown>({ path }, resource)),
      unchecked: unchecked.map(({ path }) => path),
    },
    lines: [...driftedLines(drifted, all.length), ...uncheckedLines(unchecked)],
  };
};

/** The paths of all resources that depend on one of `found`. A CHECK skips them. */
const dependents = (found: readonly Checked[], all: readonly Checked[]): ReadonlySet<string> => {
  const directly = new Map(all.map((one) => [one.path, directDependents(one)]));
  return withDependents(found.flatMap(directDependents), directly);
};

/** Dependencies never leave a stack, so these paths differ only in the last name. */
const directDependents = ({ path, resource }: Checked): readonly string[] => {
  const stack = path.slice(0, path.length - resource.resource_name.length);
  return (resource.required_by ?? []).map((name) => `${stack}${name}`);
};

const driftedLines = (drifted: readonly Checked[], count: number): readonly string[] => {
  if (drifted.length === 0) return ["No resource has drifted."];
  const rows = drifted.map(({ path, resource }) => [
    path,
    resource.resource_status,
    whyOf(resource),
  ]);
  const resources = count === 1 ? "1 resource" : `${count} resources`;
  return [
    `Of ${resources}, ${drifted.length} drifted:`,
    ...tableLines(["RESOURCE", "STATUS", "WHY"], rows, terminalWidth()),
  ];
};

const whyOf = ({
  resource_name,
  resource_status,
  resource_status_reason,
}: WireResource): string => {
  if (resource_status.startsWith("INIT_")) return "it has not been created";
  const reason = resource_status_reason ?? "";
  const place = `resources.${resource_name}: `;
  const at = reason.indexOf(place);
  return at < 0 ? reason : reason.slice(at + place.length);
};

const uncheckedLines = (unchecked: readonly Checked[]): readonly string[] =>
  unchecked.length === 0
    ? []
    : [
        `Not checked, because they depend on those: ${unchecked.map(({ path }) => oneLine(path)).join(", ")}.`,
      ];

/**
 * `names` with all that depends on one of them: directly, through others, and so on.
 * `directly` says what depends on a name without another one between them.
 */
export const withDependents = (
  names: Iterable<string>,
  directly: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> => {
  const found = new Set(names);
  // A loop over a set also visits what is added to it meanwhile.
  for (const one of found) for (const above of directly.get(one) ?? []) found.add(above);
  return found;
};
