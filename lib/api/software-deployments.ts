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
import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import { STATUSES } from "#lib/model/action.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  basisOf,
  type Context,
  param,
  parseBodyOf,
  parseGivenBodyOf,
  tenantOf,
} from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt, routeAt } from "./declared-route.ts";
import { type ApiResponse, emptyResponse, isoTime } from "./http.ts";
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

const answerOf = (view: DeploymentView): Json => ({ software_deployment: document(view) });

/** Heat's answer has no names. They cost reads, so they are in `names` only if requested. */
const list = async (context: Context): Promise<Json> => {
  const { ports, request } = context;
  const tenant = tenantOf(context);
  const serverId = single(request.query, "server_id") ?? null;
  const views = await listDeployments(ports, tenant, serverId);
  if (!boolOf(request.query, "with_names", false)) {
    return { software_deployments: views.map(document) };
  }
  const records = views.map(({ record }) => record);
  const names = await namesOfDeployments(ports, tenant, records);
  const named = views.map((view) =>
    mergedMaps(document(view), { names: { ...names.get(view.record.id) } }),
  );
  return { software_deployments: named };
};

const metadata = async (context: Context): Promise<Json> => {
  const serverId = param(context, "server_id");
  return { metadata: await serverMetadata(context.ports, tenantOf(context), serverId) };
};

const ofDeployment =
  (act: (ports: Ports, tenant: string, id: string, basis?: string) => Promise<DeploymentView>) =>
  async (context: Context): Promise<Json> => {
    const id = param(context, "deployment_id");
    return answerOf(await act(context.ports, tenantOf(context), id, basisOf(context)));
  };

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

const create = async (context: Context): Promise<Json> => {
  const body = parseBodyOf(creationBody, context);
  const { config_id: configId, server_id: serverId } = body;
  const request = { ...changeOf(body), configId, serverId };
  return answerOf(await createDeployment(context.ports, tenantOf(context), request));
};

const update = async (context: Context): Promise<Json> => {
  const change = changeOf(parseGivenBodyOf(changeBody, context));
  const id = param(context, "deployment_id");
  const { ports } = context;
  return answerOf(await updateDeployment(ports, tenantOf(context), id, change, basisOf(context)));
};

/**
 * @limit deployments of one request to run them again, beside the one in its path
 * @beyond 400
 */
const RUN_AGAIN_MAX = 1_000;

export const runAgainBody = z.object({
  also: z.array(z.string()).max(RUN_AGAIN_MAX).nullish(),
});

const again = async (context: Context): Promise<Json> => {
  const { also } = parseBodyOf(runAgainBody, context);
  const id = param(context, "deployment_id");
  const { actor: askedBy } = context.request;
  const asks = { tenant: tenantOf(context), askedBy, basis: basisOf(context) };
  return answerOf(await runAgain(context.ports, asks, id, also ?? []));
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
  documentAt("GET", DEPLOYMENTS, list, {
    summary: "The deployments of a project, or of one server",
    query: ["server_id"],
    answers: { 200: "DeploymentsAnswer" },
  }),
  documentAt("POST", DEPLOYMENTS, create, {
    summary: "Creates a deployment",
    body: "DeploymentBody",
    answers: { 200: "DeploymentAnswer" },
    refusals: [404, 409],
  }),
  documentAt("GET", `${DEPLOYMENTS}/metadata/{server_id}`, metadata, {
    summary: "The deployments of a server, as its agent gets them",
    answers: { 200: "ServerMetadataAnswer" },
    isNeverAbsent: true,
    // The document contains the signed URLs that report a result.
    access: "changes",
  }),
  documentAt("GET", ONE, ofDeployment(showDeployment), {
    summary: "A deployment",
    answers: { 200: "DeploymentAnswer" },
  }),
  documentAt("PUT", ONE, update, {
    summary: "Changes a deployment, or sets its result",
    query: ["basis"],
    body: "DeploymentChange",
    answers: { 200: "DeploymentAnswer" },
    refusals: [409],
  }),
  routeAt("DELETE", ONE, remove, {
    summary: "Deletes a deployment",
    answers: { 204: "nothing" },
  }),
  documentAt("POST", `${ONE}/retry`, ofDeployment(retryDeployment), {
    summary: "Runs a failed deployment once more. Heat has no such route",
    query: ["basis"],
    answers: { 202: "DeploymentAnswer" },
    refusals: [409],
  }),
  documentAt("POST", `${ONE}/run_again`, again, {
    summary: "Runs finished deployments of a stack again, in an update. Heat has no such route",
    query: ["basis"],
    body: "RunAgainBody",
    bodyIsOptional: true,
    answers: { 202: "DeploymentAnswer" },
    refusals: [409],
  }),
  documentAt("POST", `${ONE}/abandon`, ofDeployment(abandonUnreachable), {
    summary: "Gives up a deployment on a server that nobody reaches. Heat has no such route",
    answers: { 202: "DeploymentAnswer" },
    refusals: [409],
  }),
  documentAt("POST", `${ONE}/stop`, ofDeployment(stopRun), {
    summary: "Ends the run that a deployment waits for, or its own. Heat has no such route",
    query: ["basis"],
    answers: { 202: "DeploymentAnswer" },
    refusals: [409],
  }),
  routeAt("GET", `${ONE}/output/{printed}`, output, {
    summary: "What a deployment has printed. Heat has no such route",
    query: ["from"],
    answers: { 200: "text" },
  }),
];
