import { type Client, openClient } from "#client/client.ts";
import type { Plugin } from "#host/plugins/load-plugin.ts";
import { type PluginOptions, remoteAccess } from "./commands/plugin-options.ts";
import { keepLogQuiet } from "./empty-variables.ts";
import { CommandFailed, EXIT_USAGE } from "./failure.ts";

export const usedPlugins = async (options: PluginOptions): Promise<readonly Plugin[]> => {
  const { plugin, ...remote } = options;
  if (plugin.length === 0) return [];
  const { loadPlugins } = await import("#host/plugins/load-plugin.ts");
  const { PluginRefused } = await import("#host/plugins/plugin-refused.ts");
  try {
    return await loadPlugins(plugin, remoteAccess(remote));
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
