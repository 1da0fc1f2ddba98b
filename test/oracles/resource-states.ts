import { setTimeout as pause } from "node:timers/promises";
import type { Json, JsonObject } from "#lib/json.ts";
import { isLiveIn } from "#lib/stack/resolve-in-stack.ts";
import { evaluate } from "#test/unit/template/build.ts";
import { type Answer, type Api, at, madeStack, settledStack } from "./api.ts";
import type { FunctionCase } from "./function-cases.ts";
import { asNestedOutput, asNothing, asOutput, asOutputBehindGate } from "./function-cases.ts";

const ASK_AGAIN_MS = 25;
const STATE_MS_MAX = 60_000;

const actionsOf = ({ resources = {} }: FunctionCase): readonly string[] =>
  Object.values(resources).map(({ action = "CREATE" }) => action);

/** Only stacks have these actions, in Heat too, so no request brings a resource into one. */
const ACTIONS_OF_STACKS: readonly string[] = ["RESTORE", "ROLLBACK"];

export const isOutOfReach = (one: FunctionCase): boolean =>
  actionsOf(one).some((action) => ACTIONS_OF_STACKS.includes(action));

/** No request reaches this case, so the function is called directly, as in the recording. */
export const resolvedOutOfReach = (one: FunctionCase, version: string): Json =>
  evaluate(
    one.snippet,
    {
      resource: (name) => {
        const { attrs = {}, action = "", reference_id: refId = name } = one.resources?.[name] ?? {};
        return { refId, attributes: attrs, live: isLiveIn(action) };
      },
    },
    version,
  );

const hasNoData = ({ resources = {} }: FunctionCase): boolean =>
  Object.values(resources).some(({ nodata }) => nodata);

const act = (api: Api, path: string, name: string): Promise<unknown> =>
  api.send("POST", `${path}/actions`, { [name]: null });

const update = async (api: Api, path: string, body: JsonObject): Promise<void> => {
  const { stack_name: _, ...rest } = body;
  await api.send("PUT", path, rest);
};

const reached = async (
  api: Api,
  path: string,
  { resources = {} }: FunctionCase,
  state: string,
): Promise<void> => {
  const until = performance.now() + STATE_MS_MAX;
  for (const name of Object.keys(resources)) {
    let found = "";
    while (found !== state) {
      if (performance.now() > until) throw new Error(`${name} is ${found} and not ${state}`);
      if (found !== "") await pause(ASK_AGAIN_MS);
      const { body } = await api.send("GET", `${path}/resources/${name}`);
      found = String(at(body, "resource", "resource_status"));
    }
  }
};

/** One update removes the resources, and the next needs them again before they are gone. */
const inDelete = async (
  api: Api,
  one: FunctionCase,
  version: string,
  path: string,
): Promise<void> => {
  await update(api, path, asNothing(one, version));
  await reached(api, path, one, "DELETE_IN_PROGRESS");
  await update(api, path, asOutputBehindGate(one, version));
  await reached(api, path, one, "DELETE_IN_PROGRESS");
};

const settledIn = async (
  api: Api,
  one: FunctionCase,
  version: string,
  path: string,
): Promise<void> => {
  const [action] = actionsOf(one);
  await settledStack(api, { path });
  if (action === "UPDATE") await update(api, path, asOutput(one, version, "second"));
  if (action === "SUSPEND" || action === "RESUME") await act(api, path, "suspend");
  await settledStack(api, { path });
  if (action === "RESUME") await act(api, path, "resume");
  if (action === "SNAPSHOT") await api.send("POST", `${path}/snapshots`, {});
  await settledStack(api, { path });
  if (action === "DELETE") await inDelete(api, one, version, path);
};

const firstBody = (one: FunctionCase, version: string): JsonObject => {
  if (one.parent) return asNestedOutput(one, version);
  return hasNoData(one) ? asOutputBehindGate(one, version) : asOutput(one, version);
};

export const stackInState = async (
  api: Api,
  one: FunctionCase,
  version: string,
): Promise<Answer> => {
  const made = await api.send("POST", `/${api.newTenant()}/stacks`, firstBody(one, version));
  if (made.status !== 201) return made;
  const { path } = madeStack(made);
  if (hasNoData(one)) await reached(api, path, one, "INIT_COMPLETE");
  else await settledIn(api, one, version, path);
  return made;
};
