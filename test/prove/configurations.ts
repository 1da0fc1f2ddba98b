/**
 * The configurations of `npm run prove`. Small ones combine all faults. The others cover every
 * shape of three and four resources, with each operation and each pair of faults.
 */
import type { Configuration, Situation } from "./configuration.ts";
import { DELETES_AT_ONCE } from "./deletes-at-once.ts";
import { GROUPS } from "./groups.ts";
import { KEPT_LEASE_FAULTS, KEPT_LEASES } from "./kept-leases.ts";
import { PARTIAL_UPDATES } from "./partial-updates.ts";
import { RESTORED_FOLDERS } from "./restored-folders.ts";
import { type Edges, edgesText, shapesOf, specOf } from "./shapes.ts";
import {
  EXTERNAL_OBJECTS,
  LOST_CREATIONS,
  NAMED_OBJECTS,
  NODE_AT_REST,
  ONE_NODE,
  OVERTAKINGS,
  REPAIRS,
  TWO_NODES,
  WAITING_NODE,
} from "./situations.ts";
import type { Fault } from "./state.ts";
import { WAITING_DELETES } from "./waiting-deletes.ts";

const EVERYTHING = {
  crash: 2,
  duplicate: 1,
  loss: 1,
  stall: 1,
  sweep: 1,
  "stale read": 1,
} as const satisfies Configuration["faults"];

const withFaults = (
  nodes: string,
  situation: Situation,
  faults: Configuration["faults"],
): Configuration => ({
  ...situation,
  title: `${nodes}, ${situation.title}; ${faultsText(faults)}`,
  faults,
  workersMax: 2,
});

const inline = (configuration: Configuration): Configuration => ({
  ...configuration,
  title: `${configuration.title}; inline`,
  inline: true,
});

const faultsText = (faults: Configuration["faults"]): string =>
  Object.entries(faults)
    .map(([fault, count]) => (count === 1 ? fault : `${count} x ${fault}`))
    .join(", ") || "no fault";

const WAITING: readonly Configuration[] = WAITING_NODE.flatMap((situation) =>
  [{}, { crash: 1 }, { duplicate: 1 }, { loss: 1, sweep: 1 }, { stall: 1 }].map((faults) => ({
    ...withFaults("1 waiting node", situation, faults),
    timeoutMins: 3,
    signals: { count: 2, result: "COMPLETE" as const },
  })),
);

/** L11: a dead agent leaves its DELETE to the deadline. */
const DRAINING: readonly Configuration[] = WAITING_DELETES.flatMap((situation) =>
  [
    {},
    { crash: 1 },
    { duplicate: 1 },
    { loss: 1, sweep: 1 },
    { stall: 1 },
    { poison: 1 },
    { refusal: 1 },
    { throttle: 1 },
  ].map((faults) => ({
    ...withFaults("waiting delete", situation, faults),
    timeoutMins: 3,
    signals: { count: 2, result: "COMPLETE" as const },
  })),
);

/** P16: the sweeper deletes superseded templates of a stack at rest, while users ask for more. */
const RESTING: readonly Configuration[] = NODE_AT_REST.flatMap((situation) =>
  [{ rest: 1 }, { rest: 1, crash: 1 }, { rest: 1, refusal: 1 }, { rest: 1, "stale read": 1 }].map(
    (faults) => withFaults("1 node at rest", situation, faults),
  ),
);

const REFUSALS: readonly Configuration["faults"][] = [
  { refusal: 1 },
  { refusal: 2 },
  { refusal: 1, crash: 1 },
  { refusal: 1, duplicate: 1 },
  { refusal: 1, stall: 1 },
];

const SINGLE: readonly Fault[] = [
  "crash",
  "duplicate",
  "loss",
  "stall",
  "sweep",
  "poison",
  "throttle",
  "refusal",
];

const PAIRS: readonly Configuration["faults"][] = [
  { crash: 2 },
  { duplicate: 2 },
  ...SINGLE.flatMap((one, at) => SINGLE.slice(at + 1).map((other) => ({ [one]: 1, [other]: 1 }))),
];

const RACE_PAIRS: readonly Configuration["faults"][] = [
  { crash: 2 },
  { crash: 1, duplicate: 1 },
  { crash: 1, stall: 1 },
  { stall: 1, refusal: 1 },
  { crash: 1, refusal: 1 },
];

const operationsOn = (size: number, edges: Edges): readonly Situation[] => {
  const whole = specOf(size, edges);
  const places = [0, size - 1];
  return [
    { title: "create", requests: [{ action: "CREATE", spec: whole }] },
    { title: "delete", existing: whole, requests: [{ action: "DELETE" }] },
    {
      title: "create, failing, rolls back",
      requests: [{ action: "CREATE", spec: whole }],
      rollback: true,
    },
    ...places.flatMap((at): readonly Situation[] =>
      (["in place", "replace", "remove"] as const).map((change) => ({
        title: `${change} ${at === 0 ? "first" : "last"}`,
        existing: whole,
        requests: [{ action: "UPDATE", spec: specOf(size, edges, { at, change }) }],
        rollback: change === "replace",
      })),
    ),
    {
      title: "replace first, rolled back by the user",
      existing: whole,
      requests: [
        { action: "UPDATE", spec: specOf(size, edges, { at: 0, change: "replace" }) },
        { action: "ROLLBACK" },
      ],
    },
  ];
};

const shapesWith = (size: number, faults: readonly Configuration["faults"][]) =>
  shapesOf(size).flatMap((edges) =>
    operationsOn(size, edges).flatMap((situation) =>
      faults.map((some) => withFaults(edgesText(size, edges), situation, some)),
    ),
  );

const singles: readonly Configuration["faults"][] = SINGLE.map((fault) => ({ [fault]: 1 }));

const PARTS_EVERY = 4;

const inParts = (configuration: Configuration): Configuration => ({
  ...configuration,
  title: `${configuration.title}; in parts`,
  partNodesMax: 1,
});

const GROUP_EVERY = 4;

export const configurations = (): readonly Configuration[] =>
  ofOneStack()
    .map((one, number) => (number % PARTS_EVERY === 0 ? inParts(one) : one))
    .flatMap((one, number) => [one, ...groupAfter(number)]);

const groupAfter = (number: number): readonly Configuration[] =>
  number % GROUP_EVERY === 0 ? GROUPS.slice(number / GROUP_EVERY, number / GROUP_EVERY + 1) : [];

const withEach = (what: string, situations: readonly Situation[]): readonly Configuration[] =>
  situations.flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults(what, situation, faults)),
  );

const kinds = (): readonly (readonly Configuration[])[] => [
  withEach("1 node", [...ONE_NODE, ...OVERTAKINGS]),
  withEach("2 nodes", TWO_NODES),
  withEach("partial", PARTIAL_UPDATES),
  WAITING,
  DRAINING,
  RESTING,
  RESTORED_FOLDERS,
  withEach("named object", NAMED_OBJECTS),
  withEach("external object", EXTERNAL_OBJECTS),
  LOST_CREATIONS.flatMap((situation) =>
    [{ crash: 1 }, { stall: 1 }, { crash: 1, duplicate: 1 }, { crash: 2 }].map((faults) =>
      withFaults("lost creation", situation, faults),
    ),
  ),
  REPAIRS.flatMap((situation) =>
    REFUSALS.map((faults) => withFaults("repaired", situation, faults)),
  ),
  // A dead letter ends the creation of a locked object, so its delete may be refused.
  DELETES_AT_ONCE.flatMap((situation) =>
    [{}, ...singles]
      .filter((faults) => !("poison" in faults && situation.title.includes("Locked")))
      .map((faults) => withFaults("delete at once", situation, faults)),
  ),
  KEPT_LEASES.flatMap((situation) =>
    [{}, ...singles, ...KEPT_LEASE_FAULTS]
      .filter((faults) => !("poison" in faults && situation.title.includes("locked")))
      .map((faults) => withFaults("kept lease", situation, faults)),
  ),
];

/** One of each list in turn, so that a search that ends early has met all kinds. */
const inTurn = (lists: readonly (readonly Configuration[])[]): readonly Configuration[] => {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
};

/** Small configurations come first, so that violations are found early. */
const ofOneStack = (): readonly Configuration[] => [
  ...inTurn(kinds()),
  ...TWO_NODES.flatMap((situation) =>
    [{}, ...singles].map((faults) => inline(withFaults("2 nodes", situation, faults))),
  ),
  ...shapesWith(3, [{}, ...singles]),
  ...shapesWith(4, singles),
  ...shapesWith(3, PAIRS),
  ...PARTIAL_UPDATES.flatMap((situation) =>
    RACE_PAIRS.map((faults) => withFaults("partial", situation, faults)),
  ),
  ...DELETES_AT_ONCE.flatMap((situation) =>
    RACE_PAIRS.map((faults) => withFaults("delete at once", situation, faults)),
  ),
  ...ONE_NODE.map((situation) => withFaults("1 node", situation, EVERYTHING)),
  ...OVERTAKINGS.map((situation) => withFaults("1 node", situation, EVERYTHING)),
  ...TWO_NODES.map((situation) => withFaults("2 nodes", situation, EVERYTHING)),
  ...shapesWith(4, PAIRS),
];
