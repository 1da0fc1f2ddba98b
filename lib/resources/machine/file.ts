import type { JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { textOf } from "../given-values.ts";
import { type AgentScript, digestOf, printing } from "./agent-script.ts";
import { agentWork } from "./agent-work.ts";

/** The content is part of the document that the agent polls. */
const CONTENT_CHARS_MAX = 262_144;
const PATH = "/([^/\\n\\x00]+/)*[^/\\n\\x00]+";
const USER = "[A-Za-z0-9_][A-Za-z0-9._-]{0,31}";

const properties: PropertySchemas = {
  path: {
    type: "string",
    description: "Where the file is, from the root. Missing folders are made.",
    required: true,
    constraints: [{ allowedPattern: PATH }],
  },
  content: {
    type: "string",
    description: "The text of the file.",
    default: "",
    constraints: [{ length: { max: CONTENT_CHARS_MAX } }],
    updateAllowed: true,
  },
  mode: {
    type: "string",
    description: "Its rights in octal digits.",
    default: "0644",
    constraints: [{ allowedPattern: "[0-7]{3,4}" }],
    updateAllowed: true,
  },
  owner: {
    type: "string",
    description: "The user that has it, by name or number.",
    default: "root",
    constraints: [{ allowedPattern: USER }],
    updateAllowed: true,
  },
  group: {
    type: "string",
    description: "The group that has it, by name or number.",
    default: "root",
    constraints: [{ allowedPattern: USER }],
    updateAllowed: true,
  },
  adopt: {
    type: "boolean",
    description: "Whether a file that is there already is taken. A delete brings it back.",
    default: false,
    updateAllowed: true,
  },
};

const AROUND: readonly string[] = [".", ".."];

/**
 * A path with `.` or `..` is rejected, so that each file has one path and belongs to one resource.
 * A shell drops NUL characters, so the content cannot have any.
 */
export const problemOfFile = (given: JsonObject): Problem => {
  const around = textOf(given["path"])
    .split("/")
    .find((part) => AROUND.includes(part));
  if (around !== undefined) return `path: ${around} leads around`;
  return textOf(given["content"]).includes("\0") ? "content: it has a NUL" : null;
};

const wantedFile = (given: JsonObject): WantedFile => ({
  path: textOf(given["path"]),
  content: textOf(given["content"]),
  mode: textOf(given["mode"]).replace(/^0+(?=\d)/, ""),
  owner: textOf(given["owner"]),
  group: textOf(given["group"]),
  adopts: given["adopt"] === true,
});

export const machineFile = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::File",
    description: "A file on a machine. A delete brings back what was there before.",
    properties,
    attributes: {
      path: { description: "Where the file is.", type: "string" },
      checksum: { description: "The SHA-256 of its content, in hex.", type: "string" },
    },
    problemOf: problemOfFile,
    script: (given) => fileScript(wantedFile(given)),
    attributesOf: (given) => {
      const file = wantedFile(given);
      return { path: file.path, checksum: checksumOf(file) };
    },
  });

export interface WantedFile {
  readonly path: string;
  readonly content: string;
  /** In octal digits, without leading zeros. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
  readonly adopts: boolean;
}

const checksumOf = ({ content }: Pick<WantedFile, "content">): string => digestOf(content);

/**
 * The script runs as root, but another user may own the folder and replace a part of the path by a
 * link at any moment. So the script enters the path one folder at a time and checks where it is:
 * the current folder stays the same even if it is renamed. It writes the new file inside a private
 * folder there, which nobody else can enter or move. A link is followed only if nobody but root
 * could have made it.
 */
const FUNCTIONS = `
folder=$(dirname "$name")
base=$(basename "$name")
there() { [ -e "$name" ] || [ -L "$name" ]; }
only_ours() {
  [ "$(stat -c %u .)" = "$(id -u)" ] || return 1
  case "$(stat -c %A .)" in ?????w* | ????????w*) return 1 ;; esac
}
step() {
  if [ -L "./$1" ]; then
    only_ours || die "$here/$1 is a link, and others than root can change it"
    cd -P "./$1" || return 1
    here=$(pwd -P)
  else
    cd -P "./$1" 2>/dev/null || return 1
    [ "$(pwd -P)" = "$here/$1" ] || die "$here/$1 was changed in the meantime"
    here=$here/$1
  fi
}
enter() {
  cd /
  here=
  rest=\${folder#/}
  while [ -n "$rest" ]; do
    part=\${rest%%/*}
    rest=\${rest#"$part"}
    rest=\${rest#/}
    if [ -n "$1" ] && [ ! -d "./$part" ]; then mkdir "./$part"; fi
    step "$part" || return 1
  done
}
drop_new() {
  if [ -e "$record/new" ]; then rm -rf "./$(cat "$record/new")"; fi
  rm -f "$record/new"
}
enter_new() {
  enter make
  drop_new
  new=$(mktemp -d .hearth-XXXXXXXXXX)
  printf '%s\\n' "$new" > "$record/new"
  step "$new"
  only_ours || die "$here was changed in the meantime"
}
put() {
  mv -fT ./file "../$base"
  cd -P ..
  drop_new
}
claim() {
  [ ! -d "$name" ] || [ -L "$name" ] || die "$name is a folder"
  if there && [ -z "$adopts" ]; then
    die "$name is there already. With adopt: true it is taken, and a delete brings it back"
  fi
}
keep() {
  if there; then
    enter ""
    cp -a "./$base" "$record/original"
  fi
  : > "$record/folders"
  missing=$folder
  while [ ! -d "$missing" ]; do
    printf '%s\\n' "$missing" >> "$record/folders"
    missing=$(dirname "$missing")
  done
}
apply() {
  enter_new
  (umask 077; content > ./file)
  chown "$owner:$group" ./file
  chmod "$mode" ./file
  put
}
restore() {
  if [ -e "$record/original" ] || [ -L "$record/original" ]; then
    enter_new
    cp -a "$record/original" ./file
    put
  elif (enter "" 2>/dev/null); then
    enter ""
    drop_new
    rm -f "./$base"
  fi
  cd /
  while read -r missing; do rmdir "$missing" 2>/dev/null || true; done < "$record/folders"
}
check() {
  [ -f "$name" ] && [ ! -L "$name" ] || die "$name is not there"
  drift=
  [ "$(sha256sum < "$name" | cut -d ' ' -f 1)" = "$checksum" ] || drift="$drift content"
  [ "$(stat -c %a "$name")" = "$mode" ] || drift="$drift mode"
  case "$owner" in "$(stat -c %U "$name")" | "$(stat -c %u "$name")") ;; *) drift="$drift owner" ;; esac
  case "$group" in "$(stat -c %G "$name")" | "$(stat -c %g "$name")") ;; *) drift="$drift group" ;; esac
  [ -z "$drift" ] || die "$name differs in:$drift"
}
`;

export const fileScript = ({ path, content, adopts, ...rest }: WantedFile): AgentScript => ({
  kind: "file",
  name: path,
  values: { ...rest, adopts: adopts ? "yes" : "", checksum: digestOf(content) },
  functions: `${printing("content", content)}${FUNCTIONS}`,
});
