/** Loads providers from files, installed packages and servers. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkProvidedType } from "#lib/resources/provided/provided-schema.ts";
import { isTemplateName } from "#lib/template/environment/registry.ts";
import { AnswerLost } from "#provider/errors.ts";
import type { RemoteAddress } from "#provider/http/signed-request.ts";
import type { Provider } from "#provider/provider.ts";
import { NoProvider, readProvider } from "#provider/read-provider.ts";
import { whyUnreadable } from "../operator-files.ts";
import { localTypes } from "./plugin-types.ts";
import {
  connectPlugin,
  isRemote,
  NO_REMOTE_ACCESS,
  PluginRefused,
  type RemoteAccess,
  refused,
  remoteAddress,
} from "./remote-plugin.ts";

export interface Plugin {
  readonly source: string;
  readonly provider: Provider;
}

const OWN_PREFIX = "Hearth::";
const FILE = /^[./]|\.[cm]?[jt]s$/;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const packageFile = (name: string): string => {
  try {
    return createRequire(join(process.cwd(), "package.json")).resolve(name);
  } catch (error) {
    const [line = ""] = messageOf(error).split("\n");
    throw refused(name, `no such package is installed here (${line}).`, error);
  }
};

export const pluginFile = (source: string): string =>
  FILE.test(source) ? resolve(source) : packageFile(source);

const importModule = async (source: string, query: string): Promise<unknown> => {
  const path = pluginFile(source);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw refused(source, `${whyUnreadable(error)}.`, error);
  }
  try {
    return await import(pathToFileURL(path).href + query);
  } catch (error) {
    throw refused(source, `it fails when it is loaded: ${messageOf(error)}`, error);
  }
};

const defaultOf = (module: unknown): unknown =>
  typeof module === "object" && module !== null && "default" in module ? module.default : undefined;

export interface LoadOptions {
  /** A different query loads the module again, with new module state. */
  readonly query?: string;
  readonly remote?: RemoteAccess;
}

const providerOf = async (
  source: string,
  { query = "", remote = NO_REMOTE_ACCESS }: LoadOptions,
): Promise<Provider> =>
  isRemote(source)
    ? connectPlugin(source, remote)
    : readProvider(defaultOf(await importModule(source, query)));

export const loadPlugin = async (source: string, options: LoadOptions = {}): Promise<Plugin> => {
  try {
    const provider = await providerOf(source, options);
    for (const [name, type] of Object.entries(provider.types)) checkProvidedType(name, type);
    return { source, provider };
  } catch (error) {
    if (!(error instanceof NoProvider)) throw error;
    throw refused(source, `${error.message}.`, error);
  }
};

const refuseTaken = async (
  plugins: readonly Plugin[],
  isOwn: (name: string) => Promise<boolean>,
): Promise<void> => {
  const sources = new Map<string, string>();
  for (const { source, provider } of plugins) {
    for (const name of Object.keys(provider.types)) {
      const other = sources.get(name);
      if (other !== undefined) {
        throw refused(source, `types.${name}: the plug-in ${other} has a type of this name too.`);
      }
      if (name.startsWith(OWN_PREFIX) || (await isOwn(name))) {
        throw refused(source, `types.${name}: Hearth has this name itself.`);
      }
      sources.set(name, source);
    }
  }
};

export interface AwayPlugin {
  readonly address: RemoteAddress;
  readonly types: readonly string[];
}

export interface LoadedPlugins {
  readonly plugins: readonly Plugin[];
  readonly away: readonly AwayPlugin[];
}

export const loadPlugins = async (
  sources: readonly string[],
  remote: RemoteAccess = NO_REMOTE_ACCESS,
): Promise<readonly Plugin[]> => (await loadKnownPlugins(sources, remote, () => [])).plugins;

/**
 * Like loadPlugins, for a host that knows from its last start which types a server has. A server
 * that does not answer then does not prevent the start. Throws PluginRefused.
 */
export const loadKnownPlugins = async (
  sources: readonly string[],
  remote: RemoteAccess,
  typesOf: (source: string) => readonly string[],
): Promise<LoadedPlugins> => {
  if (sources.length === 0) return { plugins: [], away: [] };
  const away: AwayPlugin[] = [];
  const load = async (source: string): Promise<readonly Plugin[]> => {
    try {
      return [await loadPlugin(source, { remote })];
    } catch (error) {
      const types = typesOf(source);
      const isAway = error instanceof PluginRefused && error.cause instanceof AnswerLost;
      if (!isAway || types.length === 0) throw error;
      away.push({ address: remoteAddress(source, remote), types });
      return [];
    }
  };
  const plugins = (await Promise.all(sources.map(load))).flat();
  const { resourceTypes } = localTypes();
  await refuseTaken(
    plugins,
    async (name) => isTemplateName(name) || (await resourceTypes.get(name)) !== null,
  );
  return { plugins, away };
};
