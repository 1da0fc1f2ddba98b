/** The variables of a user's terminal: nothing of the npm that runs this program. */
import { delimiter } from "node:path";

/** What npm tells its scripts, such as the settings of this clone's `.npmrc`. */
const OF_NPM = /^(?:npm_|NODE$|INIT_CWD$)/;
/** Where a user has set these, the registry may be out of reach without them. */
const OF_USER = /^npm_config_(?:registry|cache|cafile|proxy|https_proxy|noproxy)$/i;

export const terminalWith = (...path: readonly string[]): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OF_NPM.test(name) || OF_USER.test(name)),
  ),
  PATH: [...path, "/usr/bin", "/bin"].join(delimiter),
});
