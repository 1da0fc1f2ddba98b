/**
 * `npm run bench -- groups [MEMBERS]` compares a group with as many plain resources, and measures
 * the signals to a scaling group: calls of ports, time and memory. The engine runs in memory, so
 * only its own costs count.
 */
import { isJsonObject, type Json } from "#lib/json.ts";
import {
  type Answer,
  at,
  createStack,
  openWorld,
  textAt,
  type World,
} from "#test/unit/api/api-world.ts";

const MEMBERS = 10_000;
const MIB = 1_048_576;
const COLUMN = 12;

const given = Number(process.argv[2] ?? MEMBERS);

/** The text uses YAML aliases, so that a template of many resources stays below the size limit. */
type Template = (size: number, value: string, beside?: string, rolls?: boolean) => string;

const HEAD = "heat_template_version: 2021-04-16\nresources:\n";

const member = (value: string): string =>
  `{type: OS::Heat::TestResource, properties: {value: "${value}"}}`;

const ROLLING = "update_policy: {rolling_update: {max_batch_size: 100, min_in_service: 1000000}}, ";

const group: Template = (count, value, beside = "1", rolls = false) =>
  `${HEAD}  g: {type: OS::Heat::ResourceGroup, ${rolls ? ROLLING : ""}properties: {count: ${count}, resource_def: ${member(value)}}}\n  o: ${member(beside)}\n`;

const plain: Template = (size, value, beside = "1") => {
  const others = Array.from({ length: size - 1 }, (_, index) => `  r${index + 1}: *m\n`);
  return `${HEAD}  r0: &m ${member(value)}\n${others.join("")}  o: ${member(beside)}\n`;
};

const policy = (adjustment: number): string =>
  `{type: OS::Heat::ScalingPolicy, properties: {auto_scaling_group_id: {get_resource: g}, adjustment_type: change_in_capacity, scaling_adjustment: ${adjustment}}}`;

const scaling = (size: number): string =>
  `${HEAD}  g: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: ${size + 1}, desired_capacity: ${size}, resource: ${member("1")}}}\n  up: ${policy(1)}\n  down: ${policy(-1)}\n`;

const counted = ({ store, queue, blobs }: World): (() => number) => {
  let calls = 0;
  for (const port of [store, queue, blobs]) {
    for (const [name, method] of Object.entries(port)) {
      if (typeof method !== "function") continue;
      Reflect.set(port, name, (...parameters: unknown[]): unknown => {
        calls++;
        return Reflect.apply(method, port, parameters);
      });
    }
  }
  return () => {
    const counted = calls;
    calls = 0;
    return counted;
  };
};

const settle = async (world: World): Promise<void> => {
  for (;;) if (!(await world.step())) return;
};

const accepted = async (sent: Promise<Answer>): Promise<void> => {
  const { status, body } = await sent;
  if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
};

interface Cost {
  readonly calls: number;
  readonly seconds: number;
}

const PHASES = [
  "create",
  "change all",
  "one more",
  "one less",
  "beside it",
  "roll",
  "after it",
  "list",
  "delete",
] as const;
type Phase = (typeof PHASES)[number];

const run = async (template: Template): Promise<ReadonlyMap<Phase, Cost>> => {
  const world = openWorld();
  const take = counted(world);
  const costs = new Map<Phase, Cost>();
  const path = { value: "" };
  const work: Readonly<Record<Phase, () => Promise<unknown>>> = {
    create: async () => {
      path.value = await createStack(world, "app", { template: template(given - 1, "1") });
    },
    "change all": () =>
      accepted(world.send("PUT", path.value, { template: template(given - 1, "2") })),
    "one more": () => accepted(world.send("PUT", path.value, { template: template(given, "2") })),
    "one less": () =>
      accepted(world.send("PUT", path.value, { template: template(given - 1, "2") })),
    "beside it": () =>
      accepted(world.send("PUT", path.value, { template: template(given - 1, "2", "2") })),
    roll: () =>
      accepted(world.send("PUT", path.value, { template: template(given - 1, "3", "2", true) })),
    "after it": () =>
      accepted(world.send("PUT", path.value, { template: template(given, "3", "2", true) })),
    list: () => world.send("GET", `${path.value}/resources?nested_depth=1`),
    delete: () => world.send("DELETE", path.value),
  };
  for (const phase of PHASES) {
    const started = performance.now();
    await work[phase]();
    await settle(world);
    costs.set(phase, { calls: take(), seconds: (performance.now() - started) / 1_000 });
    if (phase !== "delete" && phase !== "list") await expectComplete(world, path.value);
  }
  return costs;
};

const expectComplete = async (world: World, path: string): Promise<void> => {
  const { body: shown } = await world.send("GET", path);
  const status = textAt(shown, "stack", "stack_status");
  if (status.endsWith("COMPLETE")) return;
  const reason: Json = at(shown, "stack", "stack_status_reason") ?? null;
  throw new Error(`${status}: ${isJsonObject(reason) ? "" : String(reason)}`);
};

const signals = async (): Promise<ReadonlyMap<string, Cost>> => {
  const world = openWorld();
  const take = counted(world);
  const path = await createStack(world, "app", { template: scaling(given - 1) });
  await settle(world);
  await expectComplete(world, path);
  const costs = new Map<string, Cost>();
  for (const name of ["up", "down"]) {
    take();
    const started = performance.now();
    const { status } = await world.send("POST", `${path}/resources/${name}/signal`);
    if (status !== 200) throw new Error(`${status}`);
    await settle(world);
    costs.set(name, { calls: take(), seconds: (performance.now() - started) / 1_000 });
  }
  return costs;
};

const print = (...cells: readonly string[]): void => {
  console.log(cells.map((cell) => cell.padStart(COLUMN)).join(""));
};

const perMember = (cost: Cost | undefined): number => (cost?.calls ?? 0) / given;

const inGroup = await run(group);
const heapMib = process.memoryUsage().heapUsed / MIB;
const alone = await run(plain);
console.log(`${given} members; calls of store, queue and blobs for each\n`);
print("", "group", "plain", "ratio", "group calls", "plain calls", "group s", "plain s");
for (const phase of PHASES) {
  const [grouped, single] = [inGroup.get(phase), alone.get(phase)];
  print(
    phase,
    perMember(grouped).toFixed(2),
    perMember(single).toFixed(2),
    (perMember(grouped) / perMember(single)).toFixed(2),
    String(grouped?.calls ?? 0),
    String(single?.calls ?? 0),
    (grouped?.seconds ?? 0).toFixed(1),
    (single?.seconds ?? 0).toFixed(1),
  );
}
console.log("\na signal to a scaling group");
for (const [name, { calls, seconds }] of await signals()) {
  print(name, "", "", "", String(calls), "", seconds.toFixed(1));
}
console.log(`\nheap after the group: ${heapMib.toFixed(0)} MiB`);
