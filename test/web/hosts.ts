import type { Json, JsonObject } from "#lib/json.ts";
import { at, send } from "../integration/host/host-client.ts";
import { PROJECT } from "./console-page.ts";

export const STACKS = `/v1/${PROJECT}/stacks`;
const LOOK_MS = 50;

export interface MadeStack {
  readonly id: string;
  readonly hash: (tab: string, resource?: string) => string;
}

export const createStack = async (
  url: string,
  name: string,
  resources: JsonObject,
  extra: JsonObject = {},
): Promise<MadeStack> => {
  const { outputs = {}, ...options } = extra;
  const template = { heat_template_version: "2018-08-31", resources, outputs };
  const answer = await send(url, "POST", STACKS, { stack_name: name, template, ...options });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const id = String(at(answer.body, "stack", "id"));
  return {
    id,
    hash: (tab, resource) => `#/stacks/${name}/${id}/${tab}${resource ? `/${resource}` : ""}`,
  };
};

const statusOf = async (url: string, name: string): Promise<Json | undefined> =>
  at((await send(url, "GET", `${STACKS}/${name}`)).body, "stack", "stack_status");

export const untilStatus = async (url: string, name: string, status: string): Promise<void> => {
  while ((await statusOf(url, name)) !== status) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

export const untilResource = async (
  url: string,
  stack: string,
  name: string,
  status: string,
): Promise<void> => {
  const path = `${STACKS}/${stack}/resources/${name}`;
  while (at((await send(url, "GET", path)).body, "resource", "resource_status") !== status) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

export const testResource = (properties: JsonObject = {}, ...dependsOn: readonly string[]) => ({
  type: "OS::Heat::TestResource",
  depends_on: [...dependsOn],
  properties,
});
