/** A provider of machines that people change, stop and remove behind its back. */
import type {
  Action,
  Answer,
  Json,
  JsonObject,
  ObjectCall,
  ProvidedType,
  Provider,
} from "#provider/provider.ts";

export const MACHINE = "My::Machine";
/** The type has no update, so none of its properties changes in place. */
export const DISK = "My::Disk";

export interface Machine {
  readonly properties: JsonObject;
  readonly runs: boolean;
}

export type Machines = Map<string, Machine>;

const isSame = (one: JsonObject, other: JsonObject): boolean =>
  Object.entries(one).every(([name, value]: [string, Json]) => other[name] === value);

const finished: Answer = { state: "finished" };

export const openMachines = () => {
  const machines: Machines = new Map();
  const calls: Action[] = [];
  const called: string[] = [];
  /** The next checks throw these texts, as a provider that cannot look would. */
  const faults: string[] = [];
  let made = 0;
  const on =
    (act: (machine: Machine, call: ObjectCall) => Answer) =>
    async (call: ObjectCall): Promise<Answer> => {
      calls.push(call.action);
      called.push(call.physicalId);
      const machine = machines.get(call.physicalId);
      return machine === undefined ? { state: "gone" } : act(machine, call);
    };
  const set = (id: string, machine: Machine): Answer => {
    machines.set(id, machine);
    return finished;
  };
  const type: ProvidedType = {
    description: "A machine.",
    properties: {
      size: { type: "string", updateAllowed: true },
      image: { type: "string" },
    },
    tokens: "kept",
    create: async ({ properties, action }) => {
      calls.push(action);
      made += 1;
      const id = `machine-${made}`;
      called.push(id);
      machines.set(id, { properties, runs: true });
      return { state: "finished", physicalId: id };
    },
    update: on((machine, { physicalId, properties }) =>
      set(physicalId, { ...machine, properties }),
    ),
    repairable: true,
    delete: async ({ physicalId, action }) => {
      calls.push(action);
      called.push(physicalId);
      machines.delete(physicalId);
      return finished;
    },
    suspend: on((machine, { physicalId }) => set(physicalId, { ...machine, runs: false })),
    resume: on((machine, { physicalId }) => set(physicalId, { ...machine, runs: true })),
    check: on((machine, { properties }) => {
      const fault = faults.shift();
      if (fault !== undefined) throw new Error(fault);
      if (!machine.runs) return { state: "failed", reason: "it is off", health: "stopped" };
      if (isSame(properties, machine.properties)) return finished;
      return { state: "failed", reason: "it has another size", health: "differs" };
    }),
  };
  const { update: _, repairable: __, suspend: ___, resume: ____, ...others } = type;
  const disk = { ...others, properties: { ...type.properties, size: { type: "string" as const } } };
  const types = { [MACHINE]: type, [DISK]: disk };
  const provider: Provider = { provider: 2, name: "machines", types };
  return { provider, machines, calls, called, faults };
};
