import { delimiter } from "node:path";

/**
 * npm passes its settings to scripts in these variables, such as those of this clone's `.npmrc`.
 */
const OF_NPM = /^(?:npm_|NODE$|INIT_CWD$)/;
/** Without these settings of the user, the registry may be out of reach. */
const OF_USER = /^npm_config_(?:registry|cache|cafile|proxy|https_proxy|noproxy)$/i;

export const terminalWith = (...path: readonly string[]): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_NPM.test(name) || OF_USER.test(name)),
  ),
  PATH: [...path, "/usr/bin", "/bin"].join(delimiter),
});
