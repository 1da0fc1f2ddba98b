/**
 * Ends `hearth serve` at an exact place of a creation. A trigger in one of its files never returns,
 * so the process stays in that write until it is killed. SQLite then undoes the write.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { send } from "./host-client.ts";
import { startServe } from "./serve-process.ts";

const ENDLESS = "WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n FROM endless)";
const STOP = `BEGIN SELECT count(*) FROM (${ENDLESS} SELECT n FROM endless); END`;

const BUSY_TIMEOUT_MS = 10_000;

interface Place {
  readonly file: string;
  readonly trigger: string;
  readonly seenIn: string;
  readonly seen: string;
}

const CREATED =
  "json_extract(new.body, '$.action') = 'CREATE' AND json_extract(new.body, '$.status') = 'COMPLETE'";
const CLAIMED =
  "SELECT id FROM resources WHERE json_extract(body, '$.operation.action') = 'CREATE'";

const PLACES = {
  "before the object is made": {
    file: FAKE_PROVIDER_FILE,
    trigger: `BEFORE INSERT ON objects ${STOP}`,
    seenIn: DATABASE_FILE,
    seen: CLAIMED,
  },
  "before the answer is stored": {
    file: DATABASE_FILE,
    trigger: `BEFORE UPDATE ON resources WHEN ${CREATED} ${STOP}`,
    seenIn: FAKE_PROVIDER_FILE,
    seen: "SELECT number FROM objects",
  },
} as const satisfies Readonly<Record<string, Place>>;

const within = <T>(folder: string, file: string, work: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(folder, file));
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return work(database);
  } finally {
    database.close();
  }
};

export const killInCreation = async (
  folder: string,
  place: keyof typeof PLACES,
  stack: { readonly stack_name: string; readonly template: object },
): Promise<void> => {
  const { file, trigger, seenIn, seen } = PLACES[place];
  const host = await startServe("--data", folder);
  try {
    within(folder, file, (database) => database.exec(`CREATE TRIGGER hold ${trigger}`));
    const { status } = await send(host.url, "POST", "/v1/demo/stacks", {
      stack_name: stack.stack_name,
      template: JSON.stringify(stack.template),
    });
    expect(status).toBe(201);
    await expect
      .poll(() => within(folder, seenIn, (database) => database.prepare(seen).all().length), {
        timeout: 20_000,
      })
      .toBe(1);
  } finally {
    await host.stop("SIGKILL");
  }
  within(folder, file, (database) => database.exec("DROP TRIGGER hold"));
};
