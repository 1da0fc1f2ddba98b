import { z } from "zod";
import { type Client, openClient } from "#client/client.ts";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import { type RemoteAccess, readSecrets } from "#host/plugins/remote-plugin.ts";
import { keepLogQuiet } from "./empty-variables.ts";
import { CommandFailed, EXIT_USAGE } from "./failure.ts";
import { filled, flag, option } from "./options.ts";

export const RemoteOptions = z.object({
  pluginSecrets: option(
    "--plugin-secrets <file>",
    "secrets of plug-ins by their URLs, as JSON (default: HEARTH_PLUGIN_SECRETS)",
    filled("--plugin-secrets"),
  ),
  pluginPlainHttp: flag(
    "--plugin-plain-http",
    "plug-ins on other machines without TLS, in a network that encrypts by itself",
  ),
});

export type RemoteOptions = z.infer<typeof RemoteOptions>;

export const PluginOptions = z.object({
  plugin: option(
    "--plugin <file>",
    "a provider of resource types: a file, a package or a URL; may be repeated",
    z.array(z.string().min(1, "--plugin is empty")).default([]),
  ),
  ...RemoteOptions.shape,
});

export type PluginOptions = z.infer<typeof PluginOptions>;

export const remoteAccess = (
  { pluginSecrets, pluginPlainHttp }: RemoteOptions,
  waitSecondsMax = 0,
): RemoteAccess => ({
  secrets: readSecrets(pluginSecrets, process.env["HEARTH_PLUGIN_SECRETS"]),
  allowsPlainHttp: pluginPlainHttp,
  waitSecondsMax,
});

export const usedPlugins = async (options: PluginOptions): Promise<readonly Plugin[]> => {
  const { plugin } = options;
  if (plugin.length === 0) return [];
  const { loadPlugins } = await import("#host/plugins/load-plugin.ts");
  const { PluginRefused } = await import("#host/plugins/remote-plugin.ts");
  try {
    return await loadPlugins(plugin, remoteAccess(options));
  } catch (error) {
    if (error instanceof PluginRefused) throw new CommandFailed(error.message, EXIT_USAGE);
    throw error;
  }
};

/** The user's host lacks these plug-ins, so a host in this process answers. It keeps nothing. */
export const askingHostWith = async <T>(
  plugins: readonly Plugin[],
  project: string,
  ask: (client: Client) => Promise<T>,
): Promise<T> => {
  keepLogQuiet();
  const { startHost } = await import("#host/host.ts");
  const host = await startHost({ port: 0, data: null, plugins });
  try {
    return await ask(openClient({ endpoint: host.url, project }));
  } finally {
    await host.stop();
  }
};
