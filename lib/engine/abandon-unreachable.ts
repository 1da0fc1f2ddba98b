/** The verb abandon of a deployment: its DELETE ends without its server's answer. */
import { conflict } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { whyServerIsGoneNow } from "#lib/software-config/deployments/gone-server.ts";
import { explainDeployment } from "#lib/software-config/diagnosis/explain-deployment.ts";
import { whyUnreachable } from "#lib/software-config/diagnosis/unreachable.ts";
import { type DeploymentView, findDeployment, viewOf } from "./find-deployment.ts";
import { setDeploymentResult } from "./set-deployment-result.ts";
import { waitingOperation } from "./waiting-deployment.ts";

const ENDED = {
  status: "COMPLETE",
  statusReason: null,
  outputValues: null,
  stdout: null,
  stderr: null,
  statusCode: null,
} as const;

export const abandonUnreachable = async (
  ports: Ports,
  tenant: string,
  id: string,
): Promise<DeploymentView> => {
  const record = await findDeployment(ports, tenant, id);
  await waitingOperation(ports, record);
  if (record.action !== "DELETE") {
    throw conflict(
      `Deployment ${id} waits for the result of its ${record.action}: only a DELETE can be abandoned.`,
    );
  }
  const { facts, diagnosis } = await explainDeployment(ports, record);
  const why =
    whyUnreachable(facts, ports.clock.now()) ??
    (await whyServerIsGoneNow(ports, tenant, record.serverId));
  if (why === null) {
    throw conflict(
      `Deployment ${id} is not abandoned, because its server can be reached: ${diagnosis.verdict.summary}.`,
    );
  }
  await setDeploymentResult(ports, record, ENDED, `Abandoned: deployment ${id}: ${why}`);
  return viewOf(ports, record);
};
