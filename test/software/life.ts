import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { stackPath } from "#client/client.ts";
import { hearth } from "../agents/commands.ts";
import type { Rig } from "../agents/rig.ts";
import { eventually } from "../aws/eventually.ts";
import { act, ends, outputs, remove, type StackRef } from "../aws/lane.ts";
import { type Machine, startMachine } from "./machine.ts";
import type { Played } from "./templates.ts";

export interface Place {
  readonly rig: Rig;
  readonly checkout: string;
  readonly image: string;
}

/** Some cycles of the stock agents take seconds of processor time, and Puppet more. */
const STEP_MS_MAX = 300_000;
const FIRST_ADDRESS = 1;

/** The machines have unique names, because stacks at the same time share a project. */
const inventoryOf = (names: ReadonlyMap<string, string>): object => ({
  machines: [...names.values()].map((name, index) => ({
    name,
    address: `192.0.2.${FIRST_ADDRESS + index}`,
  })),
  servers: [...names].map(([server, machine]) => ({ server, machine })),
});

const ServerAnswer = z.object({
  resource: z.object({
    physical_resource_id: z.string(),
    attributes: z.looseObject({
      os_collect_config: z.object({ request: z.object({ metadata_url: z.url() }) }).nullish(),
    }),
  }),
});

const resourceOf = async ({ client }: Rig, stack: StackRef, name: string) =>
  (await client.request("GET", `${stackPath(stack)}/resources/${name}`, ServerAnswer)).resource;

const metadataUrlOf = (rig: Rig, stack: StackRef, server: string): Promise<string> =>
  eventually(`${server} has its URL`, STEP_MS_MAX, async () => {
    const { attributes } = await resourceOf(rig, stack, server);
    return attributes.os_collect_config?.request.metadata_url ?? null;
  });

const ConfigAnswer = z.object({ software_config: z.object({ config: z.string() }) });

const configOf = async (rig: Rig, stack: StackRef, resource: string): Promise<string> => {
  const id = await eventually(`${resource} is there`, STEP_MS_MAX, async () => {
    const { physical_resource_id } = await resourceOf(rig, stack, resource);
    return physical_resource_id === "" ? null : physical_resource_id;
  });
  const path = `/software_configs/${id}`;
  return (await rig.client.request("GET", path, ConfigAnswer)).software_config.config;
};

const send = async (
  { rig, checkout }: Place,
  row: Played,
  words: readonly string[],
  parameters: Played["parameters"],
): Promise<void> => {
  const at = (file: string) => join(checkout, file);
  const environments = (row.environments ?? []).flatMap((file) => ["-e", at(file)]);
  const values = Object.entries(parameters).flatMap(([name, value]) => [
    "--parameter",
    `${name}=${value}`,
  ]);
  const template = ["-t", at(row.root ?? row.file), ...environments, ...values];
  const { exitCode, printed } = await hearth(rig, "stack", ...words, "--no-wait", ...template);
  if (exitCode !== 0) throw new Error(`hearth stack ${words.join(" ")}: ${printed}`);
};

const missingCommand = async (
  machine: Machine,
  needs: readonly string[],
): Promise<string | null> => {
  for (const command of needs) {
    if ((await machine.run(`command -v ${command} || true`)) === "") return command;
  }
  return null;
};

const expectOutputs = async (
  { rig }: Place,
  stack: StackRef,
  wanted: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const given = await outputs(rig, stack);
  for (const [name, pattern] of Object.entries(wanted)) {
    const value = String(given[name]).trim();
    if (!new RegExp(pattern).test(value)) throw new Error(`output ${name} is "${value}"`);
  }
};

const expectFiles = async (
  machines: readonly Machine[],
  wanted: Readonly<Record<string, string>> = {},
): Promise<void> => {
  for (const [path, pattern] of Object.entries(wanted)) {
    await eventually(`${path} has ${pattern}`, STEP_MS_MAX, async () => {
      const texts = await Promise.all(machines.map(({ read }) => read(path)));
      return texts.some((text) => new RegExp(pattern).test(text.trim())) ? true : null;
    });
  }
};

const DEPLOYED = "ls /var/lib/heat-config/deployed 2>/dev/null | grep -vc 'notify.json$' || true";

const expectHooks = async (machines: readonly Machine[], least: number): Promise<void> => {
  await eventually(`the agents have run ${least} hooks`, STEP_MS_MAX, async () => {
    const counts = await Promise.all(machines.map(({ run }) => run(DEPLOYED)));
    return counts.reduce((sum, count) => sum + Number(count), 0) >= least ? true : null;
  });
};

const changeAndPause = async (
  place: Place,
  row: Played,
  stack: StackRef,
  machines: readonly Machine[],
): Promise<void> => {
  const { rig } = place;
  if (row.change !== undefined) {
    const inventory = ["--inventory", inventoryFile(rig, stack.stack_name)];
    const parameters = { ...row.parameters, ...row.change };
    await send(place, row, ["update", stack.stack_name, ...inventory], parameters);
    await ends(rig, stack, "UPDATE_COMPLETE", STEP_MS_MAX);
    await expectOutputs(place, stack, row.outputsAfterChange);
    await expectFiles(machines, row.filesAfterChange);
  }
  if (row.isSuspended === undefined) return;
  await act(rig, stack, "suspend");
  await ends(rig, stack, "SUSPEND_COMPLETE", STEP_MS_MAX);
  await act(rig, stack, "resume");
  await ends(rig, stack, "RESUME_COMPLETE", STEP_MS_MAX);
  await expectOutputs(place, stack, row.outputsAfterResume);
};

const inventoryFile = (rig: Rig, stack: string): string => join(rig.folder, `${stack}.json`);

const live = async (
  place: Place,
  row: Played,
  stackName: string,
  machines: ReadonlyMap<string, Machine>,
): Promise<void> => {
  const { rig } = place;
  const inventory = ["--inventory", inventoryFile(rig, stackName)];
  await send(place, row, ["create", stackName, ...inventory], row.parameters);
  const stack = await rig.client.findStack(stackName);
  for (const [server, machine] of machines) {
    const url = await metadataUrlOf(rig, stack, server);
    if (row.userData !== undefined) await machine.boot(await configOf(rig, stack, row.userData));
    await machine.startAgents(url);
  }
  const all = [...machines.values()];
  await ends(rig, stack, "CREATE_COMPLETE", STEP_MS_MAX);
  await expectOutputs(place, stack, row.outputs);
  await expectFiles(all, row.files);
  await expectHooks(all, row.hooks);
  await changeAndPause(place, row, stack, all);
  await remove(rig, stack, STEP_MS_MAX);
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
};

const keepLogs = async (rig: Rig, machines: Iterable<Machine>): Promise<void> => {
  for (const machine of machines) {
    const log = await machine.log().catch(String);
    writeFileSync(join(rig.folder, `${machine.name}.log`), log);
  }
};

/**
 * @returns null if the stack went all the way, or the name of a missing tool. Throws if it fails.
 */
export const playTemplate = async (
  place: Place,
  row: Played,
  stackName: string,
): Promise<string | null> => {
  const names = new Map(
    Object.keys(row.servers).map((server) => [
      server,
      `${stackName}-${server.replaceAll("_", "-")}`,
    ]),
  );
  mkdirSync(place.rig.folder, { recursive: true });
  writeFileSync(inventoryFile(place.rig, stackName), JSON.stringify(inventoryOf(names)));
  const machines = new Map(
    [...names].map(([server, name]) => [server, startMachine(name, place.image)]),
  );
  try {
    const port = await freePort();
    for (const [server, machine] of machines) {
      const missing = await missingCommand(machine, row.needs ?? []);
      if (missing !== null) return missing;
      await machine.run(`PORT=${port}; MACHINES='${[...names.values()].join(" ")}'
${row.servers[server]}`);
    }
    await live(place, row, stackName, machines);
    return null;
  } finally {
    await keepLogs(place.rig, machines.values());
    for (const machine of machines.values()) await machine.stop();
  }
};
