import { edit, type Mutant } from "./mutant.ts";

const GATE = "Math.abs(now - at) < overdueMsMin";

export const SWEEPER_MUTANTS: readonly Mutant[] = [
  {
    name: "time gate never opens",
    rule: "P11 L5",
    edits: [edit("convergence/sweep/stalled-nodes.ts", GATE, "overdueMsMin > 0")],
  },
  {
    name: "time gate believes a clock that was set back",
    rule: "P11 L5",
    edits: [edit("convergence/sweep/stalled-nodes.ts", GATE, "now - at < overdueMsMin")],
  },
  {
    name: "records without a time are never overdue",
    rule: "P11",
    edits: [
      edit("convergence/sweep/stalled-nodes.ts", "at !== null && Math", "at === null || Math"),
    ],
  },
  {
    name: "no time gate for leaves",
    rule: "P11 S21",
    edits: [
      edit("convergence/sweep/stalled-nodes.ts", "(fanIn === 0 && recent(stack.sentAt))", "false"),
    ],
  },
  {
    name: "no time gate for nodes that became ready",
    rule: "P11 S21",
    edits: [
      edit(
        "convergence/sweep/stalled-nodes.ts",
        "if (isRecent(await readySince(points, point), now, overdueMsMin)) return false;",
        "",
      ),
    ],
  },
  {
    name: "no time gate for rows",
    rule: "P11 S21",
    edits: [edit("convergence/sweep/stalled-nodes.ts", " || recent(row?.updatedAt ?? null)", "")],
  },
  {
    name: "no time gate for prepares",
    rule: "P11 S21",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "if (isRecent(stack.sentAt, ports.clock.now(), overdueMsMin)) return 0;",
        "",
      ),
    ],
  },
  {
    name: "an arrival leaves the time of the first one",
    rule: "P11 S21",
    edits: [
      edit(
        "adapters/local/store.ts",
        "arrivedAt: arrival.at,",
        "arrivedAt: point === null ? arrival.at : point.arrivedAt,",
      ),
    ],
  },
  {
    name: "cursor skips a stack",
    rule: "P11 P13 L5",
    edits: [
      edit("convergence/sweep/sweep.ts", "return moveCursor(last);", "return moveCursor(key);"),
    ],
  },
  {
    name: "batch drops unread keys",
    rule: "P11 L5",
    edits: [edit("sync-point.ts", "open = unread;", "open = [];")],
  },
  {
    name: "a successor of any kind proves an arrival",
    rule: "P11 L5",
    edits: [
      edit(
        "convergence/sweep/stalled-nodes.ts",
        "point.at === null || !isMarked[point.at]",
        "point.at === null",
      ),
    ],
  },
  {
    name: "every backlog is repeated whole",
    rule: "P11 S21",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "overdue.length <= BACKLOG_VISITS_MIN",
        "overdue.length > 0",
      ),
    ],
  },
  {
    name: "some parts of a backlog have no turn",
    rule: "P11 S21",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "at % BACKLOG_PARTS === part",
        "at % BACKLOG_PARTS === part % 8",
      ),
    ],
  },
  {
    name: "a lost backlog comes back in parts",
    rule: "P11 L5",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "if ((await this.#queued) < overdue.length) return overdue;",
        "",
      ),
    ],
  },
];
