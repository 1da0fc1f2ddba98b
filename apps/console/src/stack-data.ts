import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import {
  type Output,
  OutputShape,
  StackShape,
  StacksAnswer,
  type WireEvent,
} from "#client/wire.ts";
import { Progress } from "./status.ts";

export const EVENTS_SHOWN_MAX = 500;

export interface StackName {
  readonly stack_name: string;
  readonly id: string;
}

const Stack = StackShape.extend({
  tags: z.array(z.string()).nullish(),
  parent: z.string().nullish(),
  disable_rollback: z.boolean().nullish(),
  timeout_mins: z.number().nullish(),
  basis: z.string().optional(),
  progress: Progress.optional(),
});
export type Stack = z.infer<typeof Stack>;
const StackDocument = z.looseObject({ stack: Stack });

/** The server changes nothing if the basis has changed. An older server gives none. */
export const onBasis = (basis: string | null | undefined): string =>
  basis ? `?basis=${encodeURIComponent(basis)}` : "";

export const readStack = async (client: Client, stack: StackName): Promise<Stack> => {
  const path = `${stackPath(stack)}?resolve_outputs=false&with_progress=true`;
  return (await client.request("GET", path, StackDocument)).stack;
};

/** A browser does not let a page follow the redirect from an id to the name. */
export const readName = async (client: Client, id: string): Promise<string | null> => {
  const path = `/stacks?show_nested=true&id=${encodeURIComponent(id)}`;
  const { stacks } = await client.request("GET", path, StacksAnswer);
  return stacks[0]?.stack_name ?? null;
};

const OutputsDocument = z.looseObject({
  stack: z.looseObject({ outputs: z.array(OutputShape).nullish() }),
});

export const readOutputs = async (client: Client, stack: StackName): Promise<readonly Output[]> =>
  (await client.request("GET", stackPath(stack), OutputsDocument)).stack.outputs ?? [];

export const readEvents = (client: Client, stack: StackName): Promise<readonly WireEvent[]> =>
  client.events(stack, { limit: EVENTS_SHOWN_MAX, sort_dir: "desc" });

const Detail = z.looseObject({
  resource: z.looseObject({
    resource_name: z.string(),
    resource_type: z.string(),
    resource_status: z.string(),
    resource_status_reason: z.string().nullish(),
    physical_resource_id: z.string().nullish(),
    creation_time: z.string().nullish(),
    updated_time: z.string().nullish(),
    description: z.string().nullish(),
    required_by: z.array(z.string()).nullish(),
    attributes: z.record(z.string(), z.unknown()).nullish(),
    links: z.array(z.looseObject({ rel: z.string(), href: z.string() })).nullish(),
    basis: z.string().optional(),
  }),
});
export type ResourceDetail = z.infer<typeof Detail>["resource"];

export const readResource = async (
  client: Client,
  stack: StackName,
  name: string,
): Promise<ResourceDetail> => {
  const path = `${stackPath(stack)}/resources/${encodeURIComponent(name)}`;
  return (await client.request("GET", path, Detail)).resource;
};

const EventDetail = z.looseObject({
  event: z.looseObject({ resource_properties: z.record(z.string(), z.unknown()).nullish() }),
});

/** The properties of the newest operation, from its event. The server masks secrets. */
export const readProperties = async (
  client: Client,
  stack: StackName,
  name: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const events = `${stackPath(stack)}/resources/${encodeURIComponent(name)}/events`;
  const [newest] = await client.events(stack, { resource_name: name, limit: 1, sort_dir: "desc" });
  if (newest === undefined) return {};
  const path = `${events}/${encodeURIComponent(newest.id)}`;
  const { event } = await client.request("GET", path, EventDetail);
  return event.resource_properties ?? {};
};

export type Resolution =
  | { readonly import: string }
  | { readonly nothing_was_made: true }
  | { readonly retry: true };

export const resolveOutcome = async (
  client: Client,
  stack: StackName,
  { resource_name: name, basis }: Pick<ResourceDetail, "resource_name" | "basis">,
  answer: Resolution,
): Promise<void> => {
  const path = `${stackPath(stack)}/resources/${encodeURIComponent(name)}/resolve`;
  await client.request("POST", `${path}${onBasis(basis)}`, z.unknown(), answer);
};

/** The server's message is the only sign of an unknown outcome. */
export const isOutcomeUnknown = ({ resource_status_reason: reason }: ResourceDetail): boolean =>
  (reason ?? "").includes("stack resource resolve");

export const readTemplate = (client: Client, stack: StackName): Promise<unknown> =>
  client.request("GET", `${stackPath(stack)}/template`, z.unknown());

export const nestedOf = (links: ResourceDetail["links"]): StackName | null => {
  const href = links?.find(({ rel }) => rel === "nested")?.href;
  const [name, id] = href === undefined ? [] : new URL(href).pathname.split("/").slice(-2);
  if (name === undefined || id === undefined) return null;
  return { stack_name: decodeURIComponent(name), id: decodeURIComponent(id) };
};

export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
