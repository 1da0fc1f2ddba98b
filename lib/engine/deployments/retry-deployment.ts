/**
 * Publishes the same content under a new derived id, because an agent never runs the same id twice.
 * It is for a lost result, or an agent that never began. The operation keeps its deadline, but the
 * deployment's own `timeout` starts again. An operation has one result, from any delivery, so a
 * result that arrives before this write counts.
 */
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { conflict } from "#lib/errors.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { signalExpiry, signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import {
  openDerivedConfig,
  sealDeploymentField,
} from "#lib/software-config/configs/config-content.ts";
import {
  DELIVERIES_MAX,
  derivedConfigIdOf,
  putSignalTarget,
  withSignalUrl,
} from "#lib/software-config/deployments/delivery.ts";
import {
  type DeploymentView,
  findDeployment,
  refuseStandalone,
  viewOf,
  waitingOperation,
} from "./find-deployment.ts";

const nextDelivery = async (
  ports: Ports,
  record: DeploymentRecord,
  deadline: number,
): Promise<DeploymentRecord> => {
  const { tenant, generation } = record;
  const delivery = record.delivery + 1;
  // Before a restore, a retry may have had this number, and an agent has run its id.
  const ofThisLife = { ...record, generation: Math.max(generation, ports.life ?? 0) };
  const derivedConfigId = derivedConfigIdOf(ports.ids, ofThisLife, delivery);
  const exp = signalExpiry(deadline);
  const url = signalUrl(ports, { tenant, id: derivedConfigId, exp, gen: generation });
  const content = await openDerivedConfig(ports.cipher, record);
  return {
    ...record,
    delivery,
    derivedConfigId,
    derivedConfig: await sealDeploymentField(
      ports.cipher,
      record,
      "derivedConfig",
      withSignalUrl(content, url),
    ),
    updatedAt: ports.clock.now(),
  };
};

export const retryDeployment = async (
  ports: Ports,
  tenant: string,
  id: string,
  basis?: string,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id, basis);
  refuseStandalone(record);
  const { deadline } = await waitingOperation(ports, record);
  if (record.delivery >= DELIVERIES_MAX) {
    throw conflict(
      `Deployment ${id} has been delivered ${DELIVERIES_MAX} times, which is the maximum.`,
    );
  }
  const next = await nextDelivery(ports, record, deadline);
  await putSignalTarget(ports, { ...next, deploymentId: id }, deadline);
  if (!(await ports.softwareConfigs.changeDeployment(next, record))) {
    throw conflict(
      `Deployment ${id} was changed at the same moment, so it is not delivered again.`,
    );
  }
  const reason = `Retry: deployment ${id} is delivered again as ${next.derivedConfigId}, delivery ${next.delivery}`;
  await signalResource(ports, next, { reason, final: false });
  return viewOf(ports, next);
};
