import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import picocolors from "picocolors";
import { findEngine } from "#providers/docker/engine/address.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { containersOf } from "#providers/docker/engine/containers.ts";
import { LABELS } from "#providers/docker/objects.ts";
import type { Checks } from "./checks.ts";
import type { Options } from "./options.ts";
import type { Processes } from "./processes.ts";
import { exampleFile, type Stage, setStage, targetArguments } from "./stage.ts";
import { until } from "./until.ts";

const STACK = "two-tier-made";

const serversMade = async (): Promise<number> => {
  const engine = openEngine(findEngine({ environment: process.env, home: homedir() }));
  const found = await containersOf(engine).list({ [LABELS.kind]: "server" });
  return found.filter(({ labels }) => labels[LABELS.stackName]?.startsWith(STACK)).length;
};

const createAndDelete = async (stage: Stage): Promise<void> => {
  const { api, checks } = stage;
  const args = targetArguments(stage, "two-tier.yaml");
  const servers = ["--environment", exampleFile("docker.yaml")];
  const create = await stage.stackCommand("create", ["create", ...args, ...servers]);
  checks.equal("the create ends with exit code 0", create.exitCode, 0);
  await until("the stack", api.findStack);
  checks.equal("there are two servers", await serversMade(), 2);
  checks.equal("the database has answered", await api.output("db_url"), "postgresql://app@db/shop");
  checks.equal("and the web tier, which needs it", await api.output("url"), "http://web:8080/");
  const end = await stage.stackCommand("delete", ["delete", stage.stack, "--yes"]);
  checks.equal("the delete ends with exit code 0", end.exitCode, 0);
  checks.equal("no server is left", await serversMade(), 0);
};

export const makeServers = async (
  folder: string,
  processes: Processes,
  checks: Checks,
  options: Options,
): Promise<void> => {
  console.log(`\n${picocolors.bold("The second act: two servers that Hearth makes itself")}`);
  const place = join(folder, "made");
  mkdirSync(place);
  const listen = ["--agents-listen", `${options.agentsAddress}:0`, "--plain-http"];
  const hostOptions = ["--docker", ...listen];
  const stage = await setStage(place, processes, checks, { options, stack: STACK, hostOptions });
  await createAndDelete(stage);
  const stopped = (await stage.host?.kill("SIGTERM")) ?? null;
  checks.equal("the host stops when it is told to", stopped, 0);
};
