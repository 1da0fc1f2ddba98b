/**
 * The shell script that a machine's agent runs for types such as Hearth::Machine::File. One script
 * handles all actions and can be repeated after any interruption. It keeps the former state in a
 * record on the machine, from which a delete restores it.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { quoted } from "#lib/texts.ts";

export interface Holder {
  readonly id: string;
  readonly stackId: string;
  readonly stackName: string;
  readonly resourceName: string;
}

export interface AgentScript {
  /** `kind` and `name` identify the thing on a machine, for example "file" and its path. */
  readonly kind: string;
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  /**
   * The script calls these shell functions. `claim` fails if the thing may not be taken over.
   * `keep` saves the former state in `$record`. `apply`, `restore` and `check` are the actions.
   * `die` ends the script with an error.
   */
  readonly functions: string;
}

const RECORDS = "/var/lib/hearth-machine";
const KEY_CHARS = 24;

export const digestOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

const assignments = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join("");

/**
 * A function that prints a text. A text inside the script may be longer than an argument of a
 * program.
 */
export const printing = (name: string, text: string): string =>
  `${name}() { printf %s ${quoted(text)}; }\n`;

/**
 * A record counts only when its file `id` exists, which is written last. A rename removes the
 * record as a whole.
 */
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
