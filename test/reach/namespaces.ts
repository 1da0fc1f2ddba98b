import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { installPackages } from "../debian/packages.ts";

/** No other address can be the same, because the network has no other machines. */
export const HOST_ADDRESS = "10.231.0.1";
export const MACHINE_ADDRESS = "10.231.0.2";

export interface Namespaces {
  readonly host: string;
  readonly machine: string;
}

const ip = (...words: readonly string[]): void => {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
};

export const inside = (namespace: string): readonly string[] => [
  "nsenter",
  `--net=${FOLDER}/${namespace}`,
];

const PACKAGES = { ip: "iproute2", openssl: "openssl", curl: "curl" } as const;
const COMMANDS = [...Object.keys(PACKAGES), "nsenter", "unshare", "setpriv"];

const NAME = /^hearth-(?:host|machine|probe)-(\d+)$/;
const FOLDER = "/var/run/netns";

/** As machine.ts uses them, in namespaces that end at once. */
const PROBE = `set -e
mount -t tmpfs probe /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay probe -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
ip link add probe0 type veth peer name probe1
`;

export const whyNoNamespaces = async (): Promise<string | null> => {
  if (process.getuid?.() !== 0) return "network namespaces need root";
  const missing = Object.entries(PACKAGES).filter(([command]) => !has(command));
  if (missing.length > 0) await installPackages(...missing.map(([, name]) => name));
  for (const command of COMMANDS) if (!has(command)) return `there is no ${command} command`;
  const isolation = ["--mount", "--pid", "--net", "--fork"];
  const probed = said("unshare", ...isolation, "sh", "-c", PROBE);
  if (probed !== null) return `no namespace with a layer and a cable can be made: ${probed}`;
  const { probe } = namesOf(process.pid);
  const added = said("ip", "netns", "add", probe);
  if (added !== null) return `no network namespace can be made: ${added}`;
  ip("netns", "delete", probe);
  return null;
};

const said = (program: string, ...words: readonly string[]): string | null => {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  return status === 0 ? null : stderr.trim();
};

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

export const namesOf = (pid: number) => ({
  host: `hearth-host-${pid}`,
  machine: `hearth-machine-${pid}`,
  probe: `hearth-probe-${pid}`,
});

/** A killed run could not remove its namespaces. */
export const removeLeftovers = (): void => {
  for (const name of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) ip("netns", "delete", name);
  }
};

export const makeNamespaces = (names: Namespaces): void => {
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
};

export const removeNamespaces = ({ host, machine }: Namespaces): void => {
  for (const name of [host, machine]) spawnSync("ip", ["netns", "delete", name]);
};
