/**
 * The machines of a cloud whose servers do not run. Each server's user data is read back from Nova.
 * If it contains Hearth's part for an agent, an agent runs on this machine instead.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import type { Credential } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { readAnswer } from "#providers/openstack/cloud.ts";

const HEARTH = fileURLToPath(new URL("../../apps/cli/hearth.ts", import.meta.url));
const LOOK_MS = 500;
const ASK_MS_MAX = 30_000;

const servers = z.object({
  servers: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      "OS-EXT-SRV-ATTR:user_data": z.optional(z.nullable(z.string())),
    }),
  ),
});

const initData = z.object({
  "os-collect-config": z.object({ request: z.object({ metadata_url: z.string() }) }),
});

export const metadataUrlIn = (userData: string): string | null => {
  const part = /filename="cfn-init-data"\n\n([A-Za-z0-9+/=\n]+)/.exec(userData)?.[1];
  if (part === undefined) return null;
  const text = Buffer.from(part, "base64").toString("utf8");
  const read = z.safeParse(initData, JSON.parse(text));
  return read.success ? read.data["os-collect-config"].request.metadata_url : null;
};

export interface Machines {
  readonly booted: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** `credential` is an administrator's, because only administrators may read user data. */
export const startMachines = (credential: Credential, folder: string): Machines => {
  const cloud = openSession(credential);
  const agents = new Map<string, ChildProcess>();
  const booted = new Set<string>();
  let isStopped = false;

  const boot = (id: string, url: string): void => {
    const root = join(folder, id);
    mkdirSync(root, { recursive: true });
    const words = ["agent", "--metadata-url", url, "--root", root, "--interval-ms", "300"];
    const child = spawn(process.execPath, [HEARTH, ...words], { stdio: "ignore" });
    agents.set(id, child);
    booted.add(id);
  };
  const look = async (): Promise<void> => {
    const answer = await cloud.ask({
      service: "compute",
      method: "GET",
      path: "/servers/detail",
      query: { all_tenants: "1" },
      signal: AbortSignal.timeout(ASK_MS_MAX),
    });
    const found = readAnswer(servers, answer).servers;
    for (const { id, status, "OS-EXT-SRV-ATTR:user_data": given } of found) {
      const url = metadataUrlIn(Buffer.from(given ?? "", "base64").toString("utf8"));
      if (status === "ACTIVE" && url !== null && !agents.has(id)) boot(id, url);
    }
    for (const [id, child] of agents) {
      if (!found.some((one) => one.id === id)) child.kill("SIGKILL");
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await look().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    for (const child of agents.values()) child.kill("SIGKILL");
  };
  const running = run();
  return {
    booted,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
};
