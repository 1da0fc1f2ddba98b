/**
 * A shell script that makes a machine a server of a stack. cloud-init accepts it as user data. The
 * machine has to reach only Hearth, and the packages of its distribution if Node is missing.
 */

import { gzipSync } from "node:zlib";
import { quoted } from "#lib/texts.ts";

/** EC2's limit for user data, the smallest of the limits that matter. */
export const USER_DATA_BYTES_MAX = 16_384;

export interface Bootstrap {
  readonly stack: string;
  readonly server: string;
  /** The URL is signed: anybody who reads the script can read what is deployed to the server. */
  readonly metadataUrl: string;
  /**
   * `hearth` installs Hearth's agent with this program; `stock` configures the agents of an
   * OpenStack image, with this script as the hook of all groups.
   */
  readonly agent: { readonly hearth: string } | { readonly stock: string };
  /** If true, deployed scripts run as root and without the sandbox. */
  readonly privileged: boolean;
  /** The PEM certificates with which the machine verifies Hearth. With null it uses its own. */
  readonly authority: string | null;
}

const AUTHORITY_FILE = "/etc/hearth-ca.pem";
const BUNDLE_FILE = "/etc/hearth-ca-bundle.pem";

export const bootstrapScript = (bootstrap: Bootstrap): string => {
  const { agent } = bootstrap;
  const own =
    "hearth" in agent ? hearthAgent(agent.hearth, bootstrap) : stockAgents(agent.stock, bootstrap);
  return [beginning(bootstrap), packedPart(own), ENDING].join("\n");
};

export const bootstrapLine = (script: string): string =>
  `echo ${packed(script)} | base64 -d | gunzip | sudo sh\n`;

const packed = (text: string): string => gzipSync(text, { level: 9 }).toString("base64");

/** If the script was cut off on its way, the shell runs nothing of this packed part. */
const packedPart = (text: string): string => `packed=$(base64 -d <<'END' | gunzip
${packed(text)}
END
)
eval "$packed"`;

/** The text must not contain the line END, which ends the here-document. */
const program = (path: string, text: string): string => `cat > "$root${path}.new" <<'END'
${text.trimEnd()}
END
mv "$root${path}.new" "$root${path}"`;

/**
 * Each step polls with `boot=`; a missing step shows where the boot has stopped. An image that is
 * only laid out must not send these, unless BOOTS=yes says that its folder is the machine. The URL
 * is in no command line, which every user of the machine could read: curl and wget read it from
 * their standard input. BusyBox's wget cannot do that, so it reports no step. The script has little
 * room for comments of its own.
 */
const beginning = ({ stack, server, metadataUrl, authority }: Bootstrap): string => `#!/bin/sh
# Makes this machine the server ${plain(server)} of the stack ${plain(stack)}. DESTDIR=DIR only lays out the files there.
set -eu
umask 022
url=${quoted(metadataUrl)}
root=\${DESTDIR:-}
ca=${authority === null ? "" : `$root${AUTHORITY_FILE}`}
beacon() {
  [ -z "$root" ] || [ "\${BOOTS:-}" = yes ] || return 0
  beacon_url="$url&boot=$1"
  if command -v curl >/dev/null; then printf 'url = "%s"\\n' "$beacon_url" | curl -fsS -m 10 \${ca:+--cacert "$ca"} -o /dev/null -K - || true
  elif command -v wget >/dev/null; then echo "$beacon_url" | wget -q -T 10 -t 1 \${ca:+--ca-certificate="$ca"} -O /dev/null -i - 2>/dev/null || true
  fi
}
failed() { status=$?; [ "$status" = 0 ] || beacon failed; exit "$status"; }
trap failed EXIT
${authority === null ? "" : writeAuthority(authority)}beacon begun
private() { (umask 077; cat > "$root$1.new") && mv "$root$1.new" "$root$1"; }`;

/** The first report of a step is verified too, so the certificates are written before it. */
const writeAuthority = (authority: string): string => `mkdir -p "$root/etc"
cat > "$ca" <<'END'
${authority.trim()}
END
`;

/** Makes a name safe inside a comment of the script. */
const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]/g, "_");

const ENDING = "beacon installed\n";

/** A deployed script may only write to the agent's folder and use the network. */
const LOCKED_DOWN = [
  "User=hearth-agent",
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "ProtectSystem=strict",
  "ReadWritePaths=/var/lib/hearth-agent",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectKernelTunables=yes",
  "ProtectKernelModules=yes",
  "ProtectControlGroups=yes",
  "ProtectClock=yes",
  "RestrictSUIDSGID=yes",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
  "LockPersonality=yes",
  "SystemCallArchitectures=native",
].join("\n");

const variable = (authority: string | null, name: string, file: string): string =>
  authority === null ? "" : `\nEnvironment=${name}=${file}`;

export const SERVICE_PACE = ["--interval-ms", "1000", "--interval-ms-max", "30000"] as const;

// KillMode: processes that scripts leave running survive a restart of the agent.
// TimeoutStopSec: a script that runs at a stop may end. A shutdown of the machine waits for it too.
const unit = ({ privileged, authority }: Bootstrap): string => `[Unit]
Description=Hearth agent
Wants=network-online.target
After=network-online.target
[Service]
ExecStart=/usr/bin/env node /opt/hearth/hearth-agent.mjs --metadata-url-file /etc/hearth-agent.url --root /var/lib/hearth-agent --hooks /opt/hearth/hooks ${SERVICE_PACE.join(" ")}
Restart=on-failure
RestartSec=2
KillMode=process
TimeoutStopSec=900
UMask=0077${variable(authority, "NODE_EXTRA_CA_CERTS", AUTHORITY_FILE)}
${privileged ? "User=root" : LOCKED_DOWN}
[Install]
WantedBy=multi-user.target`;

const hearthAgent = (agent: string, bootstrap: Bootstrap): string => `
mkdir -p "$root/opt/hearth/hooks" "$root/etc/systemd/system" "$root/var/lib/hearth-agent"
${program("/opt/hearth/hearth-agent.mjs", agent)}
cat > "$root/etc/systemd/system/hearth-agent.service" <<'END'
${unit(bootstrap)}
END
echo "$url" | private /etc/hearth-agent.url
if [ -z "$root" ]; then
  enough='process.exit(typeof AbortSignal.any === "function" ? 0 : 1)'
  node -e "$enough" 2>/dev/null || {
    if command -v apt-get >/dev/null; then apt-get update -q && apt-get install -qy nodejs
    elif command -v dnf >/dev/null; then dnf install -qy nodejs
    fi
    node -e "$enough" || { echo "Node 20.3 or later is needed." >&2; exit 1; }
  }
  owner=${bootstrap.privileged ? "root" : "hearth-agent"}
  id "$owner" >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/hearth-agent --shell /usr/sbin/nologin "$owner"
  chown "$owner" /etc/hearth-agent.url
  chown -R "$owner" /var/lib/hearth-agent
  chmod 700 /var/lib/hearth-agent
  systemctl daemon-reload
  systemctl enable hearth-agent
  systemctl restart hearth-agent
fi`;

const HOOK_GROUPS =
  "script ansible apply-config cfn-init chef docker-cmd docker-compose hiera json-file kubelet puppet salt";

/** REQUESTS_CA_BUNDLE replaces the system's authorities, which hooks may need too. */
const WRITE_BUNDLE = `
for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
  [ -e "$root$bundle" ] || continue
  cat "$root$bundle"
  break
done | cat - "$ca" > "$root${BUNDLE_FILE}"`;

const stockAgents = (hook: string, { authority }: Bootstrap): string => `
mkdir -p "$root/opt/hearth/hooks" "$root/etc/systemd/system/os-collect-config.service.d"
${program("/opt/hearth/hooks/status-aware", hook)}
chmod 755 "$root/opt/hearth/hooks/status-aware"
for group in ${HOOK_GROUPS}; do
  ln -sf status-aware "$root/opt/hearth/hooks/$group"
done${authority === null ? "" : WRITE_BUNDLE}
cat > "$root/etc/systemd/system/os-collect-config.service.d/hearth.conf" <<'END'
[Service]
Environment=HEAT_CONFIG_HOOKS=/opt/hearth/hooks${variable(authority, "REQUESTS_CA_BUNDLE", BUNDLE_FILE)}
END
private /etc/os-collect-config.conf <<END
[DEFAULT]
command = os-refresh-config
collectors = request

[request]
metadata_url = $url
END
if [ -z "$root" ]; then
  systemctl daemon-reload
  systemctl enable os-collect-config
  systemctl restart os-collect-config
fi`;
