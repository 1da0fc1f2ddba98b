import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { textOf } from "../given-values.ts";
import type { AgentScript } from "./agent-script.ts";
import { agentWork } from "./agent-work.ts";

/** Debian's policy defines these forms of names and versions. */
const NAME = "[a-z0-9][a-z0-9+.-]{1,100}";
const VERSION = "[A-Za-z0-9][A-Za-z0-9.+:~-]{0,100}";

const properties: PropertySchemas = {
  name: {
    type: "string",
    description: "The name of the package.",
    required: true,
    constraints: [{ allowedPattern: NAME }],
  },
  version: {
    type: "string",
    description: "Its version. Without it any will do.",
    constraints: [{ allowedPattern: VERSION }],
    updateAllowed: true,
  },
};

export const machinePackage = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::Package",
    description:
      "A package of Debian on a machine. A delete removes it with what it needed, unless it was there before.",
    properties,
    attributes: { name: { description: "The name of the package.", type: "string" } },
    script: ({ name, version }) =>
      packageScript({ name: textOf(name), version: textOf(version) || null }),
    attributesOf: ({ name }) => ({ name: textOf(name) }),
  });

export interface WantedPackage {
  readonly name: string;
  readonly version: string | null;
}

/**
 * `before` lists the packages that were there when an installation began, and exists until it ends.
 * `added` lists the packages that came with it. A package that another resource needs is added to
 * that resource's record. A package that something else needs stays, and the delete fails.
 *
 * apt writes `before` itself while it has its lock. Until then another apt may still be installing,
 * and its packages are not ours. A package that waits for a trigger counts as installed.
 */
const FUNCTIONS = `
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
installed() { dpkg-query -W -f '\${db:Status-Status} \${Version}\\n' "$name" 2>/dev/null | sed -n 's/^installed //p; s/^triggers-[a-z]* //p'; }
list="dpkg-query -W -f '\\\${db:Status-Status} \\\${binary:Package}\\\\n' | sed '/^not-installed /d; /^config-files /d; s/^[^ ]* //' | sort"
all() { eval "$list"; }
is_as_wanted() {
  now=$(installed)
  [ -n "$now" ] && { [ -z "$version" ] || [ "$now" = "$version" ]; }
}
claim() {
  command -v apt-get >/dev/null || die "the machine has no apt-get"
  now=$(installed)
  [ -z "$now" ] || is_as_wanted || die "$name is there already, in version $now"
}
keep() {
  : > "$record/added"
  if is_as_wanted; then : > "$record/was_there"; fi
}
note() {
  [ -e "$record/before" ] || return 0
  all > "$record/after"
  comm -13 "$record/before" "$record/after" >> "$record/added"
  rm "$record/before"
}
apt() { apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" < /dev/null; }
add() {
  began="[ -e '$record/before' ] || { $list > '$record/before.new' && mv '$record/before.new' '$record/before'; }"
  apt install -o "DPkg::Pre-Invoke::=$began" -y --no-install-recommends --no-remove --allow-downgrades "$name\${version:+=$version}"
}
apply() {
  if is_as_wanted && [ ! -e "$record/before" ]; then return 0; fi
  [ ! -e "$record/was_there" ] || die "$name was there before, and is now \${now:-removed}"
  # The lists of a machine may be missing, or older than what they name.
  is_as_wanted || add || { apt update; add; }
  note
}
restore() {
  [ ! -e "$record/was_there" ] || return 0
  note
  sort -u "$record/added" > "$record/left"
  all > "$record/after"
  comm -12 "$record/left" "$record/after" > "$record/present"
  removed=yes
  while [ -s "$record/present" ] && [ -n "$removed" ]; do
    if xargs dpkg --purge < "$record/present" > "$record/log" 2>&1; then return 0; fi
    removed=
    for one in $(cat "$record/present"); do
      if dpkg --purge "$one" > "$record/log" 2>&1; then removed=yes; fi
    done
    all > "$record/after"
    comm -12 "$record/left" "$record/after" > "$record/present"
  done
  [ -s "$record/present" ] || return 0
  for heir in "$records"/package-*/added; do
    case "$heir" in "$record/added") continue ;; esac
    [ -e "$heir" ] || continue
    cat "$record/present" >> "$heir"
    return 0
  done
  tail -n 3 "$record/log" >&2
  die "still needed: $(tr '\n' ' ' < "$record/present")"
}
check() {
  is_as_wanted || die "$name is \${now:-not installed}"
}
`;

export const packageScript = ({ name, version }: WantedPackage): AgentScript => ({
  kind: "package",
  name,
  values: { version: version ?? "" },
  functions: FUNCTIONS,
});
