import { FAULTS, type Fault, failSqliteCall } from "./failing-sqlite.ts";
import { type Ending, playStory } from "./fault-story.ts";

export interface FaultRunOptions {
  readonly first: number;
  readonly stride: number;
  /** Plays every fault at every call. By default each call gets one fault, in turn. */
  readonly everyFault?: boolean;
  readonly told?: (line: string) => void;
}

export interface FaultRun {
  readonly calls: number;
  readonly stories: number;
  readonly failed: ReadonlyMap<string, number>;
  readonly wrong: readonly string[];
}

interface Played {
  readonly ending: Ending | null;
  readonly problem: string | null;
  readonly calls: number;
  readonly failed: string | null;
}

const play = async (number: number, fault: Fault): Promise<Played> => {
  const sqlite = failSqliteCall(number, fault);
  try {
    const ending = await playStory(sqlite.begin);
    return { ending, problem: null, calls: sqlite.calls(), failed: sqlite.failed() };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ending: null, problem, calls: sqlite.calls(), failed: sqlite.failed() };
  } finally {
    sqlite.stop();
  }
};

/** The number of refusals depends on the fault, but nothing else may. */
const comparable = ({ answered503: _, ...ending }: Ending): string => JSON.stringify(ending);

const differences = (ending: Ending, wanted: Ending): readonly string[] =>
  comparable(ending) === comparable(wanted)
    ? []
    : Object.entries(wanted).flatMap(([name, value]) => {
        const found = Object.entries(ending).find(([other]) => other === name)?.[1];
        const [is, should] = [JSON.stringify(found), JSON.stringify(value)];
        return is === should || name === "answered503"
          ? []
          : [`${name}: ${is} instead of ${should}`];
      });

const kindOf = (sql: string): string => sql.trim().split(/\s+/, 1)[0] ?? "";

export const runFaults = async (options: FaultRunOptions): Promise<FaultRun> => {
  const [none] = FAULTS;
  if (!none) throw new Error("there are no faults");
  const without = await play(0, none);
  const wanted = without.ending;
  if (wanted === null) throw new Error(`without a fault: ${without.problem}`);
  const failed = new Map<string, number>();
  const wrong: string[] = [];
  let stories = 0;
  for (let number = options.first; number <= without.calls; number += options.stride) {
    const turn = FAULTS.filter(
      (_, index) => options.everyFault || index === number % FAULTS.length,
    );
    for (const fault of turn) {
      const { ending, problem, failed: sql } = await play(number, fault);
      if (sql === null) continue;
      stories += 1;
      failed.set(kindOf(sql), (failed.get(kindOf(sql)) ?? 0) + 1);
      const found = ending === null ? [String(problem)] : differences(ending, wanted);
      const name = `call ${number} (${fault.name}${fault.after ? ", after its effect" : ""}: ${sql})`;
      for (const one of found) wrong.push(`${name}: ${one}`);
      for (const one of found) options.told?.(`${name}: ${one}`);
    }
  }
  return { calls: without.calls, stories, failed, wrong };
};
