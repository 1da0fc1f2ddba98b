import { badRequest } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ProviderCall, ResourceType, Signals } from "#lib/ports/resource-type.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { jsonText, pythonText } from "#lib/template/python-text.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import {
  checkSignalSize,
  deleteHandle,
  handleAdoption,
  handleUrl,
  makeHandle,
  recordSignal,
  waitHandleOf,
  wakeWaiters,
} from "./signal-handle.ts";
import {
  appendToWaitLog,
  lastSignal,
  readWaitLog,
  type WaitSignal,
  waitStateOf,
} from "./wait-log.ts";

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

interface SignalForm {
  readonly status: string;
  readonly reason: string;
  readonly data: string;
  readonly id: string;
  /** CloudFormation requires all keys and ignores an empty body. Heat has defaults. */
  readonly isComplete: boolean;
}

const HEAT_FORM: SignalForm = {
  status: "status",
  reason: "reason",
  data: "data",
  id: "id",
  isComplete: false,
};

const AWS_FORM: SignalForm = {
  status: "Status",
  reason: "Reason",
  data: "Data",
  id: "UniqueId",
  isComplete: true,
};

const invalid = (): Refusal => new Refusal("not_valid", badRequest("Metadata format invalid"));

const textOf = (details: JsonObject, key: string): string | undefined => {
  const value = member(details, key);
  return value === undefined ? undefined : pythonText(value);
};

const readSignal = (details: Json, form: SignalForm): WaitSignal => {
  if (!isJsonObject(details)) throw invalid();
  const keys = [form.status, form.reason, form.data, form.id];
  const given = Object.keys(details);
  const isWhole = !form.isComplete || given.length === keys.length;
  if (!isWhole || !given.every((key) => keys.includes(key))) throw invalid();
  const word = member(details, form.status);
  const status = word === undefined && !form.isComplete ? "SUCCESS" : word;
  if (status !== "SUCCESS" && status !== "FAILURE") throw invalid();
  const id = textOf(details, form.id);
  const reason = textOf(details, form.reason);
  return {
    entry: "signal",
    status,
    data: member(details, form.data) ?? null,
    ...(id === undefined ? {} : { id }),
    ...(reason === undefined ? {} : { reason }),
  };
};

/** The answer contains all signals for CloudFormation's senders, and nothing for Heat's. */
const signalWaitHandle =
  (engine: Ports, form: SignalForm): Signals["handleSignal"] =>
  async (row, details) => {
    if (form.isComplete && details === null) return null;
    checkSignalSize(JSON.stringify(details));
    const signal = readSignal(!form.isComplete && isEmpty(details) ? {} : details, form);
    const log = await appendToWaitLog(engine, waitHandleOf(row), signal);
    const { status, reason } = lastSignal(log, signal);
    await recordSignal(engine, row, `status:${status} reason:${reason}`);
    const { signals } = waitStateOf(log);
    await wakeWaiters(engine, row, log);
    if (!form.isComplete) return null;
    const metadata = [...signals].map(([id, stored]): [string, JsonObject] => [
      id,
      {
        [form.status]: stored.status,
        [form.reason]: stored.reason,
        [form.data]: stored.data,
      },
    ]);
    return { resource: row.name, metadata: mapOf(metadata) };
  };
