/**
 * A machine of the inventory: this system's files, the lane's software over them, and a layer of
 * its own on top, with its own processes and its own name. The stock agents run as root and write
 * under `/`, as on a real machine, and nothing of it is left.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRootShell, PATH, type RootShell } from "../reach/root-shell.ts";
import { VENV } from "./image.ts";

/** The machine gets only this system's harmless devices, and nothing of its `/tmp`. */
const START = String.raw`set -e
mount -t tmpfs machine /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay machine -o "lowerdir=$IMAGE:/,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/root
for place in dev tmp run; do mount -t tmpfs "$place" "/mnt/root/$place"; done
chmod 1777 /mnt/root/tmp
for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
  set -- $device
  mknod -m 666 "/mnt/root/dev/$1" c 1 "$2"
done
ln -s /proc/self/fd /mnt/root/dev/fd
mkdir -m 1777 /mnt/root/dev/shm
mount -t proc proc /mnt/root/proc
hostname "$NAME"
printf '127.0.0.1 localhost %s\n' "$NAME" > /mnt/root/etc/hosts
exec chroot /mnt/root sh
`;

const CLOUD_CONFIG = `datasource_list: [NoCloud]
network: {config: disabled}
cloud_init_modules: [write-files]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-user]
system_info: {distro: debian}
`;

/** Otherwise each run of Puppet asks for the metadata of a cloud, and waits. */
const FACTER_CONFIG = `facts : { blocklist : [ "EC2", "GCE", "az_metadata" ] }
`;

const GROUPS = [
  "ansible",
  "apply-config",
  "cfn-init",
  "hiera",
  "json-file",
  "puppet",
  "script",
] as const;

const PROGRAMS = ["os-collect-config", "os-apply-config", "os-refresh-config"] as const;

export interface Elements {
  readonly hooks: string;
  readonly refreshCompleted: string;
}

const program = (from: string, to: string): void => {
  cpSync(from, to);
  chmodSync(to, 0o755);
};

export const furnish = (image: string, { hooks, refreshCompleted }: Elements): void => {
  const at = (...path: readonly string[]) => join(image, ...path);
  const heatConfig = join(hooks, "heat-config");
  const scripts = at("usr/libexec/os-refresh-config");
  for (const path of ["usr/bin", "var/lib/heat-config/hooks", "etc/cloud", "etc/facter"]) {
    mkdirSync(at(path), { recursive: true });
  }
  cpSync(join(heatConfig, "os-apply-config"), at("usr/libexec/os-apply-config/templates"), {
    recursive: true,
  });
  for (const phase of ["pre-configure.d", "configure.d", "post-configure.d", "migration.d"]) {
    mkdirSync(join(scripts, phase), { recursive: true });
  }
  const configure = join(heatConfig, "os-refresh-config/configure.d");
  for (const step of readdirSync(configure)) {
    program(join(configure, step), join(scripts, "configure.d", step));
  }
  program(refreshCompleted, join(scripts, "post-configure.d/99-refresh-completed"));
  program(join(heatConfig, "bin/heat-config-notify"), at("usr/bin/heat-config-notify"));
  for (const group of GROUPS) {
    const hook = join(hooks, `heat-config-${group}/install.d/hook-${group}.py`);
    program(hook, at("var/lib/heat-config/hooks", group));
  }
  for (const name of PROGRAMS) symlinkSync(`${VENV}/bin/${name}`, at("usr/bin", name));
  writeFileSync(at("etc/cloud/cloud.cfg"), CLOUD_CONFIG);
  writeFileSync(at("etc/facter/facter.conf"), FACTER_CONFIG);
};

const NAMESPACES = ["--mount", "--pid", "--uts"] as const;
/** Stock agents poll every 30 s. A faster pace changes nothing else. */
const PACE = "--polling-interval 1 --min-polling-interval 1";
const AGENT_LOG = "/var/log/os-collect-config.log";

export interface Machine extends RootShell {
  readonly name: string;
  boot(userData: string): Promise<void>;
  startAgents(metadataUrl: string): Promise<void>;
  read(path: string): Promise<string>;
  log(): Promise<string>;
}

const withInput = (command: string, text: string): string =>
  `${command} <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`;

const SEED = "/var/lib/cloud/seed/nocloud";

export const startMachine = (name: string, image: string): Machine => {
  const shell = openRootShell(NAMESPACES, START, {
    PATH: `${VENV}/bin:${PATH}`,
    NAME: name,
    IMAGE: image,
    HOME: "/root",
    // In C.UTF-8, the locale of most images, the stock agents and their hooks write UTF-8.
    LC_ALL: "C.UTF-8",
    NO_PROXY: "127.0.0.1,localhost",
  });
  const { run } = shell;
  const read = (path: string): Promise<string> => run(`cat ${path} 2>/dev/null || true`);
  return {
    ...shell,
    name,
    boot: async (userData) => {
      await run(`rm -rf /var/lib/cloud /etc/cloud/cloud.cfg.d && mkdir -p ${SEED}`);
      await run(withInput(`cat > ${SEED}/user-data`, userData));
      await run(`echo 'instance-id: ${name}' > ${SEED}/meta-data`);
      await run("cloud-init init");
      for (const mode of ["config", "final"]) await run(`cloud-init modules --mode=${mode}`);
    },
    startAgents: async (metadataUrl) => {
      const lines = ["[DEFAULT]", "command = os-refresh-config", "collectors = request"];
      const conf = [...lines, "[request]", `metadata_url = ${metadataUrl}`].join("\n");
      await run(withInput("cat > /etc/os-collect-config.conf", conf));
      await run(`os-collect-config ${PACE} > ${AGENT_LOG} 2>&1 &`);
    },
    read,
    log: () => read(AGENT_LOG),
  };
};
