import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { handleAdoption } from "./adopted-handle.ts";
import { deleteHandle, handleUrl, makeHandle } from "./handle-object.ts";
import { AWS_FORM, HEAT_FORM, signalWaitHandle } from "./signal-wait-handle.ts";
import { appendToWaitLog, readWaitLog } from "./wait-log.ts";
import { waitStateOf } from "./wait-state.ts";

const needNoSignal = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
  handleId: string,
): Promise<void> => {
  const handle = { tenant, stackId, handleId };
  if (waitStateOf(await readWaitLog(engine, handle)).needsNoSignal) return;
  await appendToWaitLog(engine, handle, { entry: "never signalled" });
};

/** Scripts append `--data-binary '{"status": "SUCCESS"}'`. The URL itself is the credential. */
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
    const url = handleUrl(engine, call, id);
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

const HEAT_TYPE = "OS::Heat::WaitConditionHandle";
const UPDATE_TYPE = "OS::Heat::UpdateWaitConditionHandle";
const AWS_TYPE = "AWS::CloudFormation::WaitConditionHandle";

export const isWaitConditionHandle = (type: string): boolean =>
  type === HEAT_TYPE || type === UPDATE_TYPE || type === AWS_TYPE;

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
 * Servers signal to this handle, and wait conditions wait for the signals. Each transport is the
 * same signed URL.
 */
export const waitConditionHandle = (engine: Ports): ResourceType => ({
  type: HEAT_TYPE,
  schema: {
    description: "A URL to signal to, and the signals that it received.",
    support: { since: "2014.2" },
    templateName: "HeatWaitConditionHandle",
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
    handleDelete: deleteHandle(engine),
  },
  adoption: handleAdoption(engine, createHandle(engine)),
  signals: { handleSignal: signalWaitHandle(engine, HEAT_FORM) },
});

const createAwsHandle =
  (engine: Ports): Handler =>
  async (call) => {
    const id = await makeHandle(engine, call);
    const refId = handleUrl(engine, call, id);
    return { state: "finished", physicalResourceId: id, attributes: {}, refId };
  };

export const awsWaitConditionHandle = (engine: Ports): ResourceType => ({
  type: AWS_TYPE,
  schema: {
    description: "A URL that cfn-signal signals to, and the signals that it received.",
    support: { since: "2014.1" },
    properties: {},
    attributes: {},
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: createAwsHandle(engine),
    handleDelete: deleteHandle(engine),
  },
  adoption: handleAdoption(engine, createAwsHandle(engine)),
  signals: { handleSignal: signalWaitHandle(engine, AWS_FORM) },
});

/** Each update replaces the handle, so senders must signal again. */
export const updateWaitConditionHandle = (engine: Ports): ResourceType => {
  const handle = awsWaitConditionHandle(engine);
  return {
    ...handle,
    type: UPDATE_TYPE,
    schema: {
      ...handle.schema,
      description: "An AWS::CloudFormation::WaitConditionHandle with a new URL after each update.",
    },
    lifecycle: { ...handle.lifecycle, replacedByEveryUpdate: true },
  };
};
