import { equal } from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type ClientOptions, stackPath } from "#client/client.ts";
import { eventually } from "../aws/eventually.ts";
import { hot, outputs, type Speaker, type StackRef, show } from "../aws/lane.ts";
import type { RestartedHost } from "../crash/host-process.ts";
import type { StockAgents } from "./stock-agents.ts";
import { openStockServer, type ServerOptions, type StockServer } from "./stock-server.ts";

/** A cycle of the stock agents costs seconds of CPU; this limit is far longer. */
export const STORY_MS_MAX = 150_000;

export interface Rig extends Speaker {
  readonly connection: ClientOptions;
  readonly agents: StockAgents;
  readonly folder: string;
  /** Options of Hearth's agent. By default its pace is far quicker than an owner's. */
  readonly agentPace?: readonly string[];
  readonly host?: RestartedHost;
}

export interface Story {
  readonly name: string;
  readonly needsOwnHost?: true;
  play(rig: Rig): Promise<void>;
}

export const openServer = (rig: Rig, name: string, options?: ServerOptions): StockServer => {
  const folder = join(rig.folder, name);
  mkdirSync(folder, { mode: 0o700 });
  return openStockServer(rig.agents, folder, options);
};

export const SERVER = { type: "OS::Heat::DeployedServer", properties: { name: "web" } } as const;

export const script = (...lines: readonly string[]): string =>
  ["#!/bin/sh", "set -e", ...lines, ""].join("\n");

export const config = (text: string, more: object = {}): object => ({
  type: "OS::Heat::SoftwareConfig",
  properties: { group: "script", config: text, ...more },
});

export const deployment = (configName: string, more: object = {}): object => ({
  type: "OS::Heat::SoftwareDeployment",
  properties: {
    config: { get_resource: configName },
    server: { get_resource: "server" },
    ...more,
  },
});

export const serverTemplate = (
  resources: Readonly<Record<string, object>>,
  attributes: Readonly<Record<string, readonly string[]>> = {},
): object => {
  const agent = { value: { get_attr: ["server", "os_collect_config"] } };
  const others = Object.entries(attributes).map(([name, path]) => [
    name,
    { value: { get_attr: path } },
  ]);
  return hot(
    { server: SERVER, ...resources },
    { outputs: { agent, ...Object.fromEntries(others) } },
  );
};

const agentOutput = z.object({ request: z.object({ metadata_url: z.url() }) });

export const metadataUrl = (rig: Rig, stack: StackRef): Promise<string> =>
  eventually("the server is there", STORY_MS_MAX, async () => {
    const { data } = agentOutput.safeParse((await outputs(rig, stack))["agent"]);
    return data?.request.metadata_url ?? null;
  });

export const reasons = async (
  { client }: Rig,
  stack: StackRef,
  resource: string,
): Promise<readonly string[]> =>
  (await client.events(stack, { resource_name: resource })).map(
    ({ resource_status_reason }) => resource_status_reason ?? "",
  );

/**
 * Waits until one of the reasons matches, because an event is stored after the change that it
 * reports.
 */
export const reasonsWith = (
  rig: Rig,
  stack: StackRef,
  resource: string,
  wanted: RegExp,
): Promise<readonly string[]> =>
  eventually(`an event of ${resource} says ${wanted.source}`, STORY_MS_MAX, async () => {
    const texts = await reasons(rig, stack, resource);
    return texts.some((text) => wanted.test(text)) ? texts : null;
  });

export const statusOf = async (rig: Rig, stack: StackRef): Promise<string> =>
  (await show(rig, stack)).stack_status;

const ResourceAnswer = z.object({
  resource: z.object({
    resource_status: z.string(),
    resource_status_reason: z.string(),
    physical_resource_id: z.string(),
  }),
});

export const resourceOf = async ({ client }: Rig, stack: StackRef, name: string) =>
  (await client.request("GET", `${stackPath(stack)}/resources/${name}`, ResourceAnswer)).resource;

export const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
  equal(await eventually(what, STORY_MS_MAX, async () => ((await holds()) ? true : null)), true);
};
