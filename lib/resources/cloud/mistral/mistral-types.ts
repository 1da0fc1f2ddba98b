import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { mistralCronTrigger } from "./cron-trigger.ts";
import { mistralExternalResource } from "./external-resource.ts";
import { mistralWorkflow } from "./workflow.ts";

export const MISTRAL_TYPES: readonly DeclaredType[] = [
  mistralCronTrigger,
  mistralExternalResource,
  mistralWorkflow,
];
