import type { AttributeValue, DynamoDBStreamEvent } from "aws-lambda";
import type { SequencedChange } from "#lib/model/event.ts";

type Scalar = string | number | boolean | null;

const attribute = (value: Scalar): AttributeValue => {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  return { BOOL: value };
};

export const marshallImage = <Image extends { readonly [Name in keyof Image]: Scalar }>(
  image: Image,
): Record<string, AttributeValue> => {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in image) attributes[name] = attribute(image[name]);
  return attributes;
};

/** `now` is when the feed is read. It becomes the time of the events. */
export const streamEvent = (
  changes: readonly SequencedChange[],
  now: number,
): DynamoDBStreamEvent => ({
  Records: changes.map((change) => ({
    eventID: String(change.sequence),
    eventName: change.oldImage ? "MODIFY" : "INSERT",
    eventSource: "aws:dynamodb",
    eventSourceARN: `arn:aws:dynamodb:local:0:table/${change.table}/stream/1`,
    awsRegion: "local",
    dynamodb: {
      ApproximateCreationDateTime: now / 1000,
      SequenceNumber: String(change.sequence),
      StreamViewType: "NEW_AND_OLD_IMAGES",
      NewImage: marshallImage(change.newImage),
      ...(change.oldImage ? { OldImage: marshallImage(change.oldImage) } : {}),
    },
  })),
});
