import type { Command } from "commander";
import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import type { CaseResult } from "#provider/kit/check-provider.ts";
import type { JsonObject } from "#provider/provider.ts";
import { readProperties } from "#provider/read-value.ts";
import { declare, locally } from "../declaration.ts";
import { badUsage, CommandFailed, EXIT_USAGE } from "../failure.ts";
import { off, option } from "../options.ts";
import { RemoteOptions, remoteAccess } from "../plugin-options.ts";
import { writeLines } from "../print.ts";
import { printer } from "../session.ts";

const objectOf = (option: string) =>
  z.string().transform((text, context) => {
    const properties = readProperties(text);
    if (properties !== null) return properties;
    context.addIssue(`${option} is not a JSON object`);
    return z.NEVER;
  });

const CheckOptions = z.object({
  ...RemoteOptions.shape,
  type: option("--type <name>", "which type, if the provider has several", z.string().optional()),
  properties: option(
    "--properties <json>",
    "of a resource that can be made",
    objectOf("--properties"),
  ),
  changed: option(
    "--changed <json>",
    "to what an update can change them in place",
    objectOf("--changed").optional(),
  ),
  replacement: option(
    "--replacement <json>",
    "of a resource that replaces the first (default: the same)",
    objectOf("--replacement").optional(),
  ),
  failing: option(
    "--failing <json>",
    "with which a creation must fail",
    objectOf("--failing").optional(),
  ),
  json: off,
});

const typeOf = (names: readonly string[], given: string | undefined): string => {
  const [only = "", ...others] = names;
  if (given === undefined && others.length > 0) {
    throw badUsage(`the provider has the types ${names.join(", ")}: name one with --type`);
  }
  if (given !== undefined && !names.includes(given)) {
    throw badUsage(`the provider has no type ${given}, only ${names.join(", ")}`);
  }
  return given ?? only;
};

const check = async (given: z.infer<typeof CheckOptions>, source: string): Promise<void> => {
  const { json, properties, changed, replacement, failing } = given;
  const { loadPlugin } = await import("#host/plugins/load-plugin.ts");
  const { PluginRefused } = await import("#host/plugins/remote-plugin.ts");
  const { isRemote, remoteAddress } = await import("#host/plugins/remote-plugin.ts");
  const { typedProperties } = await import("#host/plugins/plugin-types.ts");
  const { wireCases } = await import("#provider/http/wire-cases.ts");
  const { checkProvider } = await import("#provider/kit/check-provider.ts");
  const { Broken } = await import("#provider/kit/one-call.ts");
  const { typeIn } = await import("#provider/kit/stage.ts");
  let loads = 0;
  try {
    const remote = remoteAccess(given);
    const load = async () => {
      loads += 1;
      return (await loadPlugin(source, { query: `?kit=${loads}`, remote })).provider;
    };
    const provider = await load();
    const type = typeOf(Object.keys(provider.types), given.type);
    const moreCases = isRemote(source) ? wireCases(remoteAddress(source, remote)) : [];
    const read = (values: JsonObject, option: string) =>
      typedProperties(typeIn(provider, type), values, option);
    const options = {
      type,
      load,
      properties: read(properties, "--properties"),
      changed: changed && read(changed, "--changed"),
      replacement: replacement && read(replacement, "--replacement"),
      failing: failing && read(failing, "--failing"),
    };
    const results = await checkProvider({ ...options, moreCases }, (result) => {
      if (!json) writeLines(resultLines(result));
    });
    const count = (verdict: string) => results.filter((one) => one.verdict === verdict).length;
    const [passed, failed, left] = ["passed", "failed", "not played"].map(count);
    printer(json)({ type, results }, () => [
      `${type}: ${passed} passed, ${failed} failed, ${left} not played`,
    ]);
    if (failed !== 0) process.exitCode = 1;
  } catch (error) {
    if (error instanceof RequestError) throw badUsage(error.message);
    if (error instanceof PluginRefused) throw new CommandFailed(error.message, EXIT_USAGE);
    if (error instanceof Broken) throw badUsage(`${source}: ${error.message}`);
    throw error;
  }
};

export const addProviderCommands = (program: Command): void =>
  declare(program.command("provider"), {
    usage: "check <file>",
    summary: "play the contract kit with a provider: it makes and removes real objects",
    action: locally(CheckOptions, check),
  });

const WORDS = { passed: "pass", failed: "FAIL", "not played": "-   " } as const;

export const resultLines = ({ name, verdict, text, calls }: CaseResult): readonly string[] => [
  `${WORDS[verdict]}  ${name}: ${text}`,
  ...(verdict === "failed" ? calls.map((line) => `        ${line}`) : []),
];
