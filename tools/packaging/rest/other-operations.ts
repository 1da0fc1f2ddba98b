import type { Operations } from "./operation.ts";

const TENANT = "/v1/{tenant}";
const TYPES = `${TENANT}/resource_types`;
const CONFIGS = `${TENANT}/software_configs`;
const DEPLOYMENTS = `${TENANT}/software_deployments`;
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;

export const OTHER_OPERATIONS: Operations = {
  "GET /": { summary: "The versions of the API", answers: { 300: "VersionsAnswer" } },
  "GET /v1": { summary: "This version", answers: { 200: "VersionAnswer" } },
  [`GET ${TENANT}/build_info`]: { summary: "What runs here", answers: { 200: "BuildInfo" } },
  [`GET ${TENANT}/services`]: {
    summary: "An empty list: no engine runs between two messages",
    answers: { 200: "ServicesAnswer" },
  },
  [`GET ${TENANT}/template_versions`]: {
    summary: "The versions of the template language",
    answers: { 200: "TemplateVersionsAnswer" },
  },
  [`GET ${TENANT}/template_versions/{template_version}/functions`]: {
    summary: "The functions of a version",
    query: ["with_condition_func"],
    answers: { 200: "TemplateFunctionsAnswer" },
    refusals: [404],
  },
  [`GET ${TYPES}`]: {
    summary: "The resource types",
    query: ["type_name", "support_status", "version", "with_description"],
    answers: { 200: "TypesAnswer" },
  },
  [`GET ${TYPES}/{type_name}`]: {
    summary: "The properties and attributes of a resource type",
    query: ["with_description"],
    answers: { 200: "TypeAnswer" },
    refusals: [404],
  },
  [`GET ${TYPES}/{type_name}/template`]: {
    summary: "A template of one resource of this type",
    query: ["template_type"],
    answers: { 200: "Values" },
    refusals: [404],
  },
  [`GET ${TENANT}/_health`]: {
    summary: "The queues, the sweeper and the storage. Heat has no such route",
    answers: { 200: "HealthAnswer" },
  },
  [`GET ${TENANT}/_objects`]: {
    summary:
      "What carries Hearth's mark at the providers, and no stack has. Heat has no such route",
    answers: { 200: "ObjectsAnswer" },
  },
  [`POST ${TENANT}/_purge`]: {
    summary: "Removes what is kept of deleted stacks. Heat has no such route",
    body: "PurgeBody",
    answers: { 200: "PurgeAnswer" },
  },
  [`GET ${CONFIGS}`]: {
    summary: "The software configs that stand alone",
    query: ["global_tenant", "limit", "marker"],
    answers: { 200: "ConfigsAnswer" },
  },
  [`POST ${CONFIGS}`]: {
    summary: "Creates a software config",
    body: "ConfigBody",
    answers: { 200: "ConfigAnswer" },
  },
  [`GET ${CONFIGS}/{config_id}`]: {
    summary: "A software config",
    answers: { 200: "ConfigAnswer" },
    refusals: [404],
  },
  [`DELETE ${CONFIGS}/{config_id}`]: {
    summary: "Deletes a software config",
    answers: { 204: "nothing" },
    refusals: [404],
  },
  [`GET ${DEPLOYMENTS}`]: {
    summary: "The deployments of a project, or of one server",
    query: ["server_id"],
    answers: { 200: "DeploymentsAnswer" },
  },
  [`POST ${DEPLOYMENTS}`]: {
    summary: "Creates a deployment",
    body: "DeploymentBody",
    answers: { 200: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`GET ${DEPLOYMENTS}/metadata/{server_id}`]: {
    summary: "The deployments of a server, as its agent gets them",
    answers: { 200: "ServerMetadataAnswer" },
  },
  [`GET ${DEPLOYMENT}`]: {
    summary: "A deployment",
    answers: { 200: "DeploymentAnswer" },
    refusals: [404],
  },
  [`PUT ${DEPLOYMENT}`]: {
    summary: "Changes a deployment, or sets its result",
    body: "DeploymentChange",
    answers: { 200: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`DELETE ${DEPLOYMENT}`]: {
    summary: "Deletes a deployment",
    answers: { 204: "nothing" },
    refusals: [404],
  },
  [`POST ${DEPLOYMENT}/retry`]: {
    summary: "Runs a failed deployment once more. Heat has no such route",
    answers: { 202: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`POST ${DEPLOYMENT}/run_again`]: {
    summary: "Runs finished deployments of a stack again, in an update. Heat has no such route",
    body: "RunAgainBody",
    bodyIsOptional: true,
    answers: { 202: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`POST ${DEPLOYMENT}/abandon`]: {
    summary: "Gives up a deployment on a server that nobody reaches. Heat has no such route",
    answers: { 202: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`POST ${DEPLOYMENT}/stop`]: {
    summary: "Ends the run that a deployment waits for, or its own. Heat has no such route",
    answers: { 202: "DeploymentAnswer" },
    refusals: [404, 409],
  },
  [`GET ${DEPLOYMENT}/output/{printed}`]: {
    summary: "What a deployment has printed. Heat has no such route",
    query: ["from"],
    answers: { 200: "text" },
    refusals: [404],
  },
  [`GET ${DEPLOYMENT}/diagnosis`]: {
    summary: "Where a deployment is, and why. Heat has no such route",
    answers: { 200: "DiagnosisAnswer" },
    refusals: [404],
  },
  [`GET ${TENANT}/servers/{server_id}`]: {
    summary: "How it stands with the agent of a server. Heat has no such route",
    answers: { 200: "ServerContactAnswer" },
    refusals: [404],
  },
  [`PUT ${TENANT}/servers/{server_id}/report`]: {
    summary: "What the owner of a server knows of it. Heat has no such route",
    body: "ServerReport",
    answers: { 200: "ReportAnswer" },
    refusals: [404],
  },
};
