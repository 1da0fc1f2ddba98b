/**
 * What the agent runs for the types of machines: one shell script for all actions. It looks what is
 * there, so it may run again after any interruption. What was there before is kept in a record on
 * the machine, and a delete brings it back.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Who has the thing, for an error on another resource. */
export interface Holder {
  /** The physical id. */
  readonly id: string;
  readonly stackId: string;
  readonly stackName: string;
  readonly resourceName: string;
}

export interface AgentScript {
  /** What kind of thing it is, and which one: a path, or a name. A machine has it once. */
  readonly kind: string;
  readonly name: string;
  /** Variables of the script. */
  readonly values: Readonly<Record<string, string>>;
  /**
   * Functions of the shell: `claim` ends the script if the thing may not be taken. `keep` writes
   * what was there into `$record`. `apply`, `restore` and `check` are the actions. `die` tells why.
   */
  readonly functions: string;
}

/** One word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Where the records are on a machine. */
const RECORDS = "/var/lib/hearth-machine";
const KEY_CHARS = 24;

export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join("");

/** A function that prints a text. It is no word of a program, so it may be long. */
export const printing = (name: string, text: string): string =>
  `${name}() { printf %s ${quoted(text)}; }\n`;

/** The record is whole when it has the id, and it goes as a whole. */
const FRAME = `
die() { echo "$1" >&2; exit 1; }
is_own() { [ "$(cat "$record/id" 2>/dev/null)" = "$id" ]; }
own() {
  printf '%s\\n' "$id" > "$record/id.new"
  mv "$record/id.new" "$record/id"
}
take() {
  if [ -e "$record/id" ]; then
    is_own && return 0
    [ "$(cat "$record/resource")" = "$resource" ] || die "$name belongs to $(cat "$record/holder")"
    # It replaces another version of its resource, which has nothing to give back any more.
    own
    return 0
  fi
  claim
  rm -rf "$record"
  mkdir -p "$records"
  mkdir -m 700 "$record"
  keep
  printf '%s\\n' "$holder" > "$record/holder"
  printf '%s\\n' "$resource" > "$record/resource"
  own
}
give_back() {
  rm -rf "$record.gone"
  is_own || return 0
  restore
  mv -T "$record" "$record.gone"
  rm -rf "$record.gone"
  rmdir "$records" 2>/dev/null || true
}
case "$deploy_action" in
CREATE | UPDATE) take; apply ;;
DELETE) give_back ;;
CHECK) is_own || die "$name is not known on this machine any more"; check ;;
esac
`;

/** The action is in the environment, as for every deployment. */
export const agentScript = (
  { kind, name, values, functions }: AgentScript,
  { id, stackId, stackName, resourceName }: Holder,
  records = RECORDS,
): string => `#!/bin/sh
set -eu
${assignments(values)}${assignments({
  name,
  id,
  resource: `${stackId}/${resourceName}`,
  holder: `the resource ${resourceName} of the stack ${stackName}`,
  records,
  record: `${records}/${kind}-${digestOf(name).slice(0, KEY_CHARS)}`,
})}${functions}${FRAME}`;
