/** Documented limits of SQS, S3 and Step Functions that their models lack. */
import * as z from "zod";

const BATCH_BYTES_MAX = 256 * 1_024;
const DELAY_SECONDS_MAX = 900;
const KEY_BYTES_MAX = 1_024;
const ENTRIES_MAX = 10;

const entry = z.object({
  Id: z.string(),
  MessageBody: z.string().default(""),
  DelaySeconds: z.number().default(0),
  MessageGroupId: z.string().default("g"),
});
const batch = z.object({ Entries: z.array(entry).optional() });

/** XML 1.0 allows these characters. */
const BODY = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const ENTRY_ID = /^[\w-]{1,80}$/;
const GROUP = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;

export const sqsProblems = (value: unknown): readonly string[] => {
  const { Entries } = batch.parse(value);
  if (Entries === undefined) return [];
  const ids = new Set(Entries.map(({ Id }) => Id));
  const bytes = Entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  return [
    ...(Entries.length < 1 || Entries.length > ENTRIES_MAX ? ["a batch has 1 to 10 entries"] : []),
    ...(ids.size < Entries.length ? ["two entries have one id"] : []),
    ...(bytes > BATCH_BYTES_MAX ? [`a batch of ${bytes} bytes`] : []),
    ...Entries.flatMap(({ Id, MessageBody, DelaySeconds, MessageGroupId }) => [
      ...(ENTRY_ID.test(Id) ? [] : [`the entry's id ${Id}`]),
      ...(BODY.test(MessageBody) ? [] : ["a character that no message may have"]),
      ...(DelaySeconds >= 0 && DelaySeconds <= DELAY_SECONDS_MAX
        ? []
        : [`a delay of ${DelaySeconds} s`]),
      ...(GROUP.test(MessageGroupId) ? [] : [`the group ${MessageGroupId}`]),
    ]),
  ];
};

export const s3Problems = (value: unknown): readonly string[] => {
  const { Key } = z.object({ Key: z.string().optional() }).parse(value);
  const bytes = Buffer.byteLength(Key ?? "k");
  return bytes < 1 || bytes > KEY_BYTES_MAX ? [`a key of ${bytes} bytes`] : [];
};

const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u;

export const statesProblems = (value: unknown): readonly string[] => {
  const { name = "n" } = z.object({ name: z.string().optional() }).parse(value);
  return NAME.test(name) ? [] : [`the name ${name}`];
};
