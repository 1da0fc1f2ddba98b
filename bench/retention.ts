/**
 * `npm run bench:retention [-- --stacks 5000 --deleted 100000]` creates and deletes so many stacks
 * on the embedded host, lets them expire, and prints the size of its data folder. Then it counts
 * what a list of stacks reads on AWS in a tenant with so many deleted stacks.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { folderSizes } from "./retention/folder.ts";
import { type ListCost, listCosts } from "./retention/listing.ts";

const count = z.coerce.number().int().min(0);
const Options = z.object({ stacks: count, deleted: count });
const { values } = parseArgs({
  options: {
    stacks: { type: "string", default: "5000" },
    deleted: { type: "string", default: "100000" },
  },
});
const { stacks, deleted } = Options.parse(values);
const LIVING = 10;

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_024)} KiB`;

const folder = mkdtempSync(join(tmpdir(), "hearth-retention-"));
try {
  const { start, full, end, ticks } = await folderSizes(folder, stacks);
  console.log(`Data folder, ${stacks} stacks created and deleted:`);
  console.log(`  at the start     ${kilobytes(start)}`);
  console.log(`  before expiry    ${kilobytes(full)}`);
  console.log(`  after expiry     ${kilobytes(end)}, ${ticks} ticks of the host`);
} finally {
  rmSync(folder, { recursive: true });
}

const line = (what: string, cost: ListCost): void =>
  console.log(
    `  ${what}: ${cost.stacks} stacks, ${cost.readUnits} units, ${cost.requests} requests`,
  );

const target = await openAwsTarget();
try {
  const { none, living, all } = await listCosts(target, deleted, LIVING);
  console.log(`List of a tenant with ${deleted} deleted stacks:`);
  line("without a living stack", none);
  line(`with ${LIVING} living stacks`, living);
  line("with the deleted ones", all);
} finally {
  await target.close();
}
