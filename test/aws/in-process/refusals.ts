import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
} from "@aws-sdk/client-dynamodb";

type Item = Record<string, AttributeValue>;

export const refused = (message: string, name = "ValidationException"): DynamoDBServiceException =>
  new DynamoDBServiceException({ name, message, $fault: "client", $metadata: {} });

export const conditionFailed = (stored: Item | null): ConditionalCheckFailedException =>
  new ConditionalCheckFailedException({
    message: "The conditional request failed",
    $metadata: {},
    ...(stored && { Item: stored }),
  });
