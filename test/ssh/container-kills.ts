/**
 * Creates and deletes a container while something dies: the host, the agent, all its programs, or
 * the machine. A failed operation is repeated. Then exactly one container must exist, and none at
 * the end.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Result } from "../contract/spoilt-operations.ts";
import type { ServeProcess } from "../integration/host/serve-process.ts";
import { containersOf } from "./container-play.ts";
import { type Story, shell, start, statusAtEnd } from "./kills.ts";
import { whatIsLeft } from "./provider-play.ts";

export const FAULTS = ["machine", "host", "agent", "programs"] as const;
type Fault = (typeof FAULTS)[number];
/**
 * Counted from the start of the agent's script. A creation takes about two seconds, a delete one.
 */
export const DELAYS_MS = [300, 0, 100, 600, 1_200] as const;
const LOOKS_MAX = 600;
const LOOK_MS = 20;
const TRIES_MAX = 3;
const WANTED = "box running\nvolume box";

interface Place extends Story {
  host: ServeProcess;
}

const MAKE = "-t box.yaml -e machine.yaml box";

const untilScriptRuns = async ({ machine }: Story): Promise<boolean> => {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (machine.run("ls /var/lib/hearth-agent/running 2>/dev/null") !== "") return true;
    await pause(LOOK_MS);
  }
  return false;
};

const strike = async (place: Place, fault: Fault): Promise<void> => {
  switch (fault) {
    case "host":
      await place.host.stop("SIGKILL");
      place.host = await start(place);
      return;
    case "machine":
      return place.machine.reboot();
    case "agent":
    case "programs": {
      const whom = fault === "agent" ? "main" : "all";
      place.machine.run(`systemctl kill --kill-whom ${whom} --signal KILL hearth-agent`);
    }
  }
};

const strikeDuring = async (
  place: Place,
  command: string,
  { fault, delayMs }: { readonly fault: Fault; readonly delayMs: number },
): Promise<readonly string[]> => {
  await shell(place, `${command} --no-wait`);
  if (!(await untilScriptRuns(place))) return [`${command}: no script was seen`];
  await pause(delayMs);
  await strike(place, fault);
  return [];
};

const untilThere = async (place: Place): Promise<readonly string[]> => {
  let told = "";
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    told = await statusAtEnd(place.host);
    const checked = await shell(place, "hearth stack check box");
    if (told.includes("COMPLETE") && checked.code === 0) break;
    told = `${told} ${checked.printed}`;
    await shell(place, `hearth stack update ${MAKE}`);
  }
  const seen = containersOf(place.machine);
  const greeting = place.machine.run("podman exec box cat /data/greeting");
  return seen === WANTED && greeting === "Welcome" ? [] : [`${told}: ${seen} ${greeting}`];
};

const untilGone = async (place: Place): Promise<readonly string[]> => {
  let status = "";
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    status = await statusAtEnd(place.host);
    if (status === "") return [];
    await shell(place, "hearth stack delete --yes box");
  }
  return [`the stack is still there: ${status}`];
};

const playOne = async (story: Story, fault: Fault, delayMs: number): Promise<Result> => {
  const { machine, folder } = story;
  const before = machine.files();
  const place: Place = { ...story, host: await start(story) };
  const hit = { fault, delayMs };
  const wrong = [
    ...(await strikeDuring(place, `hearth stack create ${MAKE}`, hit)),
    ...(await untilThere(place)),
    ...(await strikeDuring(place, "hearth stack delete --yes box", hit)),
    ...(await untilGone(place)),
  ];
  await place.host.stop("SIGTERM");
  rmSync(join(folder, "data"), { recursive: true, force: true });
  const left = containersOf(machine);
  return {
    name: `a container, and ${fault} struck after ${delayMs} ms of a creation and of a delete`,
    wrong: [...wrong, ...(left === "" ? [] : [`left: ${left}`]), ...whatIsLeft(machine, before)],
  };
};

export const playContainerKills = async (
  story: Story,
  faults: readonly Fault[],
  delaysMs: readonly number[],
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const fault of faults) {
    for (const delayMs of delaysMs) results.push(await playOne(story, fault, delayMs));
  }
  return results;
};
