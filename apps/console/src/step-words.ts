import { statusOf } from "./status.ts";
import { type Fate, labelOf, type Row, type Scene, type Stepped } from "./step-shape.ts";

const ID_CHARS = 8;

export const shortId = (id: string): string => id.slice(0, ID_CHARS);

const changesOf = (before: Row | undefined, after: Row): readonly string[] => {
  if (before === undefined) return [`is new: ${statusOf(after)}`];
  const [old, now] = [statusOf(before), statusOf(after)];
  return [
    ...(old === now ? [] : [`becomes ${now}`]),
    ...(before.physical_id === after.physical_id
      ? []
      : [`has ${after.physical_id ?? "no object"}`]),
    ...(before.requires.join() === after.requires.join() ? [] : ["requires others"]),
    ...(before.replaced_by === after.replaced_by || after.replaced_by === null
      ? []
      : [`is replaced by ${shortId(after.replaced_by)}`]),
    ...(before.locked_by === null && after.locked_by !== null ? ["has a lease"] : []),
  ];
};

const rowLines = (before: Scene, after: Scene): readonly string[] => {
  const known = new Map(before.rows.map((row) => [row.uuid, row]));
  const left = new Set(after.rows.map(({ uuid }) => uuid));
  const named = ({ name, uuid }: Row): string => `row ${name} ${shortId(uuid)}`;
  return [
    ...after.rows.flatMap((row) => {
      const changes = changesOf(known.get(row.uuid), row);
      return changes.length === 0 ? [] : [`${named(row)} ${changes.join(", ")}`];
    }),
    ...before.rows.flatMap((row) => (left.has(row.uuid) ? [] : [`${named(row)} is a tombstone`])),
  ];
};

const sentLines = (before: Scene, after: Scene): readonly string[] => {
  const known = new Set(before.waiting.map(({ id }) => id));
  const sent = after.waiting.filter(({ id }) => !known.has(id)).map(labelOf);
  return sent.length === 0 ? [] : [`${sent.join(", ")} is sent`];
};

export const stepLines = (
  before: Scene,
  { delivered, pending }: Stepped,
  after: Scene,
  fate: Fate = "handled",
): readonly string[] => {
  const next = before.waiting.find(({ type }) => type === "check_resource");
  const label = next === undefined ? "The next visit" : labelOf(next);
  const changes = [...rowLines(before, after), ...sentLines(before, after)];
  if (delivered === 0 && pending === 0) return ["Nothing waits any more.", ...changes];
  if (delivered === 0) {
    return [`The worker of ${label} has died. Its message comes again.`, ...changes];
  }
  const again = fate === "twice" ? ", and its message comes once more" : "";
  return [`${label} is handled${again}.`, ...(changes.length === 0 ? ["no row changes"] : changes)];
};
