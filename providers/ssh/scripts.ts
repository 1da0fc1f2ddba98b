/**
 * The scripts that run as root on a machine. A script does nothing until all of it has arrived,
 * only one runs at a time, and each can be repeated at any moment. In tests DESTDIR moves all files
 * into a folder.
 */
import type { Call } from "#provider/provider.ts";

/** Written before anything is installed, and removed after everything else. */
export type Owner = Pick<Call, "tenant" | "stackId" | "stackName" | "resourceName"> & {
  readonly id: string;
};

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Contains the owner, one value a line, and then the installed version. */
export const MARKER = "/etc/hearth-machine";

const LOCK_SECONDS_MAX = 30;

const line = (text: string): string => quoted(text.replaceAll(/[\r\n]/g, " "));

const beginning = ({ id, tenant, stackId, stackName, resourceName }: Owner): string => `
say() { printf 'hearth-machine: %s=%s\\n' "$1" "$2"; }
refuse() { say refused "$1"; exit 0; }
fail() { say failed "$1"; exit 0; }
root=\${DESTDIR:-}
marker="$root${MARKER}"
unit="$root/etc/systemd/system/hearth-agent.service"
id=${line(id)} tenant=${line(tenant)} stack_id=${line(stackId)} stack=${line(stackName)} resource=${line(resourceName)}
part() { sed -n "$1p" "$marker" 2>/dev/null; }
mark() { (umask 077; printf '%s\\n' "$id" "$tenant" "$stack_id" "$stack" "$resource" "$1" > "$marker.new"); mv "$marker.new" "$marker"; }
facts() {
  say hostname "$(uname -n)"
  say os "$([ ! -r "$root/etc/os-release" ] || . "$root/etc/os-release"; echo "\${PRETTY_NAME:-$(uname -s)}")"
}
runs() { systemctl is-active --quiet hearth-agent; }
# At SIGTERM it would wait for its script, longer than a call may take.
cut() { systemctl kill --kill-who=main --signal=INT hearth-agent >/dev/null 2>&1; }
exec 9< "$root/var/lib"
flock -w ${LOCK_SECONDS_MAX} 9 || { say busy yes; exit 0; }
`;

/** A script that was cut off lacks its last line, which calls `main`, so it does nothing. */
const whole = (owner: Owner, body: string): string =>
  `main() {\nset -u\n${beginning(owner)}${body}\n}\nmain </dev/null\n`;

const NODE_PROBE = 'process.exit(typeof AbortSignal.any === "function" ? 0 : 1)';

export interface Installation {
  readonly bootstrap: string;
  /** Changes with the bootstrap, so that a repeated installation leaves a working agent alone. */
  readonly version: string;
  readonly mustBeOwn: boolean;
}

const TAKE = `
if [ -e "$marker" ]; then
  if [ "$(part 1)" != "$id" ]; then
    [ "$(part 2)" = "$tenant" ] || refuse "it belongs to a stack of another project"
    [ "$(part 3)/$(part 5)" = "$stack_id/$resource" ] || refuse "it belongs to the resource $(part 5) of the stack $(part 4)"
    # A replacement of the same resource takes the machine over.
    mark ""
  fi
else
  for path in "$unit" "$root/etc/hearth-agent.url" "$root/var/lib/hearth-agent" "$root/opt/hearth"; do
    [ ! -e "$path" ] || refuse "$path is there, and Hearth did not install it by this resource"
  done
  mark ""
fi`;

export const installScript = (
  owner: Owner,
  { bootstrap, version, mustBeOwn }: Installation,
): string =>
  whole(
    owner,
    `
${mustBeOwn ? '[ "$(part 1)" = "$id" ] || { say gone yes; exit 0; }' : ""}
systemctl --version >/dev/null 2>&1 || refuse "it has no systemd"
node -e '${NODE_PROBE}' 2>/dev/null || refuse "it has no Node 20.3 or later on root's PATH"
${TAKE}
version=${quoted(version)}
if [ "$(part 6)" != "$version" ] || ! runs; then
  mark ""
  cut
  log=$(printf %s ${quoted(Buffer.from(bootstrap).toString("base64"))} | base64 -d | sh 9<&- 2>&1) ||
    fail "the agent was not installed: $(printf %s "$log" | tail -n 1)"
  mark "$version"
fi
facts
say ready yes`,
  );

/** Removes the marker last. */
export const removeScript = (owner: Owner): string =>
  whole(
    owner,
    `
rm -f "$marker.new"
[ "$(part 1)" = "$id" ] || { say gone yes; exit 0; }
cut
systemctl disable --now hearth-agent >/dev/null 2>&1
! runs || fail "the agent does not stop"
rm -f "$unit"
systemctl daemon-reload >/dev/null 2>&1
systemctl reset-failed hearth-agent >/dev/null 2>&1
rm -f "$root/opt/hearth/hearth-agent.mjs" "$root/opt/hearth/hearth-agent.mjs.new"
rmdir "$root/opt/hearth/hooks" "$root/opt/hearth" 2>/dev/null
rm -f "$root/etc/hearth-agent.url" "$root/etc/hearth-agent.url.new" "$root/etc/hearth-ca.pem"
rm -rf "$root/var/lib/hearth-agent"
rm -f "$marker"
say removed yes`,
  );

export const lookScript = (owner: Owner): string =>
  whole(
    owner,
    `
[ "$(part 1)" = "$id" ] || { say gone yes; exit 0; }
facts
runs || fail "the agent does not run: $(systemctl is-active hearth-agent 2>/dev/null)"
say ready yes`,
  );

export const ownerScript = (owner: Owner): string => whole(owner, 'say owner "$(part 1)"');

export type Said = ReadonlyMap<string, string>;

/** Ignores whatever else the machine prints at a login. */
export const readSaid = (stdout: string): Said =>
  new Map(
    [...stdout.matchAll(/^hearth-machine: (\w+)=(.*)$/gm)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    ),
  );
