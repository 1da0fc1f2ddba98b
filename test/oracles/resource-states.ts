/** Brings the resource of a case into the state that Heat was recorded in. */

import type { JsonObject } from "#lib/json.ts";
import { type Api, settledStack } from "./api.ts";
import { asOutput, type FunctionCase } from "./function-cases.ts";

/** No request leaves a living resource in these. */
const OUT_OF_REACH = new Set(["ADOPT", "DELETE", "RESTORE", "ROLLBACK"]);

const actionsOf = ({ resources = {} }: FunctionCase): readonly string[] =>
  Object.values(resources).map(({ action = "CREATE" }) => action);

/** Null: the state can be reached through HTTP. */
export const whyOutOfReach = (one: FunctionCase): string | null => {
  const action = actionsOf(one).find((name) => OUT_OF_REACH.has(name));
  if (action !== undefined) return `no request leaves a resource in ${action}`;
  const withoutData = Object.values(one.resources ?? {}).some(({ nodata }) => nodata);
  return withoutData ? "no request makes a resource without data" : null;
};

const act = (api: Api, path: string, name: string): Promise<unknown> =>
  api.send("POST", `${path}/actions`, { [name]: null });

const update = async (api: Api, path: string, body: JsonObject): Promise<void> => {
  const { stack_name: _, ...rest } = body;
  await api.send("PUT", path, rest);
};

/** The path of the stack, whose resources have then settled. */
export const bringToState = async (
  api: Api,
  one: FunctionCase,
  version: string,
  path: string,
): Promise<string> => {
  const [action] = actionsOf(one);
  if (action === "UPDATE") await update(api, path, asOutput(one, version, "second"));
  if (action === "SUSPEND" || action === "RESUME") await act(api, path, "suspend");
  await settledStack(api, { path });
  if (action === "RESUME") await act(api, path, "resume");
  if (action === "SNAPSHOT") await api.send("POST", `${path}/snapshots`, {});
  await settledStack(api, { path });
  return path;
};
