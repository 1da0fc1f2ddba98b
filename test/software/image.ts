/**
 * The archive of what the lane's machines have besides this system's own files: the stock agents
 * and the tools of their hooks, from Debian's packages and the Python package index. They are
 * installed into a layer of their own, so this system does not change.
 */
import { createHash } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { AGENT_PACKAGES } from "../agents/stock-agents.ts";
import { run } from "../package/run.ts";

export const VENV = "/opt/agents";

export const PYTHON_PACKAGES = { ...AGENT_PACKAGES, "heat-cfntools": "2.0.0" } as const;
const PYTHON_TOOLS = ["ansible-core==2.19.14"] as const;
const DEBIAN_TOOLS = ["puppet", "cloud-init", "openssh-server", "jq", "curl"] as const;

const BUILD_MS_MAX = 600_000;

/** If a tool cannot be installed, the templates that need it are skipped. */
const BUILD = String.raw`set -e
mount -t tmpfs image /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay image -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
for place in dev tmp run; do mount -t tmpfs "$place" "/mnt/root/$place"; done
for device in "null 3" "zero 5" "full 7" "random 8" "urandom 9"; do
  set -- $device
  mknod -m 666 "/mnt/root/dev/$1" c 1 "$2"
done
ln -s /proc/self/fd /mnt/root/dev/fd
mount -t proc proc /mnt/root/proc
# Services of the packages must not start.
printf '#!/bin/sh\nexit 101\n' > /mnt/root/usr/sbin/policy-rc.d
chmod 755 /mnt/root/usr/sbin/policy-rc.d
cat > /mnt/root/tmp/install <<'END'
set -e
python3 -m venv $VENV
for package in $PYTHON; do $VENV/bin/pip install --quiet "$package"; done
apt-get update -qq
for package in $DEBIAN; do
  apt-get install -qq -y --no-install-recommends --no-remove "$package" || echo "no $package"
done
for package in $TOOLS; do $VENV/bin/pip install --quiet "$package" || echo "no $package"; done
apt-get clean
END
DEBIAN_FRONTEND=noninteractive chroot /mnt/root sh /tmp/install
umount /mnt/root/proc /mnt/root/dev /mnt/root/tmp /mnt/root/run
tar --xattrs --xattrs-include='*' -C /mnt/upper -cf "$ARCHIVE" .
`;

const NAMESPACES = ["--mount", "--pid", "--fork", "--kill-child"] as const;

export const makeImage = async (data: string): Promise<string> => {
  const PYTHON = Object.entries(PYTHON_PACKAGES)
    .map(([name, version]) => `${name}==${version}`)
    .join(" ");
  const variables = { VENV, PYTHON, DEBIAN: DEBIAN_TOOLS.join(" "), TOOLS: PYTHON_TOOLS.join(" ") };
  const content = JSON.stringify([BUILD, variables]);
  const key = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const archive = join(data, `software-image-${key}.tar`);
  if (existsSync(archive)) return archive;
  const unfinished = `${archive}.${process.pid}`;
  const environment = { ...process.env, ...variables, ARCHIVE: unfinished };
  const options = { cwd: data, environment, msMax: BUILD_MS_MAX };
  const { code, stdout, stderr } = await run(
    "unshare",
    [...NAMESPACES, "sh", "-c", BUILD],
    options,
  );
  if (code !== 0)
    throw new Error(`the machines' software could not be installed: ${stdout}${stderr}`);
  renameSync(unfinished, archive);
  return archive;
};
