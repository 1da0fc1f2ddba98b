/**
 * Configurations of P20 to P23: a group and its nested stack. A roll that keeps all members in
 * service needs a surplus, so it has two traversals. Requests and signals come at any moment of the
 * roll.
 */
import type { GroupSpec, PolicySpec, ScalingSpec, Spec } from "../simulation/world/spec.ts";
import type { Configuration, ScriptedRequest, Situation } from "./configuration.ts";

const SECOND_MS = 1_000;
const COOLDOWN_SECONDS = 60;

const rolled = (v: string, members: number, minimum = members): Spec => ({
  g: groupOf(members, v, { rolling: { batch: 1, minimum } }),
});

/** A change of a member takes a while, so it may still run when another roll begins. */
const rolledSlowly = (v: string): Spec => ({
  g: {
    group: {
      count: 2,
      member: { type: "Sim::Slow", properties: { v, seconds: "8" } },
      rolling: { batch: 1, minimum: 1 },
    },
  },
});

const groupOf = (count: number, v: string, more: Partial<GroupSpec> = {}): Spec[string] => ({
  group: { count, member: { properties: { v } }, ...more },
});

const scaled = (scaling: Partial<ScalingSpec> = {}, policy: Partial<PolicySpec> = {}): Spec => ({
  s: { scaling: { minimum: 1, maximum: 2, member: { properties: { v: "1" } }, ...scaling } },
  p: { policy: { adjustment: 1, ...policy }, refers: { auto_scaling_group_id: "s" } },
});

const OTHER = { properties: { v: "2" } };
const SIGNAL: ScriptedRequest = { action: "signal", policy: "p" };
const REST: ScriptedRequest = { action: "later", seconds: COOLDOWN_SECONDS + 1 };

const rollsOf = (members: number): readonly Situation[] => {
  const existing = rolled("1", members);
  const update: ScriptedRequest = { action: "UPDATE", spec: rolled("2", members) };
  const overtakings: readonly (readonly [string, readonly ScriptedRequest[]])[] = [
    ["roll", []],
    ["roll overtaken by update", [{ action: "UPDATE", spec: rolled("3", members) }]],
    ["roll overtaken by one more", [{ action: "UPDATE", spec: rolled("2", members + 1, members) }]],
    ["roll overtaken by rollback", [{ action: "ROLLBACK" }]],
    ["roll overtaken by delete", [{ action: "DELETE" }]],
    ["roll cancelled", [{ action: "cancel" }]],
  ];
  return overtakings.map(([title, requests]) => ({
    title,
    existing,
    requests: [update, ...requests],
  }));
};

const scaledRoll = (v: string, desired: number, minimum = desired): Spec =>
  scaled({
    maximum: 3,
    desired,
    member: { properties: { v } },
    rolling: { batch: 1, minimum },
  });

const scaledRollsOf = (members: number): readonly Situation[] => {
  const existing = scaledRoll("1", members);
  const update: ScriptedRequest = { action: "UPDATE", spec: scaledRoll("2", members) };
  const open: ScriptedRequest = {
    action: "UPDATE",
    spec: scaled({ maximum: 3, member: OTHER, rolling: { batch: 2, minimum: 0 } }),
  };
  const overtakings: readonly (readonly [string, readonly ScriptedRequest[]])[] = [
    ["roll", [update]],
    ["roll overtaken by update", [update, { action: "UPDATE", spec: scaledRoll("3", members) }]],
    ["roll overtaken by one less", [update, { action: "UPDATE", spec: scaledRoll("3", 1) }]],
    ["roll overtaken by rollback", [update, { action: "ROLLBACK" }]],
    ["roll overtaken by delete", [update, { action: "DELETE" }]],
    ["roll cancelled", [update, { action: "cancel" }]],
    ["signal and roll", [SIGNAL, open]],
    ["signal, roll and rollback", [SIGNAL, open, { action: "ROLLBACK" }]],
  ];
  return overtakings.map(([title, requests]) => ({ title, existing, requests }));
};

const SLOW_ROLLS: readonly Situation[] = [
  {
    title: "roll overtaken by update",
    existing: rolledSlowly("1"),
    requests: [
      { action: "UPDATE", spec: rolledSlowly("2") },
      { action: "UPDATE", spec: rolledSlowly("3") },
    ],
  },
  {
    title: "roll overtaken by rollback",
    existing: rolledSlowly("1"),
    requests: [{ action: "UPDATE", spec: rolledSlowly("2") }, { action: "ROLLBACK" }],
  },
];

const SIZES: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: { g: groupOf(1, "1") } }] },
  { title: "delete", existing: { g: groupOf(1, "1") }, requests: [{ action: "DELETE" }] },
  {
    title: "one more",
    existing: { g: groupOf(1, "1") },
    requests: [{ action: "UPDATE", spec: { g: groupOf(2, "1") } }],
  },
  {
    title: "one less",
    existing: { g: groupOf(2, "1") },
    requests: [{ action: "UPDATE", spec: { g: groupOf(1, "1") } }],
  },
  {
    title: "one less overtaken by one more",
    existing: { g: groupOf(2, "1") },
    requests: [
      { action: "UPDATE", spec: { g: groupOf(1, "1") } },
      { action: "UPDATE", spec: { g: groupOf(2, "2") } },
    ],
  },
];

const SCALINGS: readonly Situation[] = [
  { title: "signal", existing: scaled(), requests: [SIGNAL] },
  {
    title: "signal to a larger group",
    existing: scaled({ desired: 2 }, { adjustment: -1 }),
    requests: [SIGNAL],
  },
  { title: "signal to the largest group", existing: scaled({ desired: 2 }), requests: [SIGNAL] },
  { title: "two signals", existing: scaled({ maximum: 3 }), requests: [SIGNAL, SIGNAL] },
  {
    title: "signal in a cooldown and after it",
    existing: scaled({ maximum: 3 }, { cooldownSeconds: COOLDOWN_SECONDS }),
    requests: [SIGNAL, SIGNAL, REST, SIGNAL],
  },
  {
    title: "signal and update",
    existing: scaled(),
    requests: [SIGNAL, { action: "UPDATE", spec: scaled({ member: OTHER }) }],
  },
  {
    title: "update and signal",
    existing: scaled(),
    requests: [{ action: "UPDATE", spec: scaled({ member: OTHER }) }, SIGNAL],
  },
  {
    title: "update, signal, cancel",
    existing: scaled(),
    requests: [{ action: "UPDATE", spec: scaled({ member: OTHER }) }, SIGNAL, { action: "cancel" }],
  },
  { title: "signal and delete", existing: scaled(), requests: [SIGNAL, { action: "DELETE" }] },
  { title: "signal and suspend", existing: scaled(), requests: [SIGNAL, { action: "SUSPEND" }] },
  { title: "signal and check", existing: scaled(), requests: [SIGNAL, { action: "CHECK" }] },
];

/**
 * The time is longer than a lease. Until then the owner polls its nested stack every five seconds,
 * and each poll makes states.
 */
const REDELIVERED_MS = 95_000;
/** The limit keeps states for the other configurations of `npm run prove`. */
const STATES_MAX = 1_000_000;

const played = (
  what: string,
  situation: Situation,
  faults: Configuration["faults"],
  workersMax = 1,
): Configuration => {
  const all = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`);
  const bounds = [`${workersMax} at work`, ...all].join(", ");
  return {
    ...situation,
    title: `${what}, ${situation.title}; ${bounds}`,
    faults,
    workersMax,
    statesMax: STATES_MAX,
    cooldownMsMax: COOLDOWN_SECONDS * SECOND_MS,
    redeliveredMs: REDELIVERED_MS,
    callsInOrder: true,
    joinsFirstCall: true,
    usersApart: true,
  };
};

const KINDS: readonly (readonly [string, readonly Situation[]])[] = [
  ["group", SIZES],
  ["scaling group", SCALINGS],
  ["group of one", rollsOf(1)],
  ["group of two", rollsOf(2)],
  ["scaling group of one", scaledRollsOf(1)],
  ["scaling group of two", scaledRollsOf(2)],
  ["slow group of two", SLOW_ROLLS],
];

const playedOften = ([what, situations]: (typeof KINDS)[number]): readonly Configuration[] => [
  ...situations.flatMap((situation) =>
    [{}, { crash: 1 }, { duplicate: 1 }].map((faults) => played(what, situation, faults)),
  ),
  ...situations.map((situation) => played(what, situation, {}, 2)),
];

/** A lease is stolen and its worker goes on, or an operation is given up while its worker runs. */
const STOLEN: readonly Configuration["faults"][] = [{ stall: 1 }, { stall: 1, poison: 1 }];

export const GROUPS: readonly Configuration[] = [
  ...KINDS.flatMap(playedOften),
  ...rollsOf(1).flatMap((situation) =>
    STOLEN.map((faults) => played("group of one", situation, faults, 2)),
  ),
];
