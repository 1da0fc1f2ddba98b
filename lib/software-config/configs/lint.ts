/**
 * What can be told to go wrong before a server has seen a config: the rules that stock agents have, with what happens
 * otherwise. All of them are warnings, since an image may have more than we know of.
 */
import type { Json } from "#lib/json.ts";
import type { ConfigContent, ConfigInput } from "#lib/model/software-config.ts";
import { toolOf } from "../document/metadata-document.ts";
import {
  awaitsSignal,
  COMPONENT_GROUP,
  componentEntryFor,
  safeName,
  UNGROUPED,
} from "./derive-config.ts";

export interface LintWarning {
  readonly rule: string;
  readonly message: string;
}

export interface LintedDelivery {
  /** The derived config. */
  readonly content: ConfigContent;
  readonly action: string;
  /** The name that was asked for, where it is known; the config carries one that agents can bear. */
  readonly givenName?: string | null | undefined;
  /** The deployment's own `actions`, where they are known. */
  readonly actions?: readonly string[];
}

const SCRIPT = "script";
/** The hooks of heat-agents 13.0.0. Hearth's agent runs scripts by itself, and whatever hooks it is given. */
const STOCK_TOOLS = [
  SCRIPT,
  ...["ansible", "apply-config", "cfn-init", "chef", "docker-cmd", "docker-compose", "hiera"],
  ...["json-file", "kubelet", "puppet", "salt"],
];
/** They become files on the server by os-apply-config's templates: no hook runs, and nothing is signalled. */
const FILE_GROUPS = [UNGROUPED, "os-apply-config"];
/** Linux lets no argument and no variable of the environment be longer, its name and the end counted. */
const ENVIRONMENT_BYTES_MAX = 131_071;
/** Agents name these in their own requests; with a signal URL beside them stock agents send twice. */
const FOREIGN_SIGNAL_INPUTS = ["deploy_auth_url", "deploy_queue_id"];
const LISTED_MAX = 5;

const warning = (rule: string, message: string): readonly LintWarning[] => [{ rule, message }];

const named = (names: readonly string[]): string =>
  names.length > LISTED_MAX
    ? `${names.slice(0, LISTED_MAX).join(", ")} and ${names.length - LISTED_MAX} more`
    : names.join(", ");

/** A component without an entry for the action is skipped by agents, and nothing is signalled. */
const toolWarnings = ({ content, action }: LintedDelivery): readonly LintWarning[] => {
  if (content.group === COMPONENT_GROUP && componentEntryFor(content.config, action) === null) {
    return warning(
      "component_without_entry",
      `the component has no config for ${action}: agents skip it without a signal`,
    );
  }
  const tool = toolOf({ content, record: { action } });
  if (tool !== null && FILE_GROUPS.includes(tool)) {
    if (!awaitsSignal(content)) return [];
    return warning(
      "group_without_signal",
      `stock agents make files of the group ${tool} and send no signal for it: use NO_SIGNAL, or a group with a hook`,
    );
  }
  if (tool !== null && STOCK_TOOLS.includes(tool)) return [];
  return warning(
    "unknown_tool",
    `no hook of the stock agents is called ${tool ?? "(nothing)"}: without one of that name on the server nothing runs, and stock agents send no signal`,
  );
};

const scriptOf = ({ content, action }: LintedDelivery): Json => {
  if (content.group !== COMPONENT_GROUP) return content.config;
  return componentEntryFor(content.config, action)?.["config"] ?? null;
};

const scriptWarnings = (delivery: LintedDelivery): readonly LintWarning[] => {
  const { content, action } = delivery;
  if (toolOf({ content, record: { action } }) !== SCRIPT) return [];
  const script = scriptOf(delivery);
  if (typeof script !== "string") {
    return warning("script_is_no_text", "the script is no text, and cannot be run");
  }
  if (!script.startsWith("#!")) {
    return warning(
      "missing_shebang",
      "the script does not begin with #! and an interpreter: it fails with an exec format error",
    );
  }
  return tooLong(content.inputs);
};

const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? "");

const isTooLong = ({ name, value }: ConfigInput): boolean => {
  const text = textOf(value);
  // Most are short, and a character has at most three bytes a unit.
  if (text.length * 3 < ENVIRONMENT_BYTES_MAX - name.length) return false;
  return new TextEncoder().encode(`${name}=${text}`).length > ENVIRONMENT_BYTES_MAX;
};

const tooLong = (inputs: readonly ConfigInput[]): readonly LintWarning[] => {
  const long = inputs.filter(isTooLong).map(({ name }) => name);
  if (long.length === 0) return [];
  const message = `longer than a script's environment can carry (${ENVIRONMENT_BYTES_MAX} bytes), so that it does not start: ${named(long)}`;
  return warning("input_too_long", message);
};

const inputWarnings = ({ content }: LintedDelivery): readonly LintWarning[] => {
  const { inputs } = content;
  const empty = inputs.filter((input) => input.value === undefined || isForgotten(input));
  const foreign = inputs.filter(({ name }) => FOREIGN_SIGNAL_INPUTS.includes(name));
  const isSignalled = inputs.some(({ name }) => name === "deploy_signal_id");
  return [
    ...(empty.length === 0
      ? []
      : warning(
          "input_without_value",
          `inputs without a value or a default: ${named(empty.map(({ name }) => name))}`,
        )),
    ...(foreign.length > 0 && isSignalled
      ? warning(
          "two_signals",
          `stock agents send a second signal because of the inputs ${named(foreign.map(({ name }) => name))}`,
        )
      : []),
  ];
};

/** Declared, and neither given nor with a default: it would have been null in both. */
const isForgotten = ({ value, default: preset }: ConfigInput): boolean =>
  value === null && preset === undefined;

const nameWarnings = ({ content, givenName }: LintedDelivery): readonly LintWarning[] => {
  const isChanged = typeof givenName === "string" && givenName !== "" && givenName !== content.name;
  return isChanged && safeName(givenName) === content.name
    ? warning(
        "name_changed",
        `agents make a file name of the name, so ${JSON.stringify(givenName)} is published as ${content.name}`,
      )
    : [];
};

/** A stock hook reads an output from the file `$heat_outputs_path.NAME`. */
const outputWarnings = ({ content }: LintedDelivery): readonly LintWarning[] => {
  const unusable = content.outputs.map(({ name }) => name).filter((name) => /[/\0]/.test(name));
  return unusable.length === 0
    ? []
    : warning("output_name", `no file can have the name of these outputs: ${named(unusable)}`);
};

const actionWarnings = ({ content, actions = [] }: LintedDelivery): readonly LintWarning[] =>
  actions.includes("DELETE") && content.group !== COMPONENT_GROUP && !awaitsSignal(content)
    ? warning(
        "delete_without_signal",
        "with NO_SIGNAL nothing waits for the DELETE script, whose entry is removed before an agent can see it",
      )
    : [];

export const lintDelivery = (delivery: LintedDelivery): readonly LintWarning[] => [
  ...toolWarnings(delivery),
  ...scriptWarnings(delivery),
  ...inputWarnings(delivery),
  ...nameWarnings(delivery),
  ...outputWarnings(delivery),
  ...actionWarnings(delivery),
];
