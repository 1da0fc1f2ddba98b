/** A process for crash tests. It locks the given folder and writes until it is killed. */
import { lockFolder } from "#lib/adapters/sqlite/folder/folder-lock.ts";
import { openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { aStack } from "./records.ts";

const folder = process.argv[2] ?? "";
lockFolder(folder);
const { store } = openSqlite(folder, { now: () => Date.now() });
for (let written = 1; ; written++) {
  const stack = aStack({ tenant: "killed", id: `stack-${written}` });
  await store.createStack(stack);
  await store.putStackName("killed", stack.id, stack);
  // The test relies on every printed record having been stored before.
  if (!process.stdout.write(`${written}\n`))
    await new Promise((resolve) => process.stdout.once("drain", resolve));
}
