/**
 * Two network namespaces with a cable between them: one for the host, one for the machine. Nothing
 * else is in this network, and it ends with the run.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** In a network of its own, so no other address can be the same. */
export const HOST_ADDRESS = "10.231.0.1";
export const MACHINE_ADDRESS = "10.231.0.2";

export interface Namespaces {
  readonly host: string;
  readonly machine: string;
}

const ip = (...words: readonly string[]): void => {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
};

/** The words before a command that runs in a namespace. */
export const inside = (namespace: string): readonly string[] => [
  "nsenter",
  `--net=/var/run/netns/${namespace}`,
];

/** Null if this machine can make namespaces; otherwise why not. */
export const whyNoNamespaces = async (): Promise<string | null> => {
  if (process.getuid?.() !== 0) return "network namespaces need root";
  if (!has("ip")) {
    // By name from the distribution's packages, as a clean system has no iproute2.
    await run("apt-get", ["install", "-qy", "iproute2"]).catch(() => undefined);
    if (!has("ip")) return "there is no ip command (iproute2)";
  }
  for (const program of ["nsenter", "unshare", "openssl", "curl"]) {
    if (!has(program)) return `there is no ${program} command`;
  }
  const probe = `hearth-probe-${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", probe], { encoding: "utf8" });
  if (made.status !== 0) return `no network namespace can be made: ${made.stderr.trim()}`;
  ip("netns", "delete", probe);
  const mounts = ["--mount", "--pid", "--fork", "true"];
  return spawnSync("unshare", mounts).status === 0 ? null : "no mount namespace can be made";
};

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

export const makeNamespaces = (): Namespaces => {
  const names = { host: `hearth-host-${process.pid}`, machine: `hearth-machine-${process.pid}` };
  const cable = [`hh${process.pid}`, `hm${process.pid}`] as const;
  for (const name of [names.host, names.machine]) ip("netns", "add", name);
  ip("link", "add", cable[0], "type", "veth", "peer", "name", cable[1]);
  const ends = [
    [names.host, cable[0], HOST_ADDRESS],
    [names.machine, cable[1], MACHINE_ADDRESS],
  ] as const;
  for (const [name, device, address] of ends) {
    ip("link", "set", device, "netns", name);
    ip("-n", name, "address", "add", `${address}/24`, "dev", device);
    for (const one of ["lo", device]) ip("-n", name, "link", "set", one, "up");
  }
  return names;
};

/** The devices in them go too. */
export const removeNamespaces = ({ host, machine }: Namespaces): void => {
  for (const name of [host, machine]) spawnSync("ip", ["netns", "delete", name]);
};
