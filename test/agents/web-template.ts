import { hot } from "../aws/lane.ts";
import { config, deployment, SERVER, script } from "./rig.ts";

export const WEB = "web";

export const deployed = (configName: string, more: object = {}): object =>
  deployment(configName, { server: { get_resource: WEB }, ...more });

export const webTemplateOf = (resources: Readonly<Record<string, object>>): object =>
  hot(
    { [WEB]: SERVER, ...resources },
    { outputs: { agent: { value: { get_attr: [WEB, "os_collect_config"] } } } },
  );

export const webTemplate = (...lines: readonly string[]): object =>
  webTemplateOf({ config: config(script(...lines)), run: deployed("config") });
