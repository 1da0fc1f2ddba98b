import { deepEqual, equal, match } from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { collectFiles } from "../../../apps/cli/template/files.ts";
import { act, create, ends, outputs, remove, type StackRef, update } from "../../aws/lane.ts";
import { certificates } from "../certificates.ts";
import { type OwnServer, openOwnServer } from "../own-agent.ts";
import { openServer, type Rig, STORY_MS_MAX, type Story, until } from "../rig.ts";

const run = promisify(execFile);

const example = (path: string, parameters: object = {}): object => ({
  ...collectFiles(fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url)), []),
  parameters,
});

const createExample = (rig: Rig, name: string, path: string): Promise<StackRef> =>
  create(rig, name, {}, example(path));

const outputOf = async (rig: Rig, stack: StackRef, key: string): Promise<string> =>
  String((await outputs(rig, stack))[key]);

const waitCondition: Story = {
  name: "the example of a wait condition completes when the printed command has run twice",
  play: async (rig) => {
    const stack = await createExample(rig, "ready", "wait-condition/wait-condition.yaml");
    await until("the command is there", async () =>
      (await outputOf(rig, stack, "curl")).startsWith("curl "),
    );
    const curl = await outputOf(rig, stack, "curl");
    const say = (signal: object) =>
      run("sh", ["-c", `${curl} -sS --data-binary '${JSON.stringify(signal)}'`], {
        env: { ...process.env, ...certificates() },
      });
    await say({ status: "SUCCESS", id: "db", data: "10.0.0.7" });
    await say({ status: "SUCCESS", id: "web", reason: "up in 12 s" });
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    deepEqual(JSON.parse(await outputOf(rig, stack, "said")), { db: "10.0.0.7", web: null });
    await remove(rig, stack);
  },
};

const ownServer: Story = {
  name: "the example of your own machine is created, updated, suspended, resumed and removed",
  play: async (rig) => {
    const path = "own-server/server.yaml";
    const stack = await createExample(rig, "greeter", path);
    await until("the server is there", async () => await isListed(rig, stack, "machine"));
    const server = await openOwnServer(rig, "greeter", []);
    server.start();
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    match(await outputOf(rig, stack, "page"), /^Hello, \["Ada", ?"Grace"\]\n$/);
    await update(rig, stack, {}, example(path, { greeting: "Welcome" }));
    await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
    match(await outputOf(rig, stack, "page"), /^Welcome, /);
    const greeter = join(server.folder, "greeter");
    await act(rig, stack, "suspend");
    await ends(rig, stack, "SUSPEND_COMPLETE", STORY_MS_MAX);
    equal(readFileSync(join(greeter, "state"), "utf8"), "closed\n");
    await act(rig, stack, "resume");
    await ends(rig, stack, "RESUME_COMPLETE", STORY_MS_MAX);
    await remove(rig, stack, STORY_MS_MAX);
    equal(existsSync(greeter), false);
    await server.kill();
  },
};

const isListed = async ({ client }: Rig, stack: StackRef, name: string): Promise<boolean> =>
  (await client.resources(stack)).some(
    ({ resource_name, resource_status }) =>
      resource_name === name && resource_status === "CREATE_COMPLETE",
  );

const AgentOutput = /"?metadata_url"?\s*[:=]\s*"?(https?:[^"\s]+)/;

const stockAgents: Story = {
  name: "the example of an image with the stock agents polls with the URL that bootstrap writes",
  play: async (rig) => {
    const stack = await createExample(rig, "app", "stock-agents/app.yaml");
    await until("the server is there", async () => await isListed(rig, stack, "app_server"));
    const wired = await openOwnServer(rig, "app", [], "stock");
    const written = readFileSync(join(wired.root, "etc/os-collect-config.conf"), "utf8");
    const server = openServer(rig, "app", { statusAware: true });
    server.start(AgentOutput.exec(written)?.[1] ?? "");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    match(await outputOf(rig, stack, "address"), /^http:\/\/.+:8080$/);
    await remove(rig, stack);
    await server.kill();
  },
};

const serviceLog = (servers: readonly OwnServer[], release: string): readonly string[] =>
  servers
    .flatMap(({ folder }) => readFileSync(join(folder, "service.log"), "utf8").trim().split("\n"))
    .filter((line) => line.endsWith(` ${release}`))
    .sort()
    .map((line) => line.split(" ").slice(1, 3).join(" "));

const rollingGroup: Story = {
  name: "the example of a rolling group updates one server at a time, and a broken release stops at the first",
  play: async (rig) => {
    const path = "rolling-group/rolling-group.yaml";
    const stack = await createExample(rig, "rolling", path);
    const servers: OwnServer[] = [];
    for (const name of ["one", "two", "three"]) {
      await until(`server ${name} is there`, async () => await isListed(rig, stack, name));
      const server = await openOwnServer(rig, "rolling", [], "hearth", name);
      server.start();
      servers.push(server);
    }
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const serving = async () => (await outputs(rig, stack))["serving"];
    const release = async (name: string, status: string) => {
      await update(rig, stack, {}, example(path, { release: name }));
      await ends(rig, stack, status, STORY_MS_MAX);
    };
    const oneByOne = ["three out", "three back", "two out", "two back", "one out", "one back"];
    await release("2.0", "UPDATE_COMPLETE");
    deepEqual(serviceLog(servers, "2.0"), oneByOne);
    deepEqual(await serving(), { one: "2.0", two: "2.0", three: "2.0" });
    await release("broken", "UPDATE_FAILED");
    deepEqual(serviceLog(servers, "broken"), ["three out"]);
    await release("2.1", "UPDATE_COMPLETE");
    deepEqual(serviceLog(servers, "2.1"), oneByOne);
    await remove(rig, stack, STORY_MS_MAX);
    for (const server of servers) await server.kill();
  },
};

export const exampleStories: readonly Story[] = [
  waitCondition,
  ownServer,
  rollingGroup,
  stockAgents,
];
