import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { zaqarMistralTrigger } from "./mistral-trigger.ts";
import { zaqarQueue } from "./queue.ts";
import { zaqarSignedQueueUrl } from "./signed-queue-url.ts";
import { zaqarSubscription } from "./subscription.ts";

export const ZAQAR_TYPES: readonly DeclaredType[] = [
  zaqarMistralTrigger,
  zaqarQueue,
  zaqarSignedQueueUrl,
  zaqarSubscription,
];
