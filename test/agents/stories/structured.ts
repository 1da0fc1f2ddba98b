import { deepEqual, equal } from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, ends, remove, update } from "../../aws/lane.ts";
import {
  metadataUrl,
  openServer,
  STORY_MS_MAX,
  type Story,
  serverTemplate,
  until,
} from "../rig.ts";

const structured = (group: string, config: object): object => ({
  type: "OS::Heat::StructuredConfig",
  properties: { group, config },
});

const run = (config: string, name: string, inputs: object, more: object = {}): object => ({
  type: "OS::Heat::StructuredDeployment",
  properties: {
    name,
    config: { get_resource: config },
    server: { get_resource: "server" },
    input_values: inputs,
    ...more,
  },
});

const data: Story = {
  name: "structured configs reach a hook, or templates on the image, with their inputs substituted",
  play: async (rig) => {
    const server = openServer(rig, "structured");
    const file = join(server.folder, "app.json");
    mkdirSync(join(server.folder, "templates/etc"), { recursive: true });
    writeFileSync(join(server.folder, "templates/etc/app.conf"), "port={{app.port}}\n");
    const template = (port: number) =>
      serverTemplate({
        hooked: structured("json-file", {
          [file]: { listen: { get_input: "port" }, names: ["ü", { get_input: "all" }] },
        }),
        hooked_run: run("hooked", "1-hooked", { port, all: { deep: [null, true] } }),
        rendered: structured("os-apply-config", { app: { port: { get_input: "port" } } }),
        rendered_run: run("rendered", "2-rendered", { port }, { signal_transport: "NO_SIGNAL" }),
      });
    const rendered = join(server.folder, "etc/app.conf");
    const has = (text: string) => () =>
      existsSync(rendered) && readFileSync(rendered, "utf8") === text;
    const stack = await create(rig, "structured", template(80));
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    deepEqual(JSON.parse(readFileSync(file, "utf8")), {
      listen: 80,
      names: ["ü", { deep: [null, true] }],
    });
    await until("the template is rendered", has("port=80\n"));
    await update(rig, stack, template(81));
    await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
    await until("the template is rendered again", has("port=81\n"));
    equal(JSON.parse(readFileSync(file, "utf8")).listen, 81);
    await remove(rig, stack);
    await server.kill();
  },
};

export const structuredStories: readonly Story[] = [data];
