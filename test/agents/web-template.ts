/** The template of the stories about the six stages: a server `web` with a deployed script. */
import { hot } from "../aws/lane.ts";
import { config, deployment, SERVER, script } from "./rig.ts";

export const WEB = "web";

/** A deployment on `web`. */
export const deployed = (configName: string, more: object = {}): object =>
  deployment(configName, { server: { get_resource: WEB }, ...more });

export const webTemplateOf = (resources: Readonly<Record<string, object>>): object =>
  hot(
    { [WEB]: SERVER, ...resources },
    { outputs: { agent: { value: { get_attr: [WEB, "os_collect_config"] } } } },
  );

/** The deployment `run` of a script with these lines. */
export const webTemplate = (...lines: readonly string[]): object =>
  webTemplateOf({ config: config(script(...lines)), run: deployed("config") });
