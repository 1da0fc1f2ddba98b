import { createHash, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";

export interface SentMessage {
  readonly id: string;
  readonly body: string;
  readonly tenant: string;
  readonly group: string | undefined;
}

export interface SendCall {
  readonly call: "send";
  readonly isCheck: boolean;
  readonly messages: readonly SentMessage[];
}

export type Call =
  | SendCall
  /** `caller` is an access key; each function has its own. */
  | { readonly call: "read stack"; readonly caller: string; readonly tenant: string }
  | { readonly call: "make object"; readonly caller: string; readonly stackName: string };

const sendInput = z.object({
  QueueUrl: z.string(),
  Entries: z.array(
    z.object({
      Id: z.string(),
      MessageBody: z.string(),
      MessageGroupId: z.optional(z.string()),
    }),
  ),
});
const messageBody = z.object({ tenant: z.string() });
const text = z.object({ S: z.string() });
const getInput = z.object({ TableName: z.string(), Key: z.object({ pk: text, sk: text }) });
const putInput = z.object({ TableName: z.string(), Item: z.object({ stackName: text }) });

const TENANT = "T#";
const STACK = "S#";

const readSend = (input: unknown): Call | null => {
  const { data } = sendInput.safeParse(input);
  if (!data) return null;
  const messages = data.Entries.flatMap(({ Id: id, MessageBody: body, MessageGroupId: group }) => {
    const { data: message } = messageBody.safeParse(JSON.parse(body));
    return message ? [{ id, body, group, ...message }] : [];
  });
  return { call: "send", isCheck: data.QueueUrl.includes("QueuesCheck"), messages };
};

const readGet = (input: unknown, caller: string): Call | null => {
  const { data } = getInput.safeParse(input);
  if (!data?.TableName.includes("DataStacks") || !data.Key.sk.S.startsWith(STACK)) return null;
  return { call: "read stack", caller, tenant: data.Key.pk.S.slice(TENANT.length) };
};

const readPut = (input: unknown, caller: string): Call | null => {
  const { data } = putInput.safeParse(input);
  if (!data?.TableName.includes("DataFakeProvider")) return null;
  return { call: "make object", caller, stackName: data.Item.stackName.S };
};

const operationOf = (headers: IncomingHttpHeaders): string =>
  String(headers["x-amz-target"] ?? "").replace(/^.*\./, "");

export const isSend = (headers: IncomingHttpHeaders): boolean =>
  ["SendMessage", "SendMessageBatch"].includes(operationOf(headers));

export const readCall = (headers: IncomingHttpHeaders, body: Buffer): Call | null => {
  const operation = operationOf(headers);
  const caller = /Credential=([^/]+)/.exec(headers.authorization ?? "")?.[1] ?? "";
  const input = (): unknown => JSON.parse(body.toString("utf8"));
  if (operation === "SendMessageBatch") return readSend(input());
  if (operation === "GetItem") return readGet(input(), caller);
  if (operation === "PutItem") return readPut(input(), caller);
  return null;
};

/** SQS's answer, as if it had accepted the messages. The SDK checks the digests. */
export const lostAnswer = ({ messages }: SendCall): Buffer => {
  const Successful = messages.map(({ id, body }) => ({
    Id: id,
    MessageId: randomUUID(),
    MD5OfMessageBody: createHash("md5").update(body).digest("hex"),
  }));
  return Buffer.from(JSON.stringify({ Successful, Failed: [] }));
};
