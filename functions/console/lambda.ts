/** Lambda entry: the console's files lie beside the bundle. */
import { join } from "node:path";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { filesIn } from "./files-in.ts";
import { handler as console } from "./handler.ts";

export const handler = lambdaEntry(console(() => filesIn(join(import.meta.dirname, "console"))));
