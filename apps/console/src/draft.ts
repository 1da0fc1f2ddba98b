import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { CreatedAnswer, PreviewAnswer, type WirePreviewed } from "#client/wire.ts";
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import { mapOf } from "#lib/json.ts";
import { type Fault, placedFaults } from "./fault-places.ts";
import { foreseeUpdate } from "./foresee-update.ts";
import type { Change, Foreseen } from "./foreseen.ts";
import { onBasis, type Stack, type StackName } from "./stack-data.ts";

const BAD_REQUEST = 400;

export interface Draft {
  readonly name: string;
  readonly template: string;
  /** As typed. An empty value is not sent. */
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
  readonly faults: readonly Fault[];
}

/** @returns null unless the stack is no longer as the preview has seen it. */
export const movedText = (error: unknown): string | null =>
  error instanceof RequestError && error.code === "StackMoved" ? error.message : null;

/** @returns null when the error is no fault of the draft. */
export const faultsOf = (error: unknown): readonly string[] | null => {
  if (!(error instanceof RequestError) || error.status !== BAD_REQUEST) return null;
  const others = error instanceof SeveralErrors ? error.others : [];
  return [error.message, ...others.map(({ message }) => message)];
};

/** Parameters are not sent, because a half filled form is no fault of the template. */
export const validate = async (client: Client, template: string): Promise<Verdict> => {
  try {
    const path = "/validate?all_errors=true";
    const { Parameters } = await client.request("POST", path, Validated, { template });
    return { parameters: new Map(Object.entries(Parameters ?? {})), faults: [] };
  } catch (error) {
    const faults = faultsOf(error);
    if (faults === null) throw error;
    return { parameters: new Map(), faults: placedFaults(template, faults) };
  }
};

const bodyOf = ({ template, parameters }: Draft) => ({
  template,
  parameters: mapOf([...parameters].filter(([, value]) => value !== "")),
});

const joined = (path: readonly string[], name: string): string => [...path, name].join("/");

type Leaf = Exclude<WirePreviewed, readonly WirePreviewed[]>;

const leavesOf = (previewed: readonly WirePreviewed[]): readonly Leaf[] =>
  previewed.flatMap((one) => (Array.isArray(one) ? leavesOf(one) : [one]));

type Made = Pick<Leaf, "resource_name" | "resource_type" | "required_by">;

const madeIn = (path: readonly string[], one: Made): Change => ({
  kind: "added",
  name: joined(path, one.resource_name),
  type: one.resource_type,
  requiredBy: (one.required_by ?? []).map((name) => joined(path, name)),
  parent: path.length === 0 ? null : path.join("/"),
  detail: null,
});

/** A nested stack comes before its resources. A nested stack without resources does not show. */
const added = (previewed: readonly WirePreviewed[]): readonly Change[] => {
  const changes = new Map<string, Change>();
  for (const leaf of leavesOf(previewed)) {
    const chain: readonly Made[] = [...(leaf.parents ?? []), leaf];
    const names = chain.map(({ resource_name: name }) => name);
    chain.forEach((one, at) => {
      const change = madeIn(names.slice(0, at), one);
      changes.set(change.name, change);
    });
  }
  return [...changes.values()];
};

/** The stack as it was when the draft began, or null for a new stack. */
type DraftedStack = (StackName & Pick<Stack, "basis">) | null;

export interface ForeseenDraft extends Foreseen {
  readonly basis: string | null;
}

export const preview = async (
  client: Client,
  stack: DraftedStack,
  draft: Draft,
): Promise<ForeseenDraft> => {
  if (stack === null) {
    const body = { ...bodyOf(draft), stack_name: draft.name };
    const path = "/stacks/preview?all_errors=true&with_parents=true";
    const { stack: made } = await client.request("POST", path, PreviewAnswer, body);
    return { changes: added(made.resources), warnings: [], basis: null };
  }
  return foreseeUpdate(client, stack, bodyOf(draft), stack.basis);
};

/**
 * The PATCH keeps parameters that the draft does not name. It does what the preview with this basis
 * has shown, or nothing.
 */
export const apply = async (
  client: Client,
  stack: StackName | null,
  draft: Draft,
  basis: string | null,
): Promise<StackName> => {
  if (stack === null) {
    const body = { ...bodyOf(draft), stack_name: draft.name };
    const created = await client.request("POST", "/stacks", CreatedAnswer, body);
    return { stack_name: draft.name, id: created.stack.id };
  }
  await client.request("PATCH", `${stackPath(stack)}${onBasis(basis)}`, z.unknown(), bodyOf(draft));
  return stack;
};
