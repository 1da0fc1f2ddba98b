import { signalResource } from "#lib/convergence/signal-resource.ts";
import type { ConfigContent, DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { lintDelivery } from "../configs/lint.ts";
import type { DeploymentRequest } from "./deployment-request.ts";

/** These need Keystone or Zaqar. Hearth delivers a signed URL instead, and the user must know. */
const OTHER_TRANSPORTS = ["HEAT_SIGNAL", "ZAQAR_SIGNAL"];
const WARNING_CHARS_MAX = 1_000;

export const warnOfTransport = async (
  ports: Ports,
  { call, properties }: DeploymentRequest,
): Promise<void> => {
  const { signal_transport: asked } = properties;
  if (call.action !== "CREATE" || !OTHER_TRANSPORTS.includes(asked)) return;
  const reason = `Warning: ${asked} is delivered as a signed URL, as with TEMP_URL_SIGNAL`;
  await signalResource(ports, call, { reason, final: false });
};

export const warnOfServer = async (
  ports: Ports,
  { call, properties, derivedConfigId }: DeploymentRequest,
  existing: DeploymentRecord | null,
): Promise<void> => {
  if (existing?.derivedConfigId === derivedConfigId) return;
  const reason = `Warning: no server ${properties.server} is known here, so nobody may fetch this`;
  await signalResource(ports, call, { reason, final: false });
};

/** Warns once per operation. A finding need not be an error, but may explain a later failure. */
export const warnOfLint = async (
  ports: Ports,
  request: DeploymentRequest,
  content: ConfigContent,
  existing: DeploymentRecord | null,
): Promise<void> => {
  const { call, runFor, properties, derivedConfigId } = request;
  if (existing?.derivedConfigId === derivedConfigId) return;
  const { name: givenName, actions } = properties;
  const warnings = lintDelivery({ content, action: runFor, givenName, actions });
  if (warnings.length === 0) return;
  const text = warnings.map(({ message }) => message).join("; ");
  const reason = `Warning: ${text}`.slice(0, WARNING_CHARS_MAX);
  await signalResource(ports, call, { reason, final: false });
};
