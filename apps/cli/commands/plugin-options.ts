import { type Command, Option } from "commander";
import { z } from "zod";
import { type RemoteAccess, readSecrets } from "#host/plugins/remote-plugin.ts";
import { collect } from "../repeated-option.ts";

export const PLUGIN_TEXT =
  "a provider of resource types: a file, a package or a URL; may be repeated";

export const RemoteOptions = z.object({
  pluginSecrets: z.string().min(1, "--plugin-secrets is empty").optional(),
  pluginPlainHttp: z.boolean().default(false),
});

export type RemoteOptions = z.infer<typeof RemoteOptions>;

export const PluginOptions = RemoteOptions.extend({
  plugin: z.array(z.string().min(1, "--plugin is empty")).default([]),
});

export type PluginOptions = z.infer<typeof PluginOptions>;

export const addPluginOptions = (command: Command): Command =>
  command
    .option("--plugin <file>", PLUGIN_TEXT, collect)
    .addOption(secretsOption())
    .addOption(plainHttpOption());

export const secretsOption = (): Option =>
  new Option(
    "--plugin-secrets <file>",
    "secrets of plug-ins by their URLs, as JSON (default: HEARTH_PLUGIN_SECRETS)",
  );

export const plainHttpOption = (): Option =>
  new Option(
    "--plugin-plain-http",
    "plug-ins on other machines without TLS, in a network that encrypts by itself",
  );

export const remoteAccess = (
  { pluginSecrets, pluginPlainHttp }: RemoteOptions,
  waitSecondsMax = 0,
): RemoteAccess => ({
  secrets: readSecrets(pluginSecrets, process.env["HEARTH_PLUGIN_SECRETS"]),
  allowsPlainHttp: pluginPlainHttp,
  waitSecondsMax,
});
