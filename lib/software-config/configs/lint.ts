/**
 * Problems that can be seen before a server gets a config, judged by the rules of the stock agents.
 * All are warnings, because an image may have hooks that Hearth does not know.
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
  readonly content: ConfigContent;
  readonly action: string;
  readonly givenName?: string | null | undefined;
  readonly actions?: readonly string[];
}

const SCRIPT = "script";
/** The hooks of heat-agents 13.0.0. */
const STOCK_TOOLS = [
  SCRIPT,
  "ansible",
  "apply-config",
  "cfn-init",
  "chef",
  "docker-cmd",
  "docker-compose",
  "hiera",
  "json-file",
  "kubelet",
  "puppet",
  "salt",
];
/** os-apply-config turns these groups into files: no hook runs and no signal is sent. */
const FILE_GROUPS = [UNGROUPED, "os-apply-config"];
/** Linux's limit for one environment variable, including its name and terminator. */
const ENVIRONMENT_BYTES_MAX = 131_071;
/**
 * Inputs of other transports. If the config also has a signal URL, stock agents send a second
 * signal.
 */
const FOREIGN_SIGNAL_INPUTS = ["deploy_auth_url", "deploy_queue_id"];
const LISTED_MAX = 5;

const warning = (rule: string, message: string): readonly LintWarning[] => [{ rule, message }];

const listOf = (names: readonly string[]): string =>
  names.length > LISTED_MAX
    ? `${names.slice(0, LISTED_MAX).join(", ")} and ${names.length - LISTED_MAX} more`
    : names.join(", ");

const toolWarnings = ({ content, action }: LintedDelivery): readonly LintWarning[] => {
  if (content.group === COMPONENT_GROUP && componentEntryFor(content.config, action) === null) {
    return warning(
      "component_without_entry",
      `the component has no config for ${action}: agents skip it and send no signal`,
    );
  }
  const tool = toolOf({ content, record: { action } });
  if (tool !== null && FILE_GROUPS.includes(tool)) {
    if (!awaitsSignal(content)) return [];
    return warning(
      "group_without_signal",
      `stock agents turn the group ${tool} into files and send no signal for it: use NO_SIGNAL, or a group with a hook`,
    );
  }
  if (tool !== null && STOCK_TOOLS.includes(tool)) return [];
  return warning(
    "unknown_tool",
    `the stock agents have no hook called ${tool ?? "(nothing)"}: unless the server has one, nothing runs and no signal is sent`,
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
    return warning("script_is_no_text", "the script is not text and cannot run");
  }
  if (!script.startsWith("#!")) {
    return warning(
      "missing_shebang",
      "the script does not begin with #! and an interpreter: it will fail with an exec format error",
    );
  }
  return tooLong(content.inputs);
};

const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? "");

const isTooLong = ({ name, value }: ConfigInput): boolean => {
  const text = textOf(value);
  if (text.length * 3 < ENVIRONMENT_BYTES_MAX - name.length) return false;
  return new TextEncoder().encode(`${name}=${text}`).length > ENVIRONMENT_BYTES_MAX;
};

const tooLong = (inputs: readonly ConfigInput[]): readonly LintWarning[] => {
  const long = inputs.filter(isTooLong).map(({ name }) => name);
  if (long.length === 0) return [];
  const message = `inputs too long for a script's environment (over ${ENVIRONMENT_BYTES_MAX} bytes), so the script cannot start: ${listOf(long)}`;
  return warning("input_too_long", message);
};

const inputWarnings = ({ content }: LintedDelivery): readonly LintWarning[] => {
  const { inputs } = content;
  const empty = inputs.filter((input) => input.value === undefined || hasNullValue(input));
  const foreign = inputs.filter(({ name }) => FOREIGN_SIGNAL_INPUTS.includes(name));
  const isSignalled = inputs.some(({ name }) => name === "deploy_signal_id");
  const listed = (all: readonly ConfigInput[]): string => listOf(all.map(({ name }) => name));
  return [
    ...(empty.length === 0
      ? []
      : warning("input_without_value", `inputs without a value or a default: ${listed(empty)}`)),
    ...(foreign.length > 0 && isSignalled
      ? warning(
          "two_signals",
          `stock agents send a second signal because of the inputs ${listed(foreign)}`,
        )
      : []),
  ];
};

const hasNullValue = ({ value, default: preset }: ConfigInput): boolean =>
  value === null && preset === undefined;

const nameWarnings = ({ content, givenName }: LintedDelivery): readonly LintWarning[] => {
  const isChanged = typeof givenName === "string" && givenName !== "" && givenName !== content.name;
  return isChanged && safeName(givenName) === content.name
    ? warning(
        "name_changed",
        `agents use the name as a file name, so ${JSON.stringify(givenName)} is published as ${content.name}`,
      )
    : [];
};

/** A stock hook reads each output from the file `$heat_outputs_path.NAME`. */
const outputWarnings = ({ content }: LintedDelivery): readonly LintWarning[] => {
  const unusable = content.outputs.map(({ name }) => name).filter((name) => /[/\0]/.test(name));
  return unusable.length === 0
    ? []
    : warning("output_name", `these outputs have names that no file can have: ${listOf(unusable)}`);
};

const verifyWarnings = ({ content: { options } }: LintedDelivery): readonly LintWarning[] => {
  const { verify = "" } = options;
  if (typeof verify === "string") return [];
  return warning("verify_is_no_text", "the option verify is not text, so a check runs nothing");
};

const actionWarnings = ({ content, actions = [] }: LintedDelivery): readonly LintWarning[] =>
  actions.includes("DELETE") && content.group !== COMPONENT_GROUP && !awaitsSignal(content)
    ? warning(
        "delete_without_signal",
        "with NO_SIGNAL nothing waits for the DELETE script: its entry is removed before an agent can see it",
      )
    : [];

export const lintDelivery = (delivery: LintedDelivery): readonly LintWarning[] => [
  ...toolWarnings(delivery),
  ...scriptWarnings(delivery),
  ...inputWarnings(delivery),
  ...nameWarnings(delivery),
  ...outputWarnings(delivery),
  ...verifyWarnings(delivery),
  ...actionWarnings(delivery),
];
