/** A template on its way to the server: what it asks for, its faults, and what it changes. */
import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { ChangesAnswer, CreatedAnswer, PreviewAnswer, type WirePreviewed } from "#client/wire.ts";
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import { mapOf } from "#lib/json-map.ts";
import type { Change } from "./foreseen.ts";
import type { StackName } from "./stack-data.ts";

const BAD_REQUEST = 400;

export interface Draft {
  /** Of a new stack. Ignored by an update. */
  readonly name: string;
  readonly template: string;
  /** By name, as they were typed. An empty one is not given. */
  readonly parameters: ReadonlyMap<string, string>;
}

const Parameter = z.looseObject({
  Type: z.string().nullish(),
  Label: z.string().nullish(),
  Description: z.string().nullish(),
  NoEcho: z.string().nullish(),
  Default: z.unknown().optional(),
  AllowedValues: z.array(z.unknown()).nullish(),
});
export type Parameter = z.infer<typeof Parameter>;
const Validated = z.looseObject({ Parameters: z.record(z.string(), Parameter).nullish() });

export interface Verdict {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** All that is wrong, in the order in which it was found. */
  readonly faults: readonly string[];
}

/** Null: it is no fault of the draft. */
export const faultsOf = (error: unknown): readonly string[] | null => {
  if (!(error instanceof RequestError) || error.status !== BAD_REQUEST) return null;
  const others = error instanceof SeveralErrors ? error.others : [];
  return [error.message, ...others.map(({ message }) => message)];
};

/** Without its parameters: a form that is half filled in is no fault of the template. */
export const validate = async (client: Client, template: string): Promise<Verdict> => {
  try {
    const path = "/validate?all_errors=true";
    const { Parameters } = await client.request("POST", path, Validated, { template });
    return { parameters: new Map(Object.entries(Parameters ?? {})), faults: [] };
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === null) throw error;
    return { parameters: new Map(), faults };
  }
};

const bodyOf = ({ template, parameters }: Draft) => ({
  template,
  parameters: mapOf([...parameters].filter(([, value]) => value !== "")),
});

const joined = (path: readonly string[], name: string): string => [...path, name].join("/");

/** The resources of a nested stack have the name of the resource that it is before theirs. */
const added = (
  previewed: readonly WirePreviewed[],
  path: readonly string[] = [],
): readonly Change[] =>
  previewed.flatMap((one) => {
    if (Array.isArray(one)) return added(one, [...path, parentOf(one)]);
    const requiredBy = (one.required_by ?? []).map((name) => joined(path, name));
    const name = joined(path, one.resource_name);
    return [{ kind: "added", name, type: one.resource_type, requiredBy, detail: null }];
  });

const parentOf = (below: readonly WirePreviewed[]): string => {
  const first = below.find((one) => !Array.isArray(one));
  return first === undefined || Array.isArray(first) ? "" : (first.parent_resource ?? "");
};

/** The new template does not tell what requires something and is removed. */
const removedDependents = async (
  client: Client,
  stack: StackName,
  removed: ReadonlySet<string>,
): Promise<(name: string) => readonly string[]> => {
  if (removed.size === 0) return () => [];
  const resources = await client.resources(stack);
  const known = new Map(
    resources.map(({ resource_name: name, required_by }) => [
      name,
      (required_by ?? []).filter((above) => removed.has(above)),
    ]),
  );
  return (name) => known.get(name) ?? [];
};

/** `stack` is the one to update. Null: the draft is of a new one. */
export const preview = async (
  client: Client,
  stack: StackName | null,
  draft: Draft,
): Promise<readonly Change[]> => {
  if (stack === null) {
    const body = { ...bodyOf(draft), stack_name: draft.name };
    const path = "/stacks/preview?all_errors=true";
    return added((await client.request("POST", path, PreviewAnswer, body)).stack.resources);
  }
  const path = `${stackPath(stack)}/preview`;
  const answer = await client.request("PATCH", path, ChangesAnswer, bodyOf(draft));
  const deleted = answer.resource_changes["deleted"] ?? [];
  const removed = new Set(deleted.map(({ resource_name }) => resource_name));
  const former = await removedDependents(client, stack, removed);
  return Object.entries(answer.resource_changes).flatMap(([kind, resources]) =>
    resources.map(({ resource_name: name, resource_type: type, required_by, change }) => {
      const requiredBy = [...new Set([...(required_by ?? []), ...former(name)])];
      return { kind, name, type, requiredBy, detail: change ?? null };
    }),
  );
};

/** An update keeps the parameters that it does not name. */
export const apply = async (
  client: Client,
  stack: StackName | null,
  draft: Draft,
): Promise<StackName> => {
  if (stack === null) {
    const body = { ...bodyOf(draft), stack_name: draft.name };
    const created = await client.request("POST", "/stacks", CreatedAnswer, body);
    return { stack_name: draft.name, id: created.stack.id };
  }
  await client.request("PATCH", stackPath(stack), z.unknown(), bodyOf(draft));
  return stack;
};
