/**
 * `npm run bench:poll` counts what an idle server's poll costs on AWS. An hour of polls each 30
 * seconds runs through the function and the real adapters, on emulators and a virtual clock.
 * Dollars are for a server and a month. The second line of a fleet is that of stock agents, which
 * send a HEAD before each GET. Of fleets above 100 servers less than an hour is counted. It takes
 * minutes, and memory for the emulator.
 */
import { openAwsTarget } from "#test/contract/aws-emulators.ts";
import { dollarsOf } from "./poll/dollars.ts";
import { type Fleet, pollForAnHour } from "./poll/hour.ts";

const FLEETS: readonly Fleet[] = [
  { servers: 1, deployments: 2, workers: 1, choice: "first free" },
  { servers: 10, deployments: 2, workers: 3, choice: "first free" },
  { servers: 50, deployments: 2, workers: 3, choice: "first free" },
  { servers: 50, deployments: 10, workers: 3, choice: "first free" },
  { servers: 200, deployments: 2, workers: 3, choice: "first free" },
  { servers: 1_000, deployments: 2, workers: 3, choice: "first free" },
  { servers: 10, deployments: 2, workers: 3, choice: "in turn" },
  { servers: 50, deployments: 2, workers: 3, choice: "in turn" },
];
const COLUMN = 12;

const print = (...cells: readonly (string | number)[]): void =>
  console.log(
    cells
      .map((cell) => (typeof cell === "string" ? cell : cell.toFixed(4).replace(/\.?0+$/, "")))
      .map((text) => text.padStart(COLUMN))
      .join(""),
  );

const { connection, place, close } = await openAwsTarget();
print(
  "servers",
  "deployments",
  "workers",
  "choice",
  "agent",
  "read u.",
  "write u.",
  "bytes",
  "requests $",
  "compute $",
  "reads $",
  "writes $",
  "total $",
  "egress $",
);
for (const fleet of FLEETS) {
  const hour = await pollForAnHour(connection, place, fleet);
  for (const hasHead of [false, true]) {
    const dollars = dollarsOf(hour, hasHead);
    print(
      fleet.servers,
      fleet.deployments,
      fleet.workers,
      fleet.choice,
      hasHead ? "stock" : "one GET",
      hour.readUnits,
      hour.writeUnits,
      Math.round(hour.bytes),
      dollars.requests,
      dollars.compute,
      dollars.reads,
      dollars.writes,
      dollars.total,
      dollars.egress,
    );
  }
}
await close();
