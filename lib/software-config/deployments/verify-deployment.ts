/**
 * CHECK of a deployment. The option `verify` of its config is a script that exits with 0 if
 * everything that the deployment set up is still there; otherwise the deployment differs. The
 * script is delivered as a second deployment beside the checked one, whose delivery, outputs and
 * place in the document stay. All checks share one record, which the DELETE of the checked
 * deployment removes.
 */

import { mapOf } from "#lib/json.ts";
import type { ConfigContent } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { openConfig } from "../configs/config-content.ts";
import { NO_SIGNAL } from "../configs/derive-config.ts";
import { findRecord, readDeploymentRequest, verificationId } from "./deployment-request.ts";
import { abandonDeployment, checkDeployment } from "./finish-deployment.ts";
import { removeDeployment } from "./operation-end.ts";
import { runDeployment } from "./start-deployment.ts";

/**
 * A check of a server that is silent must end before the stack's time does.
 * @limit time that a check waits for the answer of a script `verify`
 * @beyond what the check has found is unknown
 */
const VERIFY_SECONDS_MAX = 300;
const WORDS_CHARS_MAX = 400;

const asVerification = (call: ProviderCall, ports: Ports): ProviderCall => {
  const { properties, deploymentId } = readDeploymentRequest(call, ports);
  const { server, input_values, signal_transport: transport } = properties;
  return {
    ...call,
    physicalResourceId: verificationId(ports, deploymentId),
    properties: {
      server,
      input_values,
      actions: ["CHECK"],
      timeout: VERIFY_SECONDS_MAX,
      ...(transport === NO_SIGNAL ? {} : { signal_transport: transport }),
    },
  };
};

const verificationOf = async (
  { softwareConfigs, cipher }: Ports,
  call: ProviderCall,
  { config, name }: { readonly config: string | null; readonly name: string | null },
): Promise<ConfigContent | null> => {
  const record = config === null ? null : await softwareConfigs.getConfig(call.tenant, config);
  if (record === null) return null;
  const { options, inputs, ...source } = await openConfig(cipher, record);
  const { verify } = options;
  if (typeof verify !== "string" || verify === "") return null;
  return {
    name: `${name || source.name}-verify`,
    group: "script",
    config: verify,
    inputs,
    outputs: [],
    options: mapOf(Object.entries(options).filter(([key]) => key !== "verify")),
  };
};

export const verifyDeployment = async (call: ProviderCall, ports: Ports): Promise<Progress> => {
  // An external resource (P19) may have no properties.
  if (typeof call.properties["server"] !== "string") return { state: "finished" };
  const request = readDeploymentRequest(call, ports);
  const content = await verificationOf(ports, call, request.properties);
  const record = content === null ? null : await findRecord(ports, request);
  if (content === null || record?.resourceId !== call.resourceId) return { state: "finished" };
  const stack = await ports.store.getStack(call.tenant, call.stackId);
  if (stack?.suspended) return { state: "finished", note: "it is suspended", isOff: true };
  return progressOf(call, await runDeployment(asVerification(call, ports), ports, content));
};

export const checkVerification = async (
  call: ProviderCall,
  handle: string,
  ports: Ports,
): Promise<Progress> =>
  progressOf(call, await checkDeployment(asVerification(call, ports), handle, ports));

const progressOf = (call: ProviderCall, progress: Progress): Progress => {
  switch (progress.state) {
    case "waiting":
      return { ...progress, physicalResourceId: call.physicalResourceId ?? "" };
    case "failed":
      return { state: "failed", ...findingOf(progress) };
    default:
      return { state: "finished" };
  }
};

const EXITED = /exited with non-zero status code: (\S+?)(?:,|;|$)/;

type Failed = Extract<Progress, { state: "failed" }>;

/** Without an exit code the state is unknown: the server is silent, or its agent was stopped. */
const findingOf = ({ reason, attributes = {} }: Failed): Pick<Failed, "reason" | "health"> => {
  const code = EXITED.exec(reason)?.[1];
  if (code === undefined) return { reason: `its verify script gave no answer: ${reason}` };
  const printed = [attributes["deploy_stderr"], attributes["deploy_stdout"]];
  const words = printed.map(lastLineOf).find((line) => line !== "") ?? "";
  const said = words === "" ? "" : `: ${words}`;
  return { reason: `its verify script exits with ${code}${said}`, health: "differs" };
};

const lastLineOf = (text: unknown): string => {
  const lines = typeof text === "string" ? text.trimEnd().split("\n") : [];
  return (lines.at(-1) ?? "")
    .trim()
    .slice(-WORDS_CHARS_MAX)
    .replace(/^[\udc00-\udfff]/, "");
};

export const abandonVerification = (
  call: ProviderCall,
  ports: Ports,
  why: Parameters<typeof abandonDeployment>[2],
): Promise<string | null> => abandonDeployment(asVerification(call, ports), ports, why);

/** For DELETE and ADOPT. An adopted row's record may have a greater generation than the call. */
export const removeVerification = async (call: ProviderCall, ports: Ports): Promise<void> => {
  const physicalResourceId = call.adopted?.physicalResourceId ?? call.physicalResourceId;
  const removal = asVerification({ ...call, physicalResourceId }, ports);
  const request = readDeploymentRequest(removal, ports);
  const record = await findRecord(ports, request);
  if (record === null) return;
  const generation = Math.max(call.generation, record.generation);
  await removeDeployment(ports, { ...request, call: { ...removal, generation } });
};
