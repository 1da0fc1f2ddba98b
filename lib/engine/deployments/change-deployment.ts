/**
 * The verb update of a deployment. If the deployment belongs to a stack, a user may set only its
 * result.
 */
import { badRequest, RequestError, RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import {
  type ConfigContent,
  type DeploymentRecord,
  STANDALONE,
} from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openConfig, sealDeploymentField } from "#lib/software-config/configs/config-content.ts";
import { safeName } from "#lib/software-config/configs/derive-config.ts";
import { type GivenResult, setDeploymentResult } from "./deployment-result.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";

export interface DeploymentChange extends Omit<GivenResult, "status"> {
  readonly configId: string | null;
  readonly inputValues: JsonObject | null;
  readonly action: string | null;
  readonly status: DeploymentRecord["status"] | null;
}

export const notValid = (reason: string): RequestError =>
  new RequestError("Invalid", 400, `Data supplied was not valid: ${reason}`);

export const contentOf = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<ConfigContent> => {
  const config = await ports.softwareConfigs.getConfig(tenant, id);
  if (config === null) throw notValid(`Config with id ${id} not found`);
  const content = await openConfig(ports.cipher, config);
  return { ...content, name: safeName(content.name) };
};

/** Each lost attempt means that another request has changed the same deployment. */
const CHANGE_ATTEMPTS_MAX = 5;

const changeStandalone = async (
  ports: Ports,
  read: DeploymentRecord,
  change: DeploymentChange,
): Promise<void> => {
  const { tenant, id } = read;
  const { configId } = change;
  const content = configId === null ? null : await contentOf(ports, tenant, configId);
  let record = read;
  for (let attempts = 0; attempts < CHANGE_ATTEMPTS_MAX; attempts += 1) {
    const next = await changed(ports, record, change, content);
    if (await ports.softwareConfigs.changeDeployment(next, record)) return;
    record = await findDeployment(ports, tenant, id);
  }
  throw new RetryLater(`other writers keep changing deployment ${id}`);
};

const changed = async (
  { cipher, clock }: Ports,
  record: DeploymentRecord,
  { configId, inputValues, outputValues, ...change }: DeploymentChange,
  content: ConfigContent | null,
): Promise<DeploymentRecord> => ({
  ...record,
  ...(content === null || configId === null
    ? {}
    : {
        derivedConfigId: configId,
        name: content.name,
        derivedConfig: await sealDeploymentField(cipher, record, "derivedConfig", content),
      }),
  ...(inputValues && {
    inputValues: await sealDeploymentField(cipher, record, "inputValues", inputValues),
  }),
  ...(outputValues && {
    outputValues: await sealDeploymentField(cipher, record, "outputValues", outputValues),
  }),
  action: change.action ?? record.action,
  status: change.status ?? record.status,
  statusReason: change.statusReason ?? record.statusReason,
  updatedAt: clock.now(),
});

const setResult = async (
  ports: Ports,
  record: DeploymentRecord,
  { configId, inputValues, action, status, ...given }: DeploymentChange,
): Promise<void> => {
  const isResult = status === "COMPLETE" || status === "FAILED";
  if (!isResult || configId !== null || inputValues !== null || action !== null) {
    throw badRequest(
      `Deployment ${record.id} belongs to stack ${record.stackId}: only its status (COMPLETE or FAILED), status_reason, output_values, deploy_stdout, deploy_stderr and deploy_status_code can be set.`,
    );
  }
  await setDeploymentResult(ports, record, { ...given, status });
};

export const updateDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
  change: DeploymentChange,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id);
  const isStandalone = record.stackId === STANDALONE;
  await (isStandalone ? changeStandalone : setResult)(ports, record, change);
  return viewOf(ports, await findDeployment(ports, tenant, id));
};
