import { expect } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { bodyOf, type GroupTemplate } from "./group-templates.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const STACKS = "/v1/demo/stacks";
const SCALED_MS_MAX = 20_000;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

export interface GroupStack {
  readonly name: string;
  readonly update: (parameters: JsonObject, more?: JsonObject) => Promise<string>;
  readonly act: (action: string) => Promise<void>;
  readonly ends: () => Promise<string>;
  readonly send: (parameters: JsonObject) => Promise<void>;
  readonly scale: (size: number) => Promise<void>;
  readonly texts: () => Promise<readonly string[]>;
  readonly output: (key: string) => Promise<Json | undefined>;
}

const textsOf = async (url: string, name: string): Promise<readonly string[]> => {
  const { body } = await send(url, "GET", "/_dev/resources");
  return listOf(at(body, "resources"))
    .filter((one) =>
      String(at(one, "stackName") ?? at(one, "stack_name")).startsWith(`${name}-group-`),
    )
    .map((one) => String(at(one, "properties", "value")));
};

const isAtRest = async (url: string, name: string): Promise<boolean> => {
  const { body } = await send(url, "GET", `${STACKS}?show_nested=true`);
  return listOf(at(body, "stacks"))
    .filter((one) => String(at(one, "stack_name")).startsWith(`${name}-group-`))
    .every((one) => !String(at(one, "stack_status")).endsWith("_IN_PROGRESS"));
};

const stackOn = (url: string, name: string, template: GroupTemplate): GroupStack => {
  const path = `${STACKS}/${name}`;
  const put = async (parameters: JsonObject, more: JsonObject = {}): Promise<string> => {
    const marker = await newestEvent(url, name);
    const body = mergedMaps<Json>(bodyOf(template, parameters), more);
    const { status, body: answer } = await send(url, "PUT", path, body);
    if (status !== 202) throw new Error(JSON.stringify(answer));
    return marker;
  };
  const state = async (): Promise<string> =>
    String(at((await send(url, "GET", path)).body, "stack", "stack_status"));
  return {
    name,
    update: async (parameters, more) => waitForStack(url, name, await put(parameters, more)),
    send: async (parameters) => {
      await put(parameters);
    },
    act: async (action) => {
      await send(url, "POST", `${path}/actions`, { [action]: null });
    },
    ends: async () => {
      const marker = await newestEvent(url, name);
      const now = await state();
      return now.endsWith("_IN_PROGRESS") ? waitForStack(url, name, marker) : now;
    },
    scale: async (size) => {
      const id = String(at((await send(url, "GET", path)).body, "stack", "id"));
      const { status } = await send(url, "POST", `${path}/${id}/resources/policy/signal`, {});
      expect(status).toBe(200);
      const isScaled = async () =>
        (await textsOf(url, name)).length === size && (await isAtRest(url, name));
      await expect.poll(isScaled, { timeout: SCALED_MS_MAX }).toBe(true);
    },
    texts: () => textsOf(url, name),
    output: async (key) => {
      const { body } = await send(url, "GET", path);
      const found = listOf(at(body, "stack", "outputs")).find(
        (one) => at(one, "output_key") === key,
      );
      return at(found, "output_value");
    },
  };
};

export interface GroupHost {
  readonly create: (
    name: string,
    template: GroupTemplate,
    parameters: JsonObject,
  ) => Promise<GroupStack>;
  readonly stop: () => Promise<void>;
}

export const startGroupHost = async (): Promise<GroupHost> => {
  const folder = freshFolder();
  const host: Host = await startHost({ port: 0, data: folder });
  return {
    create: async (name, template, parameters) => {
      const body = mergedMaps<Json>(bodyOf(template, parameters), { stack_name: name });
      const { status, body: answer } = await send(host.url, "POST", STACKS, body);
      if (status !== 201) throw new Error(JSON.stringify(answer));
      const ended = await waitForStack(host.url, name);
      if (ended !== "CREATE_COMPLETE") throw new Error(`${name}: ${ended}`);
      return stackOn(host.url, name, template);
    },
    stop: async () => {
      await host.stop();
      removeFolder(folder);
    },
  };
};
