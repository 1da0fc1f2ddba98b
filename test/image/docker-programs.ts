import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../debian/packages.ts";

/** Debian has the daemon in one folder and the client in another. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"] as const;

export interface DockerPrograms {
  readonly daemon: string;
  readonly client: string;
}

const programOf = (name: string): string | null =>
  FOLDERS.map((folder) => join(folder, name)).find(existsSync) ?? null;

const findPrograms = (): DockerPrograms | null => {
  const [daemon, client] = [programOf("dockerd"), programOf("docker")];
  return daemon === null || client === null ? null : { daemon, client };
};

const installPrograms = async (): Promise<DockerPrograms | null> => {
  if (programOf("dockerd") === null) await installPackages("docker.io", "iproute2");
  // Newer Debian has the client in a package of its own.
  if (programOf("docker") === null) await installPackages("docker-cli");
  return findPrograms();
};

/** Tries the namespaces that a daemon needs. */
const PROBE = "mount -t tmpfs probe /mnt";
export const ISOLATION = [
  "--mount",
  "--net",
  "--pid",
  "--fork",
  "--mount-proc",
  "--kill-child",
  "--propagation=private",
] as const;

const whyNoNamespaces = (): string | null => {
  const { status, stderr } = spawnSync("unshare", [...ISOLATION, "sh", "-c", PROBE], {
    encoding: "utf8",
  });
  return status === 0 ? null : `no namespaces can be made: ${stderr?.trim() ?? "no unshare"}`;
};

const CGROUPS = "/sys/fs/cgroup";

/** Version 1 has a hierarchy for each controller, and Docker does not start without this one. */
const cgroupRoot = (): string =>
  existsSync(join(CGROUPS, "cgroup.controllers")) ? CGROUPS : join(CGROUPS, "devices");

const canMakeCgroups = (): boolean => {
  const probe = join(cgroupRoot(), `hearth-probe-${process.pid}`);
  try {
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
};

export const findDocker = async (): Promise<DockerPrograms | string> => {
  if (process.getuid?.() !== 0) return "Docker needs root";
  const why = whyNoNamespaces();
  if (why !== null) return why;
  if (!canMakeCgroups()) return `no control group can be made below ${cgroupRoot()}`;
  const programs = findPrograms() ?? (await installPrograms());
  return programs ?? "Debian's packages of Docker are not to be had";
};
