/**
 * The boot files of a server. A container has no firmware, no config drive and usually no init, so
 * a shell script boots it.
 */
import type { BootData } from "../../boot-data.ts";
import type { PackedFile } from "../engine/tar.ts";

export const HEARTH_FOLDER = "/var/lib/hearth";

const BOOT = `${HEARTH_FOLDER}/boot`;
export const META_DATA_FILE = `${HEARTH_FOLDER}/meta-data`;
export const USER_DATA_FILE = `${HEARTH_FOLDER}/user-data`;

export interface Boot extends BootData {
  readonly id: string;
  readonly hostname: string;
  readonly publicKey: string | null;
  readonly agent: string | null;
}

export const isScript = (userData: string): boolean => userData.startsWith("#!");

/**
 * Runs at each start of the container, but runs user data only once. The loop at the end reaps
 * orphaned processes, as an init does.
 */
const BOOT_SCRIPT = `#!/bin/sh
home=${HEARTH_FOLDER}
PATH="\${PATH:-/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}"
export PATH
trap 'trap "" TERM; kill -TERM -1 2>/dev/null; exit 0' TERM INT
ssh=/root; ssh="$ssh/.ssh"
mkdir -p /var/log
if [ -f "$home/authorized_key" ]; then
  mkdir -p "$ssh" && chmod 700 "$ssh"
  key=$(cat "$home/authorized_key")
  grep -qxF "$key" "$ssh/authorized_keys" 2>/dev/null || echo "$key" >> "$ssh/authorized_keys"
  chmod 600 "$ssh/authorized_keys"
fi
if [ -f "$home/cfn-init-data" ]; then
  mkdir -p /var/lib/heat-cfntools
  cp "$home/cfn-init-data" /var/lib/heat-cfntools/cfn-init-data
  chmod 600 /var/lib/heat-cfntools/cfn-init-data
fi
user_data() {
  [ -f "$home/user-data" ] && [ ! -f "$home/user-data-ran" ] || return 0
  : > "$home/user-data-ran"
  case "$(head -c 2 "$home/user-data")" in
  '#!') chmod 700 "$home/user-data"; "$home/user-data" ;;
  *) seed=/var/lib/cloud/seed/nocloud
    mkdir -p "$seed" /etc/cloud/cloud.cfg.d
    cp "$home/user-data" "$seed/user-data"
    cp "$home/meta-data" "$seed/meta-data"
    echo 'datasource_list: [ NoCloud ]' > /etc/cloud/cloud.cfg.d/99-hearth.cfg
    cloud-init init --local; cloud-init init
    cloud-init modules --mode=config; cloud-init modules --mode=final ;;
  esac
  echo "user data ended with $?"
}
agent() {
  [ -f "$home/metadata-url" ] || return 0
  if command -v os-collect-config >/dev/null; then
    umask 077
    printf '[DEFAULT]\\ncommand = os-refresh-config\\ncollectors = request\\n\\n[request]\\nmetadata_url = %s\\n' \\
      "$(cat "$home/metadata-url")" > /etc/os-collect-config.conf
    set -- os-collect-config
  else
    mkdir -p "$home/agent" "$home/hooks"
    set -- node "$home/agent.mjs" --metadata-url-file "$home/metadata-url" --root "$home/agent" \\
      --hooks "$home/hooks" --interval-ms 1000 --interval-ms-max 30000
  fi
  while :; do "$@"; sleep 2; done
}
ssh_server() {
  [ -f "$home/authorized_key" ] && command -v sshd >/dev/null || return 0
  mkdir -p /run/sshd
  ssh-keygen -A
  "$(command -v sshd)" -D -e
}
ssh_server > /var/log/hearth-sshd.log 2>&1 &
user_data > /var/log/hearth-user-data.log 2>&1 &
agent > /var/log/hearth-agent.log 2>&1 &
while :; do sleep 3600 & wait $!; done
`;

export const BOOT_COMMAND: readonly string[] = ["/bin/sh", BOOT];

const metaData = ({ id, hostname, publicKey }: Boot): string =>
  JSON.stringify({
    "instance-id": id,
    "local-hostname": hostname,
    ...(publicKey === null ? {} : { "public-keys": [publicKey] }),
  });

/** User data and the URL may be secrets, so only root of the container may read them. */
const PRIVATE = 0o600;

const file = (path: string, text: string): PackedFile => ({ path, text, mode: PRIVATE });

const optional = (path: string, text: string | null): readonly PackedFile[] =>
  text === null || text === "" ? [] : [file(path, text)];

export const bootFiles = (boot: Boot): readonly PackedFile[] => [
  file(BOOT, BOOT_SCRIPT),
  file(META_DATA_FILE, metaData(boot)),
  ...optional(USER_DATA_FILE, boot.userData),
  ...optional(`${HEARTH_FOLDER}/authorized_key`, boot.publicKey && `${boot.publicKey.trim()}\n`),
  ...optional(`${HEARTH_FOLDER}/cfn-init-data`, boot.cfnInitData),
  ...optional(`${HEARTH_FOLDER}/metadata-url`, boot.metadataUrl),
  ...optional(`${HEARTH_FOLDER}/agent.mjs`, boot.agent),
];
