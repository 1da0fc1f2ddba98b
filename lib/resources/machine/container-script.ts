import { quoted } from "#lib/texts.ts";
import { type AgentScript, digestOf, printing } from "./agent-script.ts";

export interface WantedPort {
  /** An empty text stands for all addresses of the machine. */
  readonly address: string;
  readonly hostPort: number;
  readonly port: number;
  readonly protocol: string;
}

export interface WantedVolume {
  readonly source: string;
  readonly path: string;
  readonly isReadOnly: boolean;
}

export interface WantedContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly ports: readonly WantedPort[];
  readonly volumes: readonly WantedVolume[];
  readonly networks: readonly string[];
  readonly restart: string;
}

const ENGINES = "podman docker";
const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The shell, the dynamic loader or the engine itself would read these variables. */
const READ_ON_THE_WAY =
  /^(_.*|BASH.*|BUILDAH_.*|CONTAINERS?_.*|DIRSTACK|DOCKER_.*|ENV|EUID|FUNCNAME|GO[A-Z]+|GROUPS|HOME|IFS|LC_.*|LD_.*|LINENO|OLDPWD|OPT[A-Z]+|PATH|PPID|PS[0-9]|PWD|REGISTRY_.*|SHELLOPTS|STORAGE_.*|TMPDIR|UID|XDG_.*)$/;

/** Such a variable travels as a line of a file, so its value cannot have several lines. */
export const isLineOfFile = (name: string): boolean =>
  !SHELL_NAME.test(name) || READ_ON_THE_WAY.test(name);

const publishing = ({ address, hostPort, port, protocol }: WantedPort): string => {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${host === "" ? "" : `${host}:`}${hostPort}:${port}/${protocol}`;
};

const isFolder = ({ source }: WantedVolume): boolean => source.startsWith("/");

const mounting = (volume: WantedVolume): string => {
  const type = isFolder(volume) ? "bind" : "volume";
  const rights = volume.isReadOnly ? ",ro" : "";
  return `type=${type},source=${volume.source},target=${volume.path}${rights}`;
};

const optionsOf = ({ ports, volumes, networks, restart }: WantedContainer): readonly string[] => [
  "--restart",
  restart,
  ...ports.flatMap((one) => ["--publish", publishing(one)]),
  ...volumes.flatMap((one) => ["--mount", mounting(one)]),
  ...networks.slice(0, 1).flatMap((one) => ["--network", one]),
];

/**
 * Values reach the engine through its environment or a file, so they do not appear in the process
 * list. `set` expands the words before the exports, which may overwrite variables of the script.
 */
const creating = (wanted: WantedContainer): string => {
  const { environment, command } = wanted;
  const exported = [...environment].filter(([name]) => !isLineOfFile(name));
  const options = optionsOf(wanted).concat(exported.flatMap(([name]) => ["--env", name]));
  const exports = exported.map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  return `create() (
set -- "$cli" create --name "$new" --label-file "$record/labels" --env-file "$record/variables" \\
  ${options.map(quoted).join(" ")} "$image" ${command.map(quoted).join(" ")}
exec > /dev/null
${exports.join("")}exec "$@"
)
`;
};

const variablesOf = ({ environment }: WantedContainer): string =>
  [...environment]
    .filter(([name]) => isLineOfFile(name))
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

const usesOf = ({ image, volumes }: WantedContainer): string =>
  [`image ${image}`]
    .concat(volumes.filter((one) => !isFolder(one)).map(({ source }) => `volume ${source}`))
    .map((line) => `${line}\n`)
    .join("");

/**
 * A container cannot be changed, so a new one is made beside it and then renamed. `uses` lists the
 * images and volumes of the container. `made` lists those that Hearth has pulled or created; they
 * are removed with the last record that uses them.
 */
const FUNCTIONS = `
new="$name.hearth-new"
look() {
  listed=$("$cli" ps --all --no-trunc --format '{{.ID}} {{.Names}}') || die "$engine does not answer"
  container=
  while read -r one called; do
    if [ "$called" = "$1" ]; then container=$one; fi
  done <<END
$listed
END
}
of() { "$cli" container inspect --format "$1" "$container"; }
label() { of "{{index .Config.Labels \\"hearth.$1\\"}}"; }
is_ours() { [ "$(label resource)" = "$resource" ]; }
# Podman's storage may have a name that Podman itself does not know.
is_stored() { [ "$engine" = podman ] && "$cli" container exists --external "$1"; }
claim() {
  engine=
  for one in $engines; do
    if [ -z "$engine" ] && command -v "$one" > /dev/null; then engine=$one; fi
  done
  [ -n "$engine" ] || die "the machine has neither podman nor docker"
  cli=$(command -v "$engine")
  look "$name"
  if [ -n "$container" ]; then
    is_ours || die "a container $name is there already"
  elif is_stored "$name"; then
    die "$name is in Podman's storage already"
  fi
}
keep() {
  echo "$engine" > "$record/engine"
  : > "$record/made"
}
use_engine() {
  engine=$(cat "$record/engine")
  cli=$(command -v "$engine") || die "the machine has no $engine any more"
}
is_there() { "$cli" "$1" inspect "$2" > /dev/null 2>&1; }
bring() {
  uses > "$record/uses"
  while read -r kind thing; do
    if is_there "$kind" "$thing"; then continue; fi
    echo "$kind $thing" >> "$record/made"
    case "$kind" in
    image) "$cli" pull --quiet "$thing" > /dev/null < /dev/null ;;
    volume) "$cli" volume create "$thing" > /dev/null ;;
    esac
  done < "$record/uses"
  # Docker finds out at the start only, when the former container has gone.
  for one in $networks; do
    case "$one" in host | none) continue ;; esac
    is_there network "$one" || die "there is no network $one"
  done
}
heir_of() {
  for heir in "$records"/container-*; do
    [ "$heir" != "$record" ] || continue
    if grep -qxF "$1" "$heir/uses" 2> /dev/null; then return 0; fi
  done
  return 1
}
drop() {
  while read -r kind thing; do
    if grep -qxF "$kind $thing" "$record/uses" || ! is_there "$kind" "$thing"; then continue; fi
    if heir_of "$kind $thing"; then
      echo "$kind $thing" >> "$heir/made"
    elif ! "$cli" "$kind" rm "$thing" > "$record/log" 2>&1 && [ "$kind" = volume ]; then
      tail -n 1 "$record/log" >&2
      die "the volume $thing is still needed"
    fi
  done < "$record/made"
  grep -xF -f "$record/uses" "$record/made" > "$record/made.new" || true
  mv "$record/made.new" "$record/made"
}
discard() {
  "$cli" stop -t 10 "$container" > /dev/null 2>&1 || true
  "$cli" rm --force --volumes "$container" > /dev/null
}
discard_own() {
  look "$1"
  if [ -n "$container" ]; then
    if is_ours; then discard; fi
  elif is_stored "$1"; then
    "$cli" rm --force "$1" > /dev/null
  fi
}
remake() {
  old=$container
  discard_own "$new"
  printf 'hearth.%s\\n' "resource=$resource" "id=$id" "settings=$settings" > "$record/labels"
  (umask 077; variables > "$record/variables")
  create
  rm "$record/variables"
  for one in $more_networks; do "$cli" network connect "$one" "$new"; done
  container=$old
  if [ -n "$old" ]; then discard; fi
  "$cli" rename "$new" "$name"
  look "$name"
}
drift() {
  [ "$(label settings)" = "$settings" ] || printf ' settings'
  now=$(of '{{.HostConfig.RestartPolicy.Name}}')
  [ "\${now:-no}" = "$restart" ] || printf ' restart'
  case "$networks" in
  "" | host | none) ;;
  *)
    now=$(of '{{range $name, $value := .NetworkSettings.Networks}}{{$name}} {{end}}')
    [ "$now" = "$networks " ] || printf ' networks'
    ;;
  esac
  if is_there image "$image"; then
    [ "$(of '{{.Image}}')" = "$("$cli" image inspect --format '{{.Id}}' "$image")" ] || printf ' image'
  fi
}
# Podman takes a container for running that was killed together with its monitor.
is_lost() { [ "$engine/$1" = podman/running ] && [ ! -e "/proc/$(of '{{.State.Pid}}')" ]; }
start() {
  now=$(of '{{.State.Status}}')
  case "$now" in
  running) if is_lost "$now"; then return 1; fi ;;
  paused) "$cli" unpause "$container" > /dev/null ;;
  *) "$cli" start "$container" > /dev/null ;;
  esac
}
apply() {
  use_engine
  bring
  look "$name"
  if [ -n "$container" ]; then
    is_ours || die "$name is a container of somebody else by now"
    [ -z "$(drift)" ] || remake
  else
    remake
  fi
  # An engine that was killed may leave a container that cannot start.
  start 2> /dev/null || { remake; start; }
  # A program that fails at once has been started all the same.
  sleep 1
  is_as_wanted
  drop
}
is_as_wanted() {
  now=$(of '{{.State.Status}}')
  code=$(of '{{.State.ExitCode}}')
  if is_lost "$now"; then die "$name was killed together with its monitor"; fi
  case "$may_end/$now/$code" in
  */running/* | yes/exited/0 | yes/stopped/0) ;;
  */exited/* | */stopped/*) die "$name has ended with the code $code" ;;
  *) die "$name is $now" ;;
  esac
}
restore() {
  use_engine
  discard_own "$new"
  discard_own "$name"
  : > "$record/uses"
  drop
}
check() {
  use_engine
  look "$name"
  [ -n "$container" ] || die "$name is not there"
  is_ours || die "$name is a container of somebody else by now"
  drift=$(drift)
  [ -z "$drift" ] || die "$name differs in:$drift"
  is_as_wanted
}
`;

export const containerScript = (wanted: WantedContainer, engines = ENGINES): AgentScript => {
  const { name, image, restart, networks, environment, ...rest } = wanted;
  const settings = digestOf(
    JSON.stringify({ ...rest, name, image, restart, networks, environment: [...environment] }),
  );
  return {
    kind: "container",
    name,
    values: {
      engines,
      image,
      restart,
      settings,
      networks: networks.toSorted().join(" "),
      more_networks: networks.slice(1).join(" "),
      may_end: restart === "no" || restart === "on-failure" ? "yes" : "",
    },
    functions: [
      printing("uses", usesOf(wanted)),
      printing("variables", variablesOf(wanted)),
      creating(wanted),
      FUNCTIONS,
    ].join(""),
  };
};
