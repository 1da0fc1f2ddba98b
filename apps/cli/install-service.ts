import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { pluginFile } from "#host/plugins/load-plugin.ts";
import { isRemote } from "#host/plugins/remote-plugin.ts";
import { checkReach, demandsTokens, type ReachOptions } from "#host/reach.ts";
import { STOP_SECONDS_DEFAULT } from "#host/stop-seconds.ts";
import { hiddenPaths, type ServiceUnit, serviceUnit } from "./service-unit.ts";
import { startFailure } from "./start-failure.ts";

const LOW_PORTS_END = 1_024;
const LISTENING = /^--(port|listen|agents-listen|metrics-listen)$/;

/** In a single executable the program and its script are the same file, which is named once. */
const programOf = (node: string, script: string | undefined): readonly string[] => {
  const program = [realpathSync(node), realpathSync(script ?? node)];
  return [...new Set(program)];
};

interface Given {
  readonly name: string;
  readonly value: string | null;
}

/** A plug-in may be a package, which is only found from the current folder. */
const pathIn = (option: string, text: string): string => {
  if (option !== "--plugin") return resolve(text);
  if (isRemote(text)) return text;
  try {
    return pluginFile(text);
  } catch (error) {
    throw startFailure(error, null);
  }
};

const givenOptions = (command: Command): readonly Given[] =>
  command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === "cli")
    .flatMap((option): Given[] => {
      const { long, flags } = option;
      const name = long ?? flags;
      const value: unknown = command.getOptionValue(option.attributeName());
      if (typeof value === "boolean") return [{ name, value: null }];
      const isPath = /<(file|folder)>/.test(flags);
      const values = Array.isArray(value) ? value.map(String) : [String(value)];
      return values.map((text) => ({ name, value: isPath ? pathIn(name, text) : text }));
    });

const portOf = (value: string): number => Number(/(?:^|:)(\d+)$/.exec(value)?.[1] ?? 0);

const unitOf = (command: Command, needsToken: boolean): ServiceUnit => {
  const given = givenOptions(command).filter(({ name }) => name !== "--install-service");
  return {
    program: programOf(process.execPath, process.argv[1]),
    data: given.find(({ name }) => name === "--data")?.value ?? null,
    options: given
      .filter(({ name }) => name !== "--data")
      .flatMap(({ name, value }) => (value === null ? [name] : [name, value])),
    needsLowPort: given.some(({ name, value }) => {
      const port = LISTENING.test(name) ? portOf(value ?? "") : 0;
      return port > 0 && port < LOW_PORTS_END;
    }),
    stopSeconds: Number(
      given.find(({ name }) => name === "--stop-seconds")?.value ?? STOP_SECONDS_DEFAULT,
    ),
    needsToken,
  };
};

/** A unit with options that `serve` refuses would fail at each of its starts. */
const refuseBadReach = (reach: ReachOptions): void => {
  try {
    checkReach(reach);
  } catch (error) {
    throw startFailure(error, null);
  }
};

export const printServiceUnit = (command: Command, reach: ReachOptions): void => {
  refuseBadReach(reach);
  const unit = unitOf(command, demandsTokens(reach));
  for (const path of hiddenPaths(unit))
    process.stderr.write(
      `WARNING: The service cannot see ${path}. Put it elsewhere; Hearth itself belongs below /usr/local.\n`,
    );
  process.stdout.write(serviceUnit(unit));
};
