/** moto only reports instances as running, so their user data is executed in a folder here. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { EC2 } from "@aws-sdk/client-ec2";
import { readMultipart } from "#lib/resources/mime/mime-message.ts";
import { agentArguments } from "../agents/own-agent.ts";
import { pause } from "../aws/eventually.ts";

const LOOK_MS = 200;
const run = promisify(execFile);

export const scriptIn = (userData: Buffer): string => {
  const isPacked = userData[0] === 0x1f && userData[1] === 0x8b;
  const text = (isPacked ? gunzipSync(userData) : userData).toString();
  if (!text.startsWith("Content-Type: multipart")) return text;
  return readMultipart(text).find(({ filename }) => filename === "hearth")?.text ?? "";
};

const boot = async (ec2: EC2, id: string, root: string): Promise<ChildProcess | null> => {
  const given = { InstanceId: id, Attribute: "userData" } as const;
  const { UserData } = await ec2.describeInstanceAttribute(given);
  const script = scriptIn(Buffer.from(UserData?.Value ?? "", "base64"));
  if (!script.includes("beacon begun")) return null;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const environment = { ...process.env, DESTDIR: root, BOOTS: "yes" };
  await run("sh", ["-c", script], { env: environment });
  const folder = join(root, "var/lib/hearth-agent");
  const log = openSync(join(root, "agent.log"), "a");
  return spawn(process.execPath, agentArguments(root, folder), {
    stdio: ["ignore", log, log],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
  });
};

export interface Machines {
  readonly booted: number;
  stop(): Promise<void>;
}

export const playMachines = (ec2: EC2, folder: string): Machines => {
  const agents = new Map<string, ChildProcess | null>();
  let isOver = false;
  let booted = 0;
  const look = async (): Promise<void> => {
    const { Reservations = [] } = await ec2.describeInstances({});
    for (const { InstanceId: id = "", State } of Reservations.flatMap(
      (one) => one.Instances ?? [],
    )) {
      if (State?.Name === "running" && !agents.has(id)) {
        booted += 1;
        agents.set(id, await boot(ec2, id, join(folder, id)));
      } else if (State?.Name !== "running") {
        agents.get(id)?.kill("SIGKILL");
        agents.delete(id);
      }
    }
  };
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await look();
      await pause(LOOK_MS);
    }
  };
  const watching = watch();
  return {
    get booted() {
      return booted;
    },
    stop: async () => {
      isOver = true;
      await watching;
      for (const agent of agents.values()) agent?.kill("SIGKILL");
    },
  };
};
