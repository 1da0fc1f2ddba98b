import type { JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { textOf } from "../given-values.ts";
import { type AgentScript, printing } from "./agent-script.ts";
import { agentWork } from "./agent-work.ts";

const UNIT_CHARS_MAX = 65_536;
const NAME = "[A-Za-z0-9_][A-Za-z0-9@_.:\\\\-]{0,199}";
const SUFFIX = /\.(service|socket|timer|path|mount|target)$/;
const RUNNING = "running";

const properties: PropertySchemas = {
  name: {
    type: "string",
    description: "The name of the unit. Without a suffix it is a service.",
    required: true,
    constraints: [{ allowedPattern: NAME }],
  },
  unit: {
    type: "string",
    description: "The text of the unit. Without it the machine has the unit already.",
    constraints: [{ length: { min: 1, max: UNIT_CHARS_MAX } }],
    updateAllowed: true,
  },
  state: {
    type: "string",
    description: "Whether it runs.",
    default: RUNNING,
    constraints: [{ allowedValues: [RUNNING, "stopped"] }],
    updateAllowed: true,
  },
  enabled: {
    type: "boolean",
    description: "Whether it starts with the machine.",
    default: true,
    updateAllowed: true,
  },
};

const unitName = (given: JsonObject): string => {
  const name = textOf(given["name"]);
  return SUFFIX.test(name) ? name : `${name}.service`;
};

const wantedService = (given: JsonObject): WantedService => ({
  name: unitName(given),
  unit: textOf(given["unit"]) || null,
  runs: given["state"] !== "stopped",
  isEnabled: given["enabled"] !== false,
});

export const machineService = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::Service",
    description: "A unit of systemd on a machine. A delete brings back the state before.",
    properties,
    attributes: { name: { description: "The name of the unit.", type: "string" } },
    problemOf: (given) => (textOf(given["unit"]).includes("\0") ? "unit: it has a NUL" : null),
    script: (given) => serviceScript(wantedService(given)),
    attributesOf: (given) => ({ name: unitName(given) }),
  });

export interface WantedService {
  /** The name of the systemd unit with its suffix, such as `web.service`. */
  readonly name: string;
  readonly unit: string | null;
  readonly runs: boolean;
  readonly isEnabled: boolean;
}

const UNITS = "/etc/systemd/system";

/** A unit without a section Install is static: it can be neither enabled nor disabled. */
const FUNCTIONS = `
file="$units/$name"
state() { systemctl is-active "$name" 2>/dev/null || true; }
at_boot() { systemctl is-enabled "$name" 2>/dev/null || true; }
claim() {
  if [ -n "$has_unit" ]; then
    [ ! -e "$file" ] && [ ! -L "$file" ] || die "$file is there already"
  else
    systemctl cat "$name" >/dev/null 2>&1 || die "the machine has no unit $name"
  fi
}
keep() {
  echo "$has_unit" > "$record/has_unit"
  state > "$record/state"
  at_boot > "$record/at_boot"
}
start_or_stop() {
  case "$1" in
  active | activating | reloading) [ "$(state)" = active ] || systemctl start "$name" ;;
  *) systemctl stop "$name" ;;
  esac
}
at_boot_as() {
  case "$1" in
  enabled) systemctl --quiet enable "$name" ;;
  disabled) systemctl --quiet disable "$name" ;;
  esac
}
apply() {
  [ "$(cat "$record/has_unit")" = "$has_unit" ] || die "$name cannot get or lose its text by an update"
  if [ -n "$has_unit" ]; then
    unit > "$record/unit"
    if ! cmp -s "$record/unit" "$file"; then
      cp "$record/unit" "$file.hearth-new"
      chmod 644 "$file.hearth-new"
      mv -fT "$file.hearth-new" "$file"
      : > "$record/changed"
    fi
    systemctl daemon-reload
  fi
  at_boot_as "$wanted_at_boot"
  # A run that died after the file was written must still start the unit anew.
  if [ -e "$record/changed" ] && [ "$wanted" = active ]; then systemctl restart "$name"; fi
  rm -f "$record/changed"
  start_or_stop "$wanted"
  # A program that fails at once has been started all the same.
  [ "$wanted" != active ] || sleep 1
  is_as_wanted
}
is_as_wanted() {
  now=$(state)
  case "$wanted/$now" in
  active/active | inactive/inactive | inactive/failed) ;;
  *) die "$name is $now" ;;
  esac
}
restore() {
  has_unit=$(cat "$record/has_unit")
  if [ -n "$has_unit" ]; then
    systemctl --quiet disable --now "$name" 2>/dev/null || true
    [ "$(state)" != active ] || die "$name does not stop"
    rm -f "$file" "$file.hearth-new"
    systemctl daemon-reload
    systemctl reset-failed "$name" 2>/dev/null || true
  elif systemctl cat "$name" >/dev/null 2>&1; then
    at_boot_as "$(cat "$record/at_boot")"
    start_or_stop "$(cat "$record/state")"
  fi
}
check() {
  if [ -n "$has_unit" ]; then
    [ -e "$file" ] || die "$file is not there"
    unit | cmp -s - "$file" || die "$file differs"
  fi
  is_as_wanted
  now=$(at_boot)
  case "$wanted_at_boot/$now" in
  enabled/disabled | disabled/enabled) die "$name is $now" ;;
  esac
}
`;

export const serviceScript = (
  { name, unit, runs, isEnabled }: WantedService,
  units = UNITS,
): AgentScript => ({
  kind: "service",
  name,
  values: {
    units,
    has_unit: unit === null ? "" : "yes",
    wanted: runs ? "active" : "inactive",
    wanted_at_boot: isEnabled ? "enabled" : "disabled",
  },
  functions: `${printing("unit", unit ?? "")}${FUNCTIONS}`,
});
