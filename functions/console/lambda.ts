import { join } from "node:path";
import middy from "@middy/core";
import { nameInvocations } from "#functions/logger.ts";
import { filesIn } from "./answer-console.ts";
import { handler as console } from "./handler.ts";

export const handler = middy(console(() => filesIn(join(import.meta.dirname, "console")))).use(
  nameInvocations(),
);
