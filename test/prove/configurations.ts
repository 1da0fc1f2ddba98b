/**
 * The configurations of `npm run prove`. Small ones combine all faults. The others cover every
 * shape of three and four resources, with each operation and each pair of faults.
 */
import type { Spec } from "../simulation/world/spec.ts";
import type { Configuration, Situation } from "./configuration.ts";
import { DELETES_AT_ONCE } from "./deletes-at-once.ts";
import { GROUPS } from "./groups.ts";
import { KEPT_LEASE_FAULTS, KEPT_LEASES } from "./kept-leases.ts";
import { PARTIAL_UPDATES } from "./partial-updates.ts";
import { type Edges, edgesText, shapesOf, specOf } from "./shapes.ts";
import type { Fault } from "./state.ts";

const node = (v: string, replacing = "1") => ({ properties: { v, "r!": replacing } });
const on = (v: string) => ({ ...node(v), refers: { to: "a" } });
const waiting = (v: string) => ({ type: "Sim::Waiting", properties: { v } });

const ONE: Spec = { a: node("1") };
const ONE_CHANGED: Spec = { a: node("2") };
const ONE_REPLACED: Spec = { a: node("1", "2") };
const TWO: Spec = { a: node("1"), b: on("1") };
const TWO_CHANGED: Spec = { a: node("2"), b: on("2") };
const TWO_REPLACED: Spec = { a: node("1", "2"), b: on("1") };
const TURNED: Spec = { b: node("1"), a: { ...node("1"), refers: { to: "b" } } };

/** The provider knows an object by its name, so a replacement has the same object (P17). */
const named = (v: string, replacing = "1") => ({ ...node(v, replacing), type: "Sim::Named" });
const NAMED: Spec = { a: named("1"), b: on("1") };
const NAMED_REPLACED: Spec = { a: named("2", "2"), b: on("1") };
const NAMED_AGAIN: Spec = { a: named("3", "3"), b: on("1") };

const EVERYTHING = {
  crash: 2,
  duplicate: 1,
  loss: 1,
  stall: 1,
  sweep: 1,
  "stale read": 1,
} as const satisfies Configuration["faults"];

const ONE_NODE: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: ONE }] },
  { title: "update in place", existing: ONE, requests: [{ action: "UPDATE", spec: ONE_CHANGED }] },
  { title: "replace", existing: ONE, requests: [{ action: "UPDATE", spec: ONE_REPLACED }] },
  { title: "remove", existing: ONE, requests: [{ action: "UPDATE", spec: {} }] },
  { title: "delete", existing: ONE, requests: [{ action: "DELETE" }] },
  {
    title: "suspend, resume",
    existing: ONE,
    requests: [{ action: "SUSPEND" }, { action: "RESUME" }],
  },
  { title: "check", existing: ONE, requests: [{ action: "CHECK" }] },
  { title: "update to the same target", existing: ONE, requests: [{ action: "UPDATE" }] },
];

const OVERTAKINGS: readonly Situation[] = [
  {
    title: "create overtaken by update",
    requests: [
      { action: "CREATE", spec: ONE },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "create overtaken by delete",
    requests: [{ action: "CREATE", spec: ONE }, { action: "DELETE" }],
  },
  {
    title: "update overtaken by replacement",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_CHANGED },
      { action: "UPDATE", spec: ONE_REPLACED },
    ],
  },
  {
    title: "replacement overtaken by rollback",
    existing: ONE,
    requests: [{ action: "UPDATE", spec: ONE_REPLACED }, { action: "ROLLBACK" }],
  },
  {
    title: "removal overtaken by update",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: {} },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "replacement cancelled, then updated",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_REPLACED },
      { action: "cancel" },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "update to the same target overtaken by replacement",
    existing: ONE,
    requests: [{ action: "UPDATE" }, { action: "UPDATE", spec: ONE_REPLACED }],
  },
  {
    title: "update, replacement, delete",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_CHANGED },
      { action: "UPDATE", spec: ONE_REPLACED },
      { action: "DELETE" },
    ],
  },
];

const TWO_NODES: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: TWO }] },
  { title: "update in place", existing: TWO, requests: [{ action: "UPDATE", spec: TWO_CHANGED }] },
  { title: "replace", existing: TWO, requests: [{ action: "UPDATE", spec: TWO_REPLACED }] },
  { title: "turn round", existing: TWO, requests: [{ action: "UPDATE", spec: TURNED }] },
  { title: "delete", existing: TWO, requests: [{ action: "DELETE" }] },
  {
    title: "failing update rolls back",
    existing: TWO,
    requests: [{ action: "UPDATE", spec: TWO_REPLACED }],
    rollback: true,
  },
  {
    title: "replacement overtaken by delete",
    existing: TWO,
    requests: [{ action: "UPDATE", spec: TWO_REPLACED }, { action: "DELETE" }],
  },
  {
    title: "update to the same target overtaken by turning round",
    existing: TWO,
    requests: [{ action: "UPDATE" }, { action: "UPDATE", spec: TURNED }],
  },
  {
    title: "replacement overtaken by its opposite",
    existing: TWO,
    requests: [
      { action: "UPDATE", spec: TWO_REPLACED },
      { action: "UPDATE", spec: TWO_CHANGED },
    ],
  },
];

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

/** A visit continues with one successor in the same worker (P6). */
const inline = (configuration: Configuration): Configuration => ({
  ...configuration,
  title: `${configuration.title}; inline`,
  inline: true,
});

const faultsText = (faults: Configuration["faults"]): string =>
  Object.entries(faults)
    .map(([fault, count]) => (count === 1 ? fault : `${count} x ${fault}`))
    .join(", ") || "no fault";

/** Signals, polls and deadlines of a resource that waits for an agent. */
const WAITING: readonly Configuration[] = [
  { title: "create", requests: [{ action: "CREATE" as const, spec: { a: waiting("1") } }] },
  {
    title: "create overtaken by update",
    requests: [
      { action: "CREATE" as const, spec: { a: waiting("1") } },
      { action: "UPDATE" as const, spec: { a: waiting("2") } },
    ],
  },
  {
    title: "create overtaken by delete",
    requests: [
      { action: "CREATE" as const, spec: { a: waiting("1") } },
      { action: "DELETE" as const },
    ],
  },
].flatMap((situation) =>
  [{}, { crash: 1 }, { duplicate: 1 }, { loss: 1, sweep: 1 }, { stall: 1 }].map((faults) => ({
    ...withFaults("1 waiting node", situation, faults),
    timeoutMins: 3,
    signals: { count: 2, result: "COMPLETE" as const },
  })),
);

/** P16: the sweeper takes superseded templates from a stack at rest, while users ask for more. */
const RESTING: readonly Configuration[] = [
  {
    title: "updated and replaced",
    existing: ONE,
    requests: [
      { action: "UPDATE" as const, spec: ONE_CHANGED },
      { action: "UPDATE" as const, spec: ONE_REPLACED },
    ],
  },
  {
    title: "updated and rolled back by the user",
    existing: ONE,
    requests: [{ action: "UPDATE" as const, spec: ONE_REPLACED }, { action: "ROLLBACK" as const }],
  },
  {
    title: "updated, checked and deleted",
    existing: ONE,
    requests: [
      { action: "UPDATE" as const, spec: ONE_CHANGED },
      { action: "CHECK" as const },
      { action: "DELETE" as const },
    ],
  },
  {
    title: "updated, rolls back and updated",
    existing: ONE,
    requests: [
      { action: "UPDATE" as const, spec: ONE_REPLACED },
      { action: "UPDATE" as const, spec: ONE_CHANGED },
    ],
    rollback: true,
  },
].flatMap((situation) =>
  [{ rest: 1 }, { rest: 1, crash: 1 }, { rest: 1, refusal: 1 }, { rest: 1, "stale read": 1 }].map(
    (faults) => withFaults("1 node at rest", situation, faults),
  ),
);

const NAMED_OBJECTS: readonly Situation[] = [
  { title: "replaced", existing: NAMED, requests: [{ action: "UPDATE", spec: NAMED_REPLACED }] },
  {
    title: "replaced, failing, rolls back",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }],
    rollback: true,
  },
  {
    title: "replacement overtaken by rollback",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }, { action: "ROLLBACK" }],
  },
  {
    title: "replacement overtaken by another",
    existing: NAMED,
    requests: [
      { action: "UPDATE", spec: NAMED_REPLACED },
      { action: "UPDATE", spec: NAMED_AGAIN },
    ],
  },
  {
    title: "replacement overtaken by delete",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }, { action: "DELETE" }],
  },
];

/** An object of the user: looked at, referred to, and never touched (P19). */
const seen = { type: "Sim::Seeing", properties: { v: "1" }, external: "the user's a" };
const EXTERNAL: Spec = { a: seen, b: on("1") };
const EXTERNAL_GONE: Spec = { b: node("1") };
const MANAGED: Spec = { a: node("1"), b: on("1") };
const EXTERNAL_OBJECTS: readonly Situation[] = [
  { title: "created", requests: [{ action: "CREATE", spec: EXTERNAL }] },
  {
    title: "created, rolls back",
    requests: [{ action: "CREATE", spec: EXTERNAL }],
    rollback: true,
  },
  {
    title: "created, overtaken by delete",
    requests: [{ action: "CREATE", spec: EXTERNAL }, { action: "DELETE" }],
  },
  {
    title: "removed, rolls back",
    existing: EXTERNAL,
    requests: [{ action: "UPDATE", spec: EXTERNAL_GONE }],
    rollback: true,
  },
  {
    title: "in place of an own one, overtaken by its opposite",
    existing: MANAGED,
    requests: [
      { action: "UPDATE", spec: EXTERNAL },
      { action: "UPDATE", spec: MANAGED },
    ],
  },
  {
    title: "replaced by an own one, rolled back by the user",
    existing: EXTERNAL,
    requests: [{ action: "UPDATE", spec: MANAGED }, { action: "ROLLBACK" }],
  },
];

/** A worker that dies in the creation leaves a question, and nothing hides it (P18). */
const LOST: Spec = { a: { type: "Sim::Tokenless", properties: { v: "1" } }, b: on("1") };
const LOST_CHANGED: Spec = { a: { type: "Sim::Tokenless", properties: { v: "2" } }, b: on("1") };
const LOST_CREATIONS: readonly Situation[] = [
  { title: "created", requests: [{ action: "CREATE", spec: LOST }] },
  { title: "created, rolls back", requests: [{ action: "CREATE", spec: LOST }], rollback: true },
  {
    title: "creation overtaken by update",
    requests: [
      { action: "CREATE", spec: LOST },
      { action: "UPDATE", spec: LOST_CHANGED },
    ],
  },
  {
    title: "creation overtaken by delete",
    requests: [{ action: "CREATE", spec: LOST }, { action: "DELETE" }],
  },
];

/** A row whose change was refused keeps its object (D9). */
const mended = (v: string) => ({ type: "Sim::Mended", properties: { v } });
const MENDED: Spec = { a: mended("1"), b: on("1") };
const MENDED_CHANGED: Spec = { a: mended("2"), b: on("2") };
const REPAIRS: readonly Situation[] = [
  {
    title: "update in place, rolls back",
    existing: MENDED,
    requests: [{ action: "UPDATE", spec: MENDED_CHANGED }],
    rollback: true,
  },
  {
    title: "update overtaken by its opposite",
    existing: MENDED,
    requests: [
      { action: "UPDATE", spec: MENDED_CHANGED },
      { action: "UPDATE", spec: MENDED },
    ],
  },
  {
    title: "update overtaken by delete",
    existing: MENDED,
    requests: [{ action: "UPDATE", spec: MENDED_CHANGED }, { action: "DELETE" }],
  },
];

/** Each has what makes a change fail. */
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

/** For partial updates, and for deletes that end what goes on. */
const RACE_PAIRS: readonly Configuration["faults"][] = [
  { crash: 2 },
  { crash: 1, duplicate: 1 },
  { crash: 1, stall: 1 },
  { stall: 1, refusal: 1 },
  { crash: 1, refusal: 1 },
];

/**
 * Each operation on a shape. It changes the first resource, which most others wait for, or the
 * last, which waits for most.
 */
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

/** One configuration in this many stores its graphs in parts, with a node in each. */
const PARTS_EVERY = 4;

const inParts = (configuration: Configuration): Configuration => ({
  ...configuration,
  title: `${configuration.title}; in parts`,
  partNodesMax: 1,
});

/** A group follows this many stacks without one, as long as there are any. */
const GROUP_EVERY = 4;

export const configurations = (): readonly Configuration[] =>
  ofOneStack()
    .map((one, number) => (number % PARTS_EVERY === 0 ? inParts(one) : one))
    .flatMap((one, number) => [one, ...groupAfter(number)]);

const groupAfter = (number: number): readonly Configuration[] =>
  number % GROUP_EVERY === 0 ? GROUPS.slice(number / GROUP_EVERY, number / GROUP_EVERY + 1) : [];

/** Small configurations come first, so that violations are found early. */
const ofOneStack = (): readonly Configuration[] => [
  ...[...ONE_NODE, ...OVERTAKINGS].flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults("1 node", situation, faults)),
  ),
  ...TWO_NODES.flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults("2 nodes", situation, faults)),
  ),
  ...PARTIAL_UPDATES.flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults("partial", situation, faults)),
  ),
  ...WAITING,
  ...RESTING,
  ...NAMED_OBJECTS.flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults("named object", situation, faults)),
  ),
  ...EXTERNAL_OBJECTS.flatMap((situation) =>
    [{}, ...singles].map((faults) => withFaults("external object", situation, faults)),
  ),
  ...LOST_CREATIONS.flatMap((situation) =>
    [{ crash: 1 }, { stall: 1 }, { crash: 1, duplicate: 1 }, { crash: 2 }].map((faults) =>
      withFaults("lost creation", situation, faults),
    ),
  ),
  // A dead letter ends the creation of a locked object, so its delete is refused rightly.
  ...DELETES_AT_ONCE.flatMap((situation) =>
    [{}, ...singles]
      .filter((faults) => !("poison" in faults && situation.title.includes("Locked")))
      .map((faults) => withFaults("delete at once", situation, faults)),
  ),
  ...KEPT_LEASES.flatMap((situation) =>
    [{}, ...singles, ...KEPT_LEASE_FAULTS]
      .filter((faults) => !("poison" in faults && situation.title.includes("locked")))
      .map((faults) => withFaults("kept lease", situation, faults)),
  ),
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
  ...REPAIRS.flatMap((situation) =>
    REFUSALS.map((faults) => withFaults("repaired", situation, faults)),
  ),
];
