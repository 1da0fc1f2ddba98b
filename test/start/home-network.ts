import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** No other lane may use these addresses, because this cable ends in this machine's network. */
export const USER_ADDRESS = "10.232.0.1";
export const MACHINE_ADDRESS = "10.232.0.2";
const FOLDER = "/var/run/netns";

export interface Home {
  readonly namespace: string;
  readonly hostsFile: string;
  remove(): void;
}

const ip = (...words: readonly string[]): void => {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
};

export const makeHome = (folder: string): Home => {
  const namespace = `hearth-home-${process.pid}`;
  const [here, there] = [`hs${process.pid}`, `hu${process.pid}`];
  const remove = (): void => {
    spawnSync("ip", ["link", "delete", here]);
    spawnSync("ip", ["netns", "delete", namespace]);
  };
  process.on("exit", remove);
  ip("netns", "add", namespace);
  ip("link", "add", here, "type", "veth", "peer", "name", there);
  ip("link", "set", there, "netns", namespace);
  ip("address", "add", `${MACHINE_ADDRESS}/24`, "dev", here);
  ip("link", "set", here, "up");
  ip("-n", namespace, "address", "add", `${USER_ADDRESS}/24`, "dev", there);
  for (const one of ["lo", there]) ip("-n", namespace, "link", "set", one, "up");
  const hostsFile = join(folder, "hosts");
  writeFileSync(
    hostsFile,
    `${readFileSync("/etc/hosts", "utf8")}\n${USER_ADDRESS} hearth.example\n`,
  );
  return { namespace, hostsFile, remove };
};

export const inHome = ({ namespace, hostsFile }: Home): readonly string[] => [
  "nsenter",
  `--net=${FOLDER}/${namespace}`,
  "unshare",
  "--mount",
  "--propagation=private",
  "sh",
  "-c",
  `mount --bind '${hostsFile}' /etc/hosts && exec "$@"`,
  "sh",
];
