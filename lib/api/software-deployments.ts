import * as z from "zod";
import { namesOfDeployments } from "#lib/engine/deployments/deployment-names.ts";
import { deploymentOutput } from "#lib/engine/deployments/deployment-output.ts";
import { abandonUnreachable } from "#lib/engine/deployments/deployment-result.ts";
import type { DeploymentView } from "#lib/engine/deployments/find-deployment.ts";
import { retryDeployment } from "#lib/engine/deployments/retry-deployment.ts";
import { runAgain } from "#lib/engine/deployments/run-again.ts";
import {
  createDeployment,
  type DeploymentChange,
  deleteDeployment,
  listDeployments,
  serverMetadata,
  showDeployment,
  updateDeployment,
} from "#lib/engine/deployments/software-deployments.ts";
import { stopRun } from "#lib/engine/deployments/stop-run.ts";
import { type JsonObject, mergedMaps } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { STATUSES } from "#lib/model/action.ts";
import {
  type Context,
  param,
  parseBodyOf,
  parseGivenBodyOf,
  type Route,
  tenantOf,
} from "./context.ts";
import { type ApiResponse, emptyResponse, isoTime, jsonResponse } from "./http.ts";
import { boolOf, parseInteger, single } from "./query.ts";

/** Like Heat, no updated_time before the first update. */
const document = ({ record, inputValues, outputValues }: DeploymentView): JsonObject => ({
  id: record.id,
  server_id: record.serverId,
  config_id: record.derivedConfigId,
  input_values: inputValues,
  output_values: outputValues,
  action: record.action,
  status: record.status,
  status_reason: record.statusReason,
  creation_time: isoTime(record.createdAt),
  ...(record.updatedAt === record.createdAt ? {} : { updated_time: isoTime(record.updatedAt) }),
});

const answerOf = (view: DeploymentView): ApiResponse =>
  jsonResponse(200, { software_deployment: document(view) });

/** Heat's answer has no names. They cost reads, so they are in `names` only if requested. */
const list = async (context: Context): Promise<ApiResponse> => {
  const { ports, request } = context;
  const tenant = tenantOf(context);
  const serverId = single(request.query, "server_id") ?? null;
  const views = await listDeployments(ports, tenant, serverId);
  if (!boolOf(request.query, "with_names", false)) {
    return jsonResponse(200, { software_deployments: views.map(document) });
  }
  const records = views.map(({ record }) => record);
  const names = await namesOfDeployments(ports, tenant, records);
  const named = views.map((view) =>
    mergedMaps(document(view), { names: { ...names.get(view.record.id) } }),
  );
  return jsonResponse(200, { software_deployments: named });
};

const metadata = async (context: Context): Promise<ApiResponse> => {
  const serverId = param(context, "server_id");
  return jsonResponse(200, {
    metadata: await serverMetadata(context.ports, tenantOf(context), serverId),
  });
};

const show = async (context: Context): Promise<ApiResponse> =>
  answerOf(await showDeployment(context.ports, tenantOf(context), param(context, "deployment_id")));

export const changeBody = z.object({
  config_id: z.string().nullish(),
  input_values: z.nullish(jsonObject),
  output_values: z.nullish(jsonObject),
  action: z.string().nullish(),
  status: z.enum(STATUSES).nullish(),
  status_reason: z.string().nullish(),
  // Only for the deployment of a stack, with the keys that a server uses.
  deploy_stdout: z.string().nullish(),
  deploy_stderr: z.string().nullish(),
  deploy_status_code: z.int().nullish(),
});
const SERVER_ID_CHARS_MAX = 255;
export const creationBody = changeBody.extend({
  config_id: z.string(),
  server_id: z.string().min(1).max(SERVER_ID_CHARS_MAX),
});

const changeOf = (body: z.infer<typeof changeBody>): DeploymentChange => ({
  configId: body.config_id ?? null,
  inputValues: body.input_values ?? null,
  outputValues: body.output_values ?? null,
  action: body.action ?? null,
  status: body.status ?? null,
  statusReason: body.status_reason ?? null,
  stdout: body.deploy_stdout ?? null,
  stderr: body.deploy_stderr ?? null,
  statusCode: body.deploy_status_code ?? null,
});

const create = async (context: Context): Promise<ApiResponse> => {
  const body = parseBodyOf(creationBody, context);
  const { config_id: configId, server_id: serverId } = body;
  const request = { ...changeOf(body), configId, serverId };
  return answerOf(await createDeployment(context.ports, tenantOf(context), request));
};

const update = async (context: Context): Promise<ApiResponse> => {
  const change = changeOf(parseGivenBodyOf(changeBody, context));
  const id = param(context, "deployment_id");
  return answerOf(await updateDeployment(context.ports, tenantOf(context), id, change));
};

/**
 * @limit deployments of one request to run them again, beside the one in its path
 * @beyond 400
 */
const RUN_AGAIN_MAX = 1_000;

const retry = async (context: Context): Promise<ApiResponse> => {
  const id = param(context, "deployment_id");
  const view = await retryDeployment(context.ports, tenantOf(context), id);
  return jsonResponse(202, { software_deployment: document(view) });
};

export const runAgainBody = z.object({
  also: z.array(z.string()).max(RUN_AGAIN_MAX).nullish(),
});

const again = async (context: Context): Promise<ApiResponse> => {
  const { also } = parseBodyOf(runAgainBody, context);
  const id = param(context, "deployment_id");
  const asks = { tenant: tenantOf(context), askedBy: context.request.actor };
  const view = await runAgain(context.ports, asks, id, also ?? []);
  return jsonResponse(202, { software_deployment: document(view) });
};

const abandon = async (context: Context): Promise<ApiResponse> => {
  const id = param(context, "deployment_id");
  const view = await abandonUnreachable(context.ports, tenantOf(context), id);
  return jsonResponse(202, { software_deployment: document(view) });
};

const stop = async (context: Context): Promise<ApiResponse> => {
  const id = param(context, "deployment_id");
  const view = await stopRun(context.ports, tenantOf(context), id);
  return jsonResponse(202, { software_deployment: document(view) });
};

/** If one answer is too small: where the next page begins, for the query parameter `from`. */
const NEXT_HEADER = "X-Next-From";

const output = async (context: Context): Promise<ApiResponse> => {
  const { text, next } = await deploymentOutput(context.ports, {
    tenant: tenantOf(context),
    id: param(context, "deployment_id"),
    key: param(context, "printed"),
    from: parseInteger("from", single(context.request.query, "from") ?? 0),
  });
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    // A browser must not render what a script printed.
    "X-Content-Type-Options": "nosniff",
    ...(next === null ? {} : { [NEXT_HEADER]: String(next) }),
  };
  return { status: 200, headers, body: text };
};

const remove = async (context: Context): Promise<ApiResponse> => {
  await deleteDeployment(context.ports, tenantOf(context), param(context, "deployment_id"));
  return emptyResponse(204);
};

const DEPLOYMENTS = "/v1/{tenant}/software_deployments";
const ONE = `${DEPLOYMENTS}/{deployment_id}`;

export const softwareDeploymentRoutes: readonly Route[] = [
  { method: "GET", pattern: DEPLOYMENTS, handle: list },
  { method: "POST", pattern: DEPLOYMENTS, handle: create },
  { method: "GET", pattern: `${DEPLOYMENTS}/metadata/{server_id}`, handle: metadata },
  { method: "GET", pattern: ONE, handle: show },
  { method: "PUT", pattern: ONE, handle: update },
  { method: "DELETE", pattern: ONE, handle: remove },
  { method: "POST", pattern: `${ONE}/retry`, handle: retry },
  { method: "POST", pattern: `${ONE}/run_again`, handle: again },
  { method: "POST", pattern: `${ONE}/abandon`, handle: abandon },
  { method: "POST", pattern: `${ONE}/stop`, handle: stop },
  { method: "GET", pattern: `${ONE}/output/{printed}`, handle: output },
];
