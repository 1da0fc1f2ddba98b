/** The text names the plug-in, and the place in it. */
export class PluginRefused extends Error {
  override readonly name = "PluginRefused";
}

/** `why` is a sentence. */
export const refused = (source: string, why: string, cause?: unknown): PluginRefused =>
  new PluginRefused(`The plug-in ${source} cannot be used: ${why}`, { cause });
