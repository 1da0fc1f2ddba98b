export class PluginRefused extends Error {
  override readonly name = "PluginRefused";
}

export const refused = (source: string, why: string, cause?: unknown): PluginRefused =>
  new PluginRefused(`The plug-in ${source} cannot be used: ${why}`, { cause });
