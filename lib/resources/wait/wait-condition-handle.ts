import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { AWS_FORM, HEAT_FORM, signalWaitHandle } from "./signal-wait-handle.ts";
import { appendToWaitLog, deleteWaitLog, readWaitLog } from "./wait-log.ts";
import { waitStateOf } from "./wait-state.ts";

const DAY_MS = 24 * 3_600_000;
/** How long its URL is known: longer than anybody waits, and after its deletion so long that late senders are told of it. */
const HANDLE_MS_MAX = 5 * 365 * DAY_MS;
/** The URL is signed for the handle's whole life. */
const NEVER_EXPIRES = 0;
const GEN = 1;

const urlOf = (call: ProviderCall, ports: Ports, id: string): string =>
  signalUrl(ports, { tenant: call.tenant, id, exp: NEVER_EXPIRES, gen: GEN });

const makeHandle = async (call: ProviderCall, ports: Ports): Promise<string> => {
  const id = ports.ids.derive(call.token);
  const { tenant, stackId, resourceId, generation } = call;
  await ports.softwareConfigs.putSignalTarget({
    derivedConfigId: id,
    tenant,
    stackId,
    resourceId,
    serverId: id,
    deploymentId: null,
    generation,
    expiresAt: ports.clock.now() + HANDLE_MS_MAX,
  });
  return id;
};

const handleDelete: Handler = async (call, ports) => {
  const { tenant, stackId, physicalResourceId: handleId } = call;
  if (handleId !== null) await deleteWaitLog(ports, { tenant, stackId, handleId });
  return { state: "finished", physicalResourceId: null };
};

const needNoSignal = async (call: ProviderCall, ports: Ports, handleId: string): Promise<void> => {
  const handle = { tenant: call.tenant, stackId: call.stackId, handleId };
  if (waitStateOf(await readWaitLog(ports, handle)).needsNoSignal) return;
  await appendToWaitLog(ports, handle, { entry: "never signalled" });
};

/** What a shell script needs: it adds `--data-binary '{"status": "SUCCESS"}'`. The URL is all the credential there is. */
const curlCommand = (url: string): string =>
  `curl -i -X POST -H 'Content-Type: application/json' -H 'Accept: application/json' '${url}'`;

const TOKEN_SIGNAL = "TOKEN_SIGNAL";
const NO_SIGNAL = "NO_SIGNAL";

const signalText = (transport: string, url: string): string => {
  if (transport === TOKEN_SIGNAL) return jsonText(null, { sortKeys: false });
  const signal = transport === NO_SIGNAL ? {} : { alarm_url: url };
  return jsonText(signal, { sortKeys: false });
};

const createHandle: Handler = async (call, ports) => {
  const id = await makeHandle(call, ports);
  const transport = String(call.properties["signal_transport"] ?? TOKEN_SIGNAL);
  if (transport === NO_SIGNAL) await needNoSignal(call, ports, id);
  const url = urlOf(call, ports, id);
  const isToken = transport === TOKEN_SIGNAL;
  return {
    state: "finished",
    physicalResourceId: id,
    attributes: {
      token: isToken ? new URL(url).searchParams.get("sig") : null,
      endpoint: isToken ? url : null,
      curl_cli: isToken ? curlCommand(url) : null,
      signal: signalText(transport, url),
    },
  };
};

/** OS::Heat::WaitConditionHandle: where servers report to, for wait conditions that wait for them. Whatever the transport, it is a signed URL. */
export const waitConditionHandle: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::WaitConditionHandle",
  description: "A URL to signal to, and the signals that have come.",
  properties: {
    signal_transport: {
      type: "string",
      description:
        "How the attributes tell a client to signal: by endpoint and curl_cli (TOKEN_SIGNAL), by `signal`, or not at all (NO_SIGNAL).",
      default: TOKEN_SIGNAL,
      constraints: [
        {
          allowedValues: [
            "CFN_SIGNAL",
            "TEMP_URL_SIGNAL",
            "HEAT_SIGNAL",
            NO_SIGNAL,
            "ZAQAR_SIGNAL",
            TOKEN_SIGNAL,
          ],
        },
      ],
    },
  },
  attributes: {
    token: { description: "The part of the URL that is secret; null but with TOKEN_SIGNAL." },
    endpoint: { description: "The signed URL; null but with TOKEN_SIGNAL." },
    curl_cli: { description: "A command that signals success; null but with TOKEN_SIGNAL." },
    signal: { description: "What a client needs to signal, as JSON text." },
  },
  handleCreate: createHandle,
  // A former one signals to a stack that is gone.
  handleAdopt: createHandle,
  handleDelete,
  handleSignal: signalWaitHandle(HEAT_FORM),
};

const createAwsHandle: Handler = async (call, ports) => {
  const id = await makeHandle(call, ports);
  const refId = urlOf(call, ports, id);
  return { state: "finished", physicalResourceId: id, attributes: {}, refId };
};

/** What get_resource yields is the URL itself, as cfn-signal takes it. */
const AWS_HANDLE: Omit<ResourceType, "type" | "description"> = {
  ...OWN_TYPE,
  properties: {},
  attributes: {},
  handleCreate: createAwsHandle,
  handleAdopt: createAwsHandle,
  handleDelete,
  handleSignal: signalWaitHandle(AWS_FORM),
};

export const awsWaitConditionHandle: ResourceType = {
  ...AWS_HANDLE,
  type: "AWS::CloudFormation::WaitConditionHandle",
  description: "A URL that cfn-signal signals to, and the signals that have come.",
};

/** OS::Heat::UpdateWaitConditionHandle: whoever signalled to the last one has to signal again after an update. */
export const updateWaitConditionHandle: ResourceType = {
  ...AWS_HANDLE,
  type: "OS::Heat::UpdateWaitConditionHandle",
  description: "As AWS::CloudFormation::WaitConditionHandle, but another URL after each update.",
  replacedByEveryUpdate: true,
};
