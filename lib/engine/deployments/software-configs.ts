/** Software configs that a user makes without a stack. Reads also show those of stacks. */
import { RequestError, requestLimitExceeded } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import {
  type ConfigContent,
  type SoftwareConfigRecord,
  STANDALONE,
} from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  openConfig,
  openDerivedConfig,
  sealConfig,
} from "#lib/software-config/configs/config-content.ts";
import { parseInputs, parseOutputs } from "#lib/software-config/configs/config-schema.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { byAge, listDeployments } from "./software-deployments.ts";

/**
 * @limit software configs of a project outside of stacks
 * @beyond 400 `RequestLimitExceeded`
 */
const CONFIGS_MAX = 4_096;

export interface ConfigView {
  readonly id: string;
  readonly createdAt: number;
  readonly content: ConfigContent;
}

export interface ConfigRequest {
  readonly name?: string | null | undefined;
  readonly group?: string | null | undefined;
  readonly config?: Json | undefined;
  readonly inputs?: Json | undefined;
  readonly outputs?: Json | undefined;
  readonly options?: JsonObject | null | undefined;
}

const configNotFound = (id: string): RequestError =>
  new RequestError("NotFound", 404, `Software config with id ${id} not found`);

const viewOf = async (
  { cipher }: Pick<Ports, "cipher">,
  record: SoftwareConfigRecord,
): Promise<ConfigView> => ({
  id: record.id,
  createdAt: record.createdAt,
  content: await openConfig(cipher, record),
});

export const listConfigs = async (
  ports: Ports,
  tenant: string,
  { marker, limit }: { readonly marker: string | undefined; readonly limit: number | undefined },
): Promise<readonly ConfigView[]> => {
  const records = (await ports.softwareConfigs.listConfigs(tenant)).toSorted(byAge);
  const from = records.findIndex(({ id }) => id === marker) + 1;
  const page = records.slice(from, from + (limit ?? records.length));
  return Promise.all(page.map((record) => viewOf(ports, record)));
};

/** A derived config is stored in the record of its deployment. */
const derivedConfig = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<ConfigView | null> => {
  const target = await ports.softwareConfigs.getSignalTarget(id);
  if (target?.tenant !== tenant || target.deploymentId === null) return null;
  const { serverId, deploymentId } = target;
  const deployment = await ports.softwareConfigs.getDeployment(serverId, deploymentId);
  if (deployment?.tenant !== tenant || deployment.derivedConfigId !== id) return null;
  const content = await openDerivedConfig(ports.cipher, deployment);
  return { id, createdAt: deployment.createdAt, content };
};

export const showConfig = async (ports: Ports, tenant: string, id: string): Promise<ConfigView> => {
  const record = await ports.softwareConfigs.getConfig(tenant, id);
  const view =
    record === null ? await derivedConfig(ports, tenant, id) : await viewOf(ports, record);
  if (view === null) throw configNotFound(id);
  return view;
};

export const createConfig = async (
  ports: Ports,
  tenant: string,
  request: ConfigRequest,
): Promise<ConfigView> => {
  const content: ConfigContent = {
    name: request.name ?? "",
    group: request.group ?? UNGROUPED,
    config: request.config ?? "",
    inputs: parseInputs(request.inputs),
    outputs: parseOutputs(request.outputs),
    options: request.options ?? {},
  };
  const existing = await ports.softwareConfigs.listConfigs(tenant);
  if (existing.filter(({ stackId }) => stackId === STANDALONE).length >= CONFIGS_MAX) {
    throw requestLimitExceeded(
      `You have reached the maximum software configs per tenant, ${CONFIGS_MAX}. Please delete some configs.`,
    );
  }
  const [id, createdAt] = [ports.ids.fresh(), ports.clock.now()];
  const owner = { tenant, stackId: STANDALONE, id };
  const sealed = await sealConfig(ports.cipher, owner, content);
  await ports.softwareConfigs.putConfig({ ...owner, content: sealed, createdAt });
  return { id, createdAt, content };
};

/** Throws 404, and 400 if a deployment uses the config. Stacks use copies. */
export const deleteConfig = async (ports: Ports, tenant: string, id: string): Promise<void> => {
  const record = await ports.softwareConfigs.getConfig(tenant, id);
  if (record === null) throw configNotFound(id);
  const deployments = await listDeployments(ports, tenant, null);
  if (deployments.some(({ record: { derivedConfigId } }) => derivedConfigId === id)) {
    const message = `Software config with id ${id} can not be deleted as it is referenced.`;
    throw new RequestError("InvalidRestrictedAction", 400, message);
  }
  await ports.softwareConfigs.deleteConfig(tenant, id);
};
