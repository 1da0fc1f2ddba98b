import type { Check } from "./checks.ts";
import type { Expected } from "./expected-visits.ts";
import type { Row } from "./looks.ts";
import type { PartialVersion } from "./partial-target.ts";

export const checkRows = (
  expected: Expected,
  now: PartialVersion,
  before: readonly Row[],
  after: readonly Row[],
): readonly Check[] => {
  const former = new Map(before.map((row) => [row.name, row]));
  const [visited, leftOut] = [true, false].map((wanted) =>
    after.filter(({ name }) => expected.visited.has(name) === wanted),
  );
  return [
    {
      name: "rows that the update does not visit are as they were, but let go of what is gone",
      wrong: (leftOut ?? []).flatMap((row) => wrongLeftOut(former, after, row)),
    },
    {
      name: "rows that the update visits have its template",
      wrong: wrongTemplates(before, visited ?? []),
    },
    { name: "each row requires the rows in service", wrong: wrongRequires(now, after) },
  ];
};

const wrongLeftOut = (
  former: ReadonlyMap<string, Row>,
  after: readonly Row[],
  row: Row,
): readonly string[] => {
  const old = former.get(row.name);
  if (old === undefined) return [`${row.name} was not there before`];
  const ids = new Set(after.map(({ uuid }) => uuid));
  const hadToLetGo = old.requires.some((id) => !ids.has(id));
  const isSame =
    old.uuid === row.uuid &&
    old.template_id === row.template_id &&
    (old.version === row.version) === !hadToLetGo;
  const [was, is] = [old, row].map(({ uuid, version }) => `${uuid} in version ${version}`);
  return isSame ? [] : [`${row.name} was ${was} and is ${is}`];
};

const wrongTemplates = (before: readonly Row[], visited: readonly Row[]): readonly string[] => {
  const old = new Set(before.map((row) => row.template_id));
  const wrong = visited.filter((row) => old.has(row.template_id));
  const found = new Set(visited.map((row) => row.template_id));
  return [
    ...wrong.map(({ name }) => `${name} has a former template`),
    ...(found.size > 1 ? [`the visited rows have ${found.size} templates`] : []),
  ];
};

const wrongRequires = (
  { definitions }: PartialVersion,
  rows: readonly Row[],
): readonly string[] => {
  const names = new Map(rows.map(({ uuid, name }) => [uuid, name]));
  const byName = new Map(rows.map((row) => [row.name, row]));
  return definitions.flatMap(({ name, refers, after }) => {
    const wanted = [...(refers === null ? [] : [refers]), ...after].sort().join();
    const required = byName.get(name)?.requires ?? [];
    const found = required
      .map((id) => names.get(id) ?? "a row that is gone")
      .sort()
      .join();
    return wanted === found ? [] : [`${name} requires ${found || "nothing"}, not ${wanted}`];
  });
};
