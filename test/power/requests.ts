import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";

const NOT_FOUND = 404;

/** The host gave no answer, so it is unknown whether it did what was requested. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const ask = async (
  url: string,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<Answer> => {
  try {
    const response = await fetch(`${url}/v1/demo/stacks${path}`, {
      method,
      headers: { "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  } catch (error) {
    throw new NoAnswer("the host has not answered", { cause: error });
  }
};

const Created = z.object({ stack: z.object({ id: z.string() }) });
export const idIn = ({ body }: Answer): string => Created.parse(body).stack.id;

const Found = z.object({
  stack: z.object({
    stack_status: z.string(),
    stack_status_reason: z.string(),
    outputs: z
      .array(z.looseObject({ output_key: z.string(), output_value: z.unknown() }))
      .optional(),
  }),
});

export interface Shown {
  readonly status: string;
  readonly reason: string;
  readonly version: number;
}

export const showStack = async (url: string, place: string): Promise<Shown | null> => {
  const answer = await ask(url, "GET", place);
  if (answer.status === NOT_FOUND) return null;
  const { stack } = Found.parse(answer.body);
  if (stack.stack_status === "DELETE_COMPLETE") return null;
  const version = stack.outputs?.find(({ output_key: key }) => key === "version")?.output_value;
  return {
    status: stack.stack_status,
    reason: stack.stack_status_reason,
    version: Number(version ?? 0),
  };
};

const Listed = z.object({ stacks: z.array(z.object({ id: z.string(), stack_name: z.string() })) });

export const listStacks = async (url: string) =>
  Listed.parse((await ask(url, "GET", "")).body).stacks;

const Resources = z.object({
  resources: z.array(
    z.object({
      resource_name: z.string(),
      resource_type: z.string(),
      resource_status: z.string(),
      physical_resource_id: z.string().nullish(),
    }),
  ),
});

export const listResources = async (url: string, place: string) =>
  Resources.parse((await ask(url, "GET", `${place}/resources`)).body).resources;
