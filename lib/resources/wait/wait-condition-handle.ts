import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { signalUrl } from "#lib/software-config/agent-requests/urls.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { AWS_FORM, HEAT_FORM, signalWaitHandle } from "./signal-wait-handle.ts";
import { appendToWaitLog, deleteWaitLog, readWaitLog } from "./wait-log.ts";
import { waitStateOf } from "./wait-state.ts";

const DAY_MS = 24 * 3_600_000;
/** How long its URL is known: longer than any wait, and long enough to answer late senders. */
const HANDLE_MS_MAX = 5 * 365 * DAY_MS;
const NEVER_EXPIRES = 0;
const GEN = 1;

/** The URL is valid for the handle's whole life. */
const urlOf = (engine: Ports, call: ProviderCall, id: string): string =>
  signalUrl(engine, { tenant: call.tenant, id, exp: NEVER_EXPIRES, gen: GEN });

const makeHandle = async (engine: Ports, call: ProviderCall): Promise<string> => {
  const id = engine.ids.derive(call.token);
  const { tenant, stackId, resourceId, generation } = call;
  await engine.softwareConfigs.putSignalTarget({
    derivedConfigId: id,
    tenant,
    stackId,
    resourceId,
    serverId: id,
    deploymentId: null,
    generation,
    expiresAt: engine.clock.now() + HANDLE_MS_MAX,
  });
  return id;
};

const remove =
  (engine: Ports): Handler =>
  async ({ tenant, stackId, physicalResourceId: handleId }) => {
    if (handleId !== null) await deleteWaitLog(engine, { tenant, stackId, handleId });
    return { state: "finished", physicalResourceId: null };
  };

const needNoSignal = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
  handleId: string,
): Promise<void> => {
  const handle = { tenant, stackId, handleId };
  if (waitStateOf(await readWaitLog(engine, handle)).needsNoSignal) return;
  await appendToWaitLog(engine, handle, { entry: "never signalled" });
};

/** Shell scripts add `--data-binary '{"status": "SUCCESS"}'`. The URL is the credential. */
const curlCommand = (url: string): string =>
  `curl -i -X POST -H 'Content-Type: application/json' -H 'Accept: application/json' '${url}'`;

const TOKEN_SIGNAL = "TOKEN_SIGNAL";
const NO_SIGNAL = "NO_SIGNAL";

const signalText = (transport: string, url: string): string => {
  if (transport === TOKEN_SIGNAL) return "null";
  return transport === NO_SIGNAL ? "{}" : jsonText({ alarm_url: url }, { sortKeys: false });
};

const createHandle =
  (engine: Ports): Handler =>
  async (call) => {
    const id = await makeHandle(engine, call);
    const transport = String(call.properties["signal_transport"] ?? TOKEN_SIGNAL);
    if (transport === NO_SIGNAL) await needNoSignal(engine, call, id);
    const url = urlOf(engine, call, id);
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

const properties: PropertySchemas = {
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
};

/**
 * OS::Heat::WaitConditionHandle: servers report to it, and wait conditions wait for the reports.
 * With every transport it is a signed URL.
 */
export const waitConditionHandle = (engine: Ports): ResourceType => ({
  type: "OS::Heat::WaitConditionHandle",
  schema: {
    description: "A URL to signal to, and the signals that it received.",
    support: { since: "2014.2" },
    properties,
    attributes: {
      token: {
        description: "The secret part of the URL. Null without TOKEN_SIGNAL.",
        type: "string",
      },
      endpoint: { description: "The signed URL. Null without TOKEN_SIGNAL.", type: "string" },
      curl_cli: {
        description: "A command that signals success. Null without TOKEN_SIGNAL.",
        type: "string",
      },
      signal: { description: "What a client needs to signal, as JSON text.", type: "string" },
    },
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: createHandle(engine),
    handleDelete: remove(engine),
  },
  // The former handle's URL signals to a stack that is gone.
  adoption: { handleAdopt: createHandle(engine) },
  signals: { handleSignal: signalWaitHandle(engine, HEAT_FORM) },
});

const createAwsHandle =
  (engine: Ports): Handler =>
  async (call) => {
    const id = await makeHandle(engine, call);
    const refId = urlOf(engine, call, id);
    return { state: "finished", physicalResourceId: id, attributes: {}, refId };
  };

/** get_resource returns the URL itself, which cfn-signal takes. */
export const awsWaitConditionHandle = (engine: Ports): ResourceType => ({
  type: "AWS::CloudFormation::WaitConditionHandle",
  schema: {
    description: "A URL that cfn-signal signals to, and the signals that it received.",
    support: { since: "2014.1" },
    properties: {},
    attributes: {},
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: createAwsHandle(engine),
    handleDelete: remove(engine),
  },
  adoption: { handleAdopt: createAwsHandle(engine) },
  signals: { handleSignal: signalWaitHandle(engine, AWS_FORM) },
});

/** OS::Heat::UpdateWaitConditionHandle: each update makes a new one, so senders signal again. */
export const updateWaitConditionHandle = (engine: Ports): ResourceType => {
  const handle = awsWaitConditionHandle(engine);
  return {
    ...handle,
    type: "OS::Heat::UpdateWaitConditionHandle",
    schema: {
      ...handle.schema,
      description: "An AWS::CloudFormation::WaitConditionHandle with a new URL after each update.",
    },
    lifecycle: { ...handle.lifecycle, replacedByEveryUpdate: true },
  };
};
