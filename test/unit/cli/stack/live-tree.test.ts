import fc from "fast-check";
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../../../apps/cli/print.ts";
import { type ResourceRow, type Screen, treeLines } from "../../../../apps/cli/stack/live-tree.ts";

const screen: Screen = {
  width: 100,
  height: 20,
  now: 60_000,
  colors: picocolors.createColors(false),
};

const stack = {
  name: "web",
  type: "",
  status: "CREATE_IN_PROGRESS",
  reason: "Stack CREATE started",
  since: 0,
};

const row = (name: string, requiredBy: readonly string[] = [], status = "CREATE_COMPLETE") => ({
  name,
  type: "OS::Heat::None",
  status,
  reason: "",
  since: 57_000,
  requiredBy,
});

const names = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/ +(OS|CREATE).*/, "").trimEnd());

describe("the live tree", () => {
  it("puts the stack first and each resource below the deepest one that it requires", () => {
    const rows = [row("deploy"), row("net", ["server"]), row("server", ["deploy"]), row("key")];
    const net = { ...row("net", ["server", "deploy"]) };
    expect(
      names(treeLines(stack, [net, ...rows.filter(({ name }) => name !== "net")], screen)),
    ).toEqual(["web", "├─ net", "│  └─ server", "│     └─ deploy", "└─ key"]);
  });

  it("shows type, status, age and reason in columns", () => {
    const failed = { ...row("db", [], "CREATE_FAILED"), reason: "no\nspace" };
    expect(treeLines(stack, [failed], screen)).toEqual([
      "web                    CREATE_IN_PROGRESS   1m00s  Stack CREATE started",
      "└─ db  OS::Heat::None  CREATE_FAILED           3s  no space",
    ]);
  });

  it("shows each status on a narrow screen, without types and with cut names", () => {
    const rows = [row("a-name-as-long-as-some-names-are-in-templates"), row("b")];
    expect(treeLines(stack, rows, { ...screen, width: 52 })).toEqual([
      "web                       CREATE_IN_PROGRESS   1m00s",
      "├─ a-name-as-long-as-...  CREATE_COMPLETE         3s",
      "└─ b                      CREATE_COMPLETE         3s",
    ]);
  });

  it("shows beside a long name why another resource waits", () => {
    const waiting = {
      ...row("wait", [], "CREATE_IN_PROGRESS"),
      reason: "0 of 2 signals have come",
    };
    const long = { ...row("a-name-as-long-as-some-are-in-templates"), reason: "state changed" };
    expect(treeLines(stack, [long, waiting], { ...screen, width: 52 })).toEqual([
      "web                       CREATE_IN_PROGRESS   1m00s",
      "├─ a-name-as-long-as-...  CREATE_COMPLETE         3s",
      "└─ wait                   CREATE_IN_PROGRESS      3s",
      "      0 of 2 signals have come",
    ]);
  });

  it("leaves out the types rather than the reasons on a terminal of 80 columns", () => {
    const deploy = {
      ...row("web_deploy", [], "CREATE_IN_PROGRESS"),
      type: "OS::Heat::SoftwareDeployment",
      reason: "waits for the server",
    };
    expect(treeLines(stack, [deploy], { ...screen, width: 80 })).toEqual([
      "web            CREATE_IN_PROGRESS   1m00s  Stack CREATE started",
      "└─ web_deploy  CREATE_IN_PROGRESS      3s  waits for the server",
    ]);
  });

  it("gives a long reason lines of its own, as long as the screen has some", () => {
    const reason =
      "Probably: server web has stopped polling in the middle of the run: the agent, the server or its network is down";
    const waiting = { ...row("deploy", ["next"], "CREATE_IN_PROGRESS"), reason };
    const rows = [waiting, row("next", [], "INIT_COMPLETE")];
    const narrow = { ...screen, width: 80 };
    expect(treeLines(stack, rows, narrow)).toEqual([
      "web                         CREATE_IN_PROGRESS   1m00s  Stack CREATE started",
      "└─ deploy   OS::Heat::None  CREATE_IN_PROGRESS      3s",
      "      Probably: server web has stopped polling in the middle of the run: the",
      "      agent, the server or its network is down",
      "   └─ next  OS::Heat::None  INIT_COMPLETE           3s",
    ]);
    expect(treeLines(stack, rows, { ...narrow, height: 4 })[2]).toBe(
      "      Probably: server web has stopped polling in the middle of the run: the ...",
    );
    expect(treeLines(stack, rows, { ...narrow, height: 3 })[1]).toBe(
      "└─ deploy   OS::Heat::None  CREATE_IN_PROGRESS      3s  Probably: server web ...",
    );
  });

  const terminal = { ...screen, width: 80, height: 23 };
  const done = (at: number) => ({
    ...row(`done-with-a-very-long-name-of-a-resource-${at}`),
    reason: "state changed",
  });
  const waits = (at: number) => ({
    ...row(`waits-with-a-very-long-name-of-a-resource-${at}`, [], "CREATE_IN_PROGRESS"),
    reason: `Probably: server ${at} has stopped polling: its agent, or its network is down`,
  });

  it("spends no line on what is done, and gives each waiting resource one before another", () => {
    const rows = [...Array.from({ length: 12 }, (_, at) => done(at)), waits(1), waits(2), waits(3)];
    const text = treeLines(stack, rows, terminal).join("\n");
    for (const at of [1, 2, 3])
      expect(text).toContain(`Probably: server ${at} has stopped polling`);
    expect(text).not.toContain("state changed");
    expect(text).toContain("Stack CREATE started");
  });

  it("leaves out what is done, so that the causes can be read on a full screen", () => {
    const rows = [...Array.from({ length: 30 }, (_, at) => done(at)), waits(1), waits(2)];
    const lines = treeLines(stack, rows, terminal);
    expect(lines).toHaveLength(23);
    const text = lines.join("\n");
    for (const at of [1, 2]) expect(text).toContain(`Probably: server ${at} has stopped polling`);
    expect(text).toContain("32 resources: 2 running, 30 complete; 13 are not shown");
  });

  it("shows of what is done why its former resource still waits", () => {
    const former = {
      ...done(1),
      reason: "the former one, which is to be removed: it waits",
      waits: true,
    };
    expect(treeLines(stack, [former], terminal).at(-1)).toBe(
      "      the former one, which is to be removed: it waits",
    );
  });

  it("counts wide letters as two columns, and keeps a name on one line", () => {
    const rows = [row("日本\n語"), row("b")];
    expect(treeLines(stack, rows, screen)).toEqual([
      "web                         CREATE_IN_PROGRESS   1m00s  Stack CREATE started",
      "├─ 日本 語  OS::Heat::None  CREATE_COMPLETE         3s",
      "└─ b        OS::Heat::None  CREATE_COMPLETE         3s",
    ]);
    const narrow = treeLines(stack, [row("語".repeat(40))], { ...screen, width: 52 });
    expect(narrow.map(widthOf)).toEqual([52, 52]);
  });

  it("counts the rows that do not fit, completed resources first", () => {
    const rows = [row("a"), row("b", [], "CREATE_IN_PROGRESS"), row("c"), row("d"), row("e")];
    const lines = treeLines(stack, rows, { ...screen, height: 4 });
    expect(names(lines)).toEqual([
      "web",
      "b",
      "a",
      "5 resources: 1 running, 4 complete; 3 are not shown",
    ]);
  });

  it("lists failed and running resources first where they do not fit, and counts all", () => {
    const rows = [
      ...Array.from({ length: 30 }, (_, at) => row(`made${at}`)),
      ...Array.from({ length: 28 }, (_, at) => row(`later${at}`, [], "INIT_COMPLETE")),
      row("busy", [], "CREATE_IN_PROGRESS"),
      row("broken", [], "CREATE_FAILED"),
    ];
    const lines = treeLines(stack, rows, { ...screen, width: 80, height: 23 });
    expect(names(lines).slice(0, 4)).toEqual(["web", "broken", "busy", "later0"]);
    expect(lines).toHaveLength(23);
    expect(lines.at(-1)).toBe(
      "60 resources: 1 failed, 1 running, 28 to come, 30 complete; 39 are not shown",
    );
  });

  it("cuts a reason after a whole word", () => {
    const nested = { ...row("greeter"), reason: "Stack CREATE completed successfully" };
    const [, line] = treeLines(stack, [nested], { ...screen, width: 70 });
    expect(line).toBe("└─ greeter  CREATE_COMPLETE         3s  Stack CREATE completed ...");
  });

  it("fits any resources on any screen, and shows all that fit", () => {
    const anyRows = fc
      .uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 30 })
      .chain((all) =>
        fc.tuple(
          ...all.map((name) =>
            fc
              .tuple(fc.subarray(all), fc.string({ maxLength: 200 }))
              .map(([requiredBy, reason]): ResourceRow => ({ ...row(name, requiredBy), reason })),
          ),
        ),
      );
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 20, max: 120 }), (rows, width) => {
        const lines = treeLines(stack, rows, { ...screen, width, height: 12 });
        expect(lines.length).toBeLessThanOrEqual(12);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        // A long reason may take the lines that no row needs.
        if (rows.length < 12) expect(lines.length).toBeGreaterThan(rows.length);
      }),
    );
  });

  it("goes straight down below five levels, and shows a very large stack as a list", () => {
    const chain = Array.from({ length: 12 }, (_, at) => row(`r${at}`, [`r${at + 1}`]));
    const lines = names(treeLines(stack, chain, screen));
    expect(lines).toHaveLength(13);
    expect(Math.max(...lines.map((line) => line.search(/r\d/)))).toBeLessThanOrEqual(20);
    const many = Array.from({ length: 5_000 }, (_, at) => row(`r${at}`, [`r${at + 1}`]));
    expect(treeLines(stack, many, screen)).toHaveLength(20);
  });
});
