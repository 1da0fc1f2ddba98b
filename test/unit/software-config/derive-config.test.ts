import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import type { ConfigContent, ConfigInput } from "#lib/model/software-config.ts";
import { parseInputs, parseOutputs } from "#lib/software-config/configs/config-schema.ts";
import {
  type Derivation,
  deriveConfig,
  isDeployedOn,
  mustReplaceDeployment,
} from "#lib/software-config/configs/derive-config.ts";
import { failureOf } from "#test/unit/template/failure-of.ts";
import { json, jsonObject, readShared } from "./oracle.ts";

const source = z.object({
  group: z.string().default("Heat::Ungrouped"),
  name: z.string().default(""),
  config: json.default(""),
  options: jsonObject.default({}),
  inputs: z.array(json).default([]),
  outputs: z.array(json).default([]),
});
const recordedCase = z.object({
  case: z.string(),
  class: z.string(),
  properties: jsonObject,
  source: jsonObject,
  action: z.string(),
  heat: jsonObject,
});
type RecordedCase = z.infer<typeof recordedCase>;
const cases = readShared("oracles/software-config/derived.json", z.array(recordedCase));

const content = (given: JsonObject): ConfigContent | null => {
  if (Object.keys(given).length === 0) return null;
  const parsed = source.parse(given);
  return { ...parsed, inputs: parseInputs(parsed.inputs), outputs: parseOutputs(parsed.outputs) };
};

const derivation = (changes: Partial<Derivation> = {}): Derivation => ({
  source: null,
  serverId: "SERVER_ID",
  action: "CREATE",
  stackName: "demo",
  stackId: "STACK_UUID",
  resourceName: "dep",
  physicalName: "demo-dep-xyz",
  name: null,
  inputValues: {},
  signalTransport: "CFN_SIGNAL",
  signalUrl: "https://hearth/signal",
  substitution: null,
  ...changes,
});

const propertiesSchema = z.object({
  name: z.string().nullable().default(null),
  input_values: jsonObject.default({}),
  signal_transport: z.string().default("CFN_SIGNAL"),
  input_key: z.string().default("get_input"),
  input_values_validate: z.string().default("LAX"),
});

/** Heat's inputs for signalling. For two transports they contain Keystone's credentials. */
const HOW_TO_SIGNAL = [
  "deploy_signal_id",
  "deploy_signal_verb",
  "deploy_auth_url",
  "deploy_username",
  "deploy_user_id",
  "deploy_password",
  "deploy_project_id",
  "deploy_region_name",
  "deploy_queue_id",
];
const KEYSTONE_BOUND = ["HEAT_SIGNAL", "ZAQAR_SIGNAL"];

const comparable = (inputs: readonly unknown[], transport: string) =>
  z
    .array(z.looseObject({ name: z.string() }))
    .parse(inputs)
    .filter(({ name }) => name !== "deploy_status_aware")
    .filter(({ name }) => !KEYSTONE_BOUND.includes(transport) || !HOW_TO_SIGNAL.includes(name))
    .map(({ description: _, ...input }) =>
      input.name === "deploy_signal_id" ? { ...input, value: "URL" } : input,
    );

const derivationOf = (recorded: RecordedCase): Derivation => {
  const properties = propertiesSchema.parse(recorded.properties);
  const isStructured = recorded.class === "StructuredDeployment";
  const transport = properties.signal_transport;
  return derivation({
    source: content(recorded.source),
    action: recorded.action,
    name: properties.name,
    inputValues: properties.input_values,
    signalTransport: transport,
    signalUrl: transport === "NO_SIGNAL" ? null : "https://hearth/signal",
    substitution: isStructured
      ? {
          inputKey: properties.input_key,
          isStrict: properties.input_values_validate === "STRICT",
        }
      : null,
  });
};

const raised = z.object({ raises: z.string() });

describe.runIf(cases !== null)("a config is derived as Heat derives it", () => {
  it.each(cases ?? [])("$case", (recorded) => {
    const given = derivationOf(recorded);
    const failure = raised.safeParse(recorded.heat);
    if (failure.success) {
      const { code, message } = failureOf(() => deriveConfig(given)) ?? {};
      return expect(`${code}: ${message}`).toBe(failure.data.raises);
    }
    const { inputs, options, ...rest } = recorded.heat;
    const { inputs: ownInputs, ...own } = deriveConfig(given);
    expect(own).toEqual({ ...rest, options: options ?? {} });
    const heats = z.array(json).parse(inputs);
    const { signalTransport } = given;
    return expect(comparable(ownInputs, signalTransport)).toEqual(
      comparable(heats, signalTransport),
    );
  });
});

const inputNamed = (config: ConfigContent, name: string): ConfigInput | undefined =>
  config.inputs.find((input) => input.name === name);

const script = (changes: Partial<ConfigContent> = {}): ConfigContent => ({
  name: "install",
  group: "script",
  config: "#!/bin/sh",
  inputs: [],
  outputs: [],
  options: {},
  ...changes,
});

describe("a derived config", () => {
  it("prefers a given value, even null, to the default", () => {
    const inputs = parseInputs([
      { name: "a", default: "x" },
      { name: "b", default: "y" },
    ]);
    const derived = deriveConfig(
      derivation({ source: script({ inputs }), inputValues: { a: null } }),
    );
    expect(inputNamed(derived, "a")).toMatchObject({ value: null, default: "x" });
    expect(inputNamed(derived, "b")).toMatchObject({ value: "y" });
  });

  it("says that progress may be signalled", () => {
    expect(inputNamed(deriveConfig(derivation()), "deploy_status_aware")?.value).toBe("true");
  });

  it.each([
    ["CFN_SIGNAL", "POST"],
    ["TEMP_URL_SIGNAL", "PUT"],
    ["HEAT_SIGNAL", "PUT"],
    ["ZAQAR_SIGNAL", "PUT"],
  ])("with %s is signalled by %s to the signed URL, without credentials", (transport, verb) => {
    const derived = deriveConfig(derivation({ signalTransport: transport }));
    expect(inputNamed(derived, "deploy_signal_verb")?.value).toBe(verb);
    expect(inputNamed(derived, "deploy_signal_id")?.value).toBe("https://hearth/signal");
    expect(inputNamed(derived, "deploy_signal_transport")?.value).toBe(transport);
    expect(inputNamed(derived, "deploy_auth_url")).toBeUndefined();
  });

  it("has no signal URL with NO_SIGNAL", () => {
    const derived = deriveConfig(derivation({ signalTransport: "NO_SIGNAL", signalUrl: null }));
    expect(inputNamed(derived, "deploy_signal_id")).toBeUndefined();
  });

  it("takes its name from the property, else the source, else the deployment", () => {
    expect(deriveConfig(derivation({ source: script(), name: "10_first" })).name).toBe("10_first");
    expect(deriveConfig(derivation({ source: script() })).name).toBe("install");
    expect(deriveConfig(derivation()).name).toBe("demo-dep-xyz");
  });

  it("has a name that is safe as a file name", () => {
    expect(deriveConfig(derivation({ name: "../../etc/passwd" })).name).toBe("0..-..-etc-passwd");
    expect(deriveConfig(derivation({ name: "request" })).name).toBe("0request");
  });
});

describe("whether an action is deployed", () => {
  const component = script({
    group: "component",
    config: { configs: [{ actions: ["SUSPEND"], config: "x", tool: "script" }] },
  });

  it("depends on the deployment's actions", () => {
    expect(isDeployedOn(script(), ["CREATE"], "CREATE")).toBe(true);
    expect(isDeployedOn(script(), ["CREATE"], "UPDATE")).toBe(false);
    expect(isDeployedOn(null, ["DELETE"], "DELETE")).toBe(true);
  });

  it("depends only on the component, if there is one", () => {
    expect(isDeployedOn(component, ["CREATE"], "CREATE")).toBe(false);
    expect(isDeployedOn(component, [], "SUSPEND")).toBe(true);
  });
});

describe("whether a deployment is replaced", () => {
  const withInput = (value: string, flagged: boolean): ConfigContent =>
    script({ inputs: [{ name: "disk", type: "String", value, replace_on_change: flagged }] });

  it("depends on a changed value of an input with replace_on_change", () => {
    expect(mustReplaceDeployment(withInput("a", true), withInput("b", true))).toBe(true);
    expect(mustReplaceDeployment(withInput("a", true), withInput("a", true))).toBe(false);
    expect(mustReplaceDeployment(withInput("a", false), withInput("b", false))).toBe(false);
  });

  it("does not depend on a new input", () => {
    expect(mustReplaceDeployment(script(), withInput("b", true))).toBe(false);
  });
});
